"""Grounding check: does what an errand's author wrote agree with what the pages showed?"""

import re

from longtrail.text.folding import squeeze

_FIGURE = re.compile(r"\$?[0-9][0-9,]*(?:\.[0-9]+)?")
_QUOTED = re.compile(r'"([^"]+)"')
_CAPITALS = re.compile(r"\b[^\W\d_]{4,}\b")


def ungrounded(words: str, seen: str) -> tuple[str, ...]:
    """The claims in `words` that are not in `seen`: figures of two digits or more, amounts, quoted texts, names in
    capitals. Figures are compared as values (`$129` equals `$129.00`)."""
    figures = {_value(figure) for figure in _FIGURE.findall(seen)}
    text = squeeze(seen)
    claims = [
        figure
        for figure in _FIGURE.findall(words)
        if (len(figure.strip("$,.")) > 1 or "$" in figure) and _value(figure) not in figures
    ]
    claims += [f'"{quoted}"' for quoted in _QUOTED.findall(words) if squeeze(quoted).rstrip(".,!?") not in text]
    claims += [name for name in _CAPITALS.findall(words) if name.isupper() and squeeze(name) not in text]
    return tuple(dict.fromkeys(claims))


def _value(figure: str) -> str:
    """The value of a figure: `$1,290.00` and `1290` are equal."""
    bare = figure.strip("$,.").replace(",", "")
    return bare.removesuffix(".00").removesuffix(".0")
