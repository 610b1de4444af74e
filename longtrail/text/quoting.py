"""Quoting: does a passage contain quoted words? Case, punctuation, quotation marks and layout don't matter."""

import re
from functools import lru_cache

from longtrail.text.folding import fold

_WORD = re.compile(r"\w+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_GAP = re.compile(r"\[?(?:\.{3,}|\u2026)\]?|\[[^\]]{0,40}\]|[|\n]")
"""Where something was left out or added in a quotation, or where a cell or line of the page ends."""
_MARKUP = re.compile(r"\[\d{1,7}\](?: [a-z]+(?= [\"“]))?|^\s*(?:row|columns): |\blevel=\d")
"""What the observation puts around a page's words, quoted with them."""


@lru_cache(maxsize=32_768)
def plain(text: str) -> str:
    """The folded words of a text, each between single spaces: ` a b ` is in ` x a b y `."""
    return f" {' '.join(_WORD.findall(_THOUSANDS.sub('', fold(text))))} "


def word_count(text: str) -> int:
    """The number of words."""
    return len(plain(text).split())


@lru_cache(maxsize=4_096)
def pieces(quote: str) -> tuple[str, ...]:
    """The parts of a quotation between the places where something was left out, as plain words."""
    return tuple(words for part in _GAP.split(_MARKUP.sub(" ", quote)) if (words := plain(part)).strip())


def contains(passage: str, quote: str) -> bool:
    """Whether a passage has all parts of a quotation, in this order."""
    parts, words, start = pieces(quote), plain(passage), 0
    for part in parts:
        at = words.find(part, start)
        if at < 0:
            return False
        start = at + len(part) - 1
    return bool(parts)
