"""Page text: the words of pages and quotations in one form, without marks, layout and differences in number formats."""

import re
from functools import lru_cache

from longtrail.text.axtree_text import MARK
from longtrail.text.folding import fold
from longtrail.text.lexicon import DAYS, MONTHS, TENS

_LAYOUT = re.compile(
    r'^\s*(?:(?:row|columns): |heading level=\d+:\s*|(?:heading|image|[a-z]+) (?="))| level=\d(?=:|$)', re.MULTILINE
)
"""What the observation adds to a line of the page."""
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_WORD = re.compile(r"[$€£]|\d+(?:\.\d+)*|[^\W\d]+|\w")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_CENTS = re.compile(r"(?<=\d)\.00(?!\d)")
_DAY = re.compile(rf"\b(?:(twenty|thirty)[- ])?({'|'.join(DAYS)})(?= of (?:{'|'.join(MONTHS)})\b)")
"""A day in words: `fifth of November`."""
_LONG_MONTH = {name: name[:3] for name in MONTHS}
NEGATIONS = frozenset({"not", "no", "never", "without", "none", "neither", "nor", "cannot", "t", "nobody", "nothing"})


@lru_cache(maxsize=32_768)
def words(text: str) -> tuple[str, ...]:
    """The words of a text: folded, without punctuation; months as three letters, their days as numbers, numbers without
    commas and `.00`."""
    folded = _CENTS.sub("", _ORDINAL.sub("", _THOUSANDS.sub("", _DAY.sub(_day, fold(text)))))
    return tuple(_LONG_MONTH.get(word, word.lstrip("0") or "0") for word in _WORD.findall(folded))


def _day(found: re.Match[str]) -> str:
    return str(TENS.get(found[1] or "", 0) + DAYS[found[2]])


def joined(text: str) -> str:
    """The words with single spaces, also at both ends: ` x a b y ` contains ` a b `."""
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=4_096)
def page_lines(text: str) -> tuple[str, ...]:
    """The lines of a page as delivered, without the observation's marks of layout."""
    bare = _LAYOUT.sub("", MARK.sub("", text))
    return tuple(line.strip() for line in bare.split("\n") if line.strip())


@lru_cache(maxsize=4_096)
def page_joined(text: str) -> str:
    """All words of a page, one after the other."""
    return f" {' '.join(word for line in page_lines(text) for word in words(line))} "
