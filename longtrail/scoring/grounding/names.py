"""Names: people, places and things that a text names, and whether they were ever delivered."""

import re
from collections.abc import Iterator

from longtrail.scoring.grounding.page_text import words
from longtrail.text.lexicon import MONTHS, STATES

_NAME = re.compile(r"(?<![\w/@#$.'’-])(?:[A-Z][a-zà-ÿ]+(?:['’][A-Z]?[a-zà-ÿ]+)?)(?:[ -][A-Z][a-zà-ÿ]+)*(?!\w)")
_ADJECTIVE = re.compile(r"(?:ish|ian|ese|ing|ed|ly|tion|ment|ness)$")
"""Words that are often capitalised but are not names."""
_START = re.compile(r"(?:^|[.!?:;]\s+|[\"“'(]\s*)$")
_OFTEN = frozenset(
    re.findall(
        r"\w+",
        """
    i a an the he she it they we you his her its their our my this that these those there here one two three four
    five six seven eight nine ten both all each every no not in on at by for from to of with within without after
    before since until as if when where while who what which how and or but so nothing nobody only also still just
    mr mrs ms dr st order orders page handbook section guide rule customer shipment invoice credit memo note notes
    history log monday tuesday wednesday thursday friday saturday sunday fedex federal express usps ups dhl english
    american united states usa policy terms internet christmas easter
""",
    )
)
_SHORTEST = 3
_STATES = {word for name in STATES.values() for word in name.split()}
_CODES = {name: code.lower() for code, name in STATES.items()}


def names_in(text: str) -> Iterator[str]:
    """Capitalised names in a text. The first word of a sentence is left out; a text in title case has no names."""
    capital = len(re.findall(r"(?<!\w)[A-Z]", text))
    if 2 * capital > len(text.split()) > _SHORTEST:
        return
    for match in _NAME.finditer(text):
        parts = match[0].split()
        if _START.search(text[: match.start()]):
            parts = parts[1:]
        parts = [part for part in parts if not _common(part)]
        if len(parts) > 1 or (parts and not _ADJECTIVE.search(parts[0])):
            yield " ".join(parts)


def _common(part: str) -> bool:
    return all(word in _OFTEN or word in MONTHS or word in _STATES for word in words(part) or ("the",))


def unknown(name: str, delivered: str) -> bool:
    """Whether a part of a name, other than a common word, was never delivered, not even within a user name."""
    parts = [word for word in words(name) if word not in _OFTEN and len(word) > 1]
    return not all(_known(word, delivered) for word in parts)


def _known(word: str, delivered: str) -> bool:
    return (
        word in delivered
        or (len(word) > _SHORTEST and word.removesuffix("s") in delivered)
        or (word in _CODES and f" {_CODES[word]} " in delivered)
        or word in _STATES
    )
