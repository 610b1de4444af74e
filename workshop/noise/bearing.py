"""Grounding check: does what an errand's author wrote agree with what the pages showed?"""

import re

from longtrail.text.folding import squeeze

_FIGURE = re.compile(r"\$?[0-9][0-9,]*(?:\.[0-9]+)?")
_QUOTED = re.compile(r'"([^"]+)"')
_CAPITALS = re.compile(r"\b[^\W\d_]{4,}\b")


def claims(words: str) -> tuple[str, ...]:
    """What can be looked up: figures of two digits or more, amounts, quoted texts, names in capitals."""
    found = [figure for figure in _FIGURE.findall(words) if len(figure.strip("$,.")) > 1 or "$" in figure]
    found += [f'"{quoted}"' for quoted in _QUOTED.findall(words)]
    found += [name for name in _CAPITALS.findall(words) if name.isupper()]
    return tuple(dict.fromkeys(found))


def ungrounded(words: str, seen: str) -> tuple[str, ...]:
    """The claims in `words` that are not in `seen`. Figures are compared as values (`$129` equals `$129.00`)."""
    figures = {_value(figure) for figure in _FIGURE.findall(seen)}
    text = squeeze(seen)
    return tuple(
        claim
        for claim in claims(words)
        if not (
            _value(claim) in figures if _FIGURE.fullmatch(claim) else squeeze(claim.strip('"')).rstrip(".,!?") in text
        )
    )


def _value(figure: str) -> str:
    """The value of a figure: `$1,290.00` and `1290` are equal."""
    bare = figure.strip("$,.").replace(",", "")
    return bare.removesuffix(".00").removesuffix(".0")
