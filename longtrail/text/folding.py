"""Folding: texts for comparison, without differences of case, accents, invisible marks, and kinds of quotes, dashes
and spaces; whether a passage contains quoted words."""

import re
import unicodedata
from functools import lru_cache

_LIKE = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u0060\u00b4\u02bc\uff07",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02",
    "-": "\u2010\u2011\u2012\u2013\u2212\u2043\ufe58\ufe63\uff0d",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t",
    "": "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0f\ufeff",
}
_TABLE = {ord(char): like for like, chars in _LIKE.items() for char in chars} | {
    # letters that Unicode does not decompose, and marks whose compatibility form would merge with their neighbour
    **{ord(char): plain for char, plain in zip("øłđıħŧ", "oldiht", strict=True)},
    **{ord(char): plain for char, plain in (("æ", "ae"), ("œ", "oe"), ("þ", "th"), ("ð", "d"))},
    **{ord(char): f" {digit}" for digit, char in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **dict.fromkeys(map(ord, "\u2014\u2015"), " - "),
    ord("\u2192"): "->",
    ord("\u21d2"): "->",
    ord("\u2044"): "/",
}
_ODD = re.compile(r"[^\x20-\x7e\n]")


@lru_cache(maxsize=4096)
def fold_char(char: str) -> str:
    """One folded character: zero (an accent), one or several characters (a ligature)."""
    if (like := _TABLE.get(ord(char))) is not None:
        return like
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", char).casefold())
    return "".join(_TABLE.get(ord(c), c) for c in plain if not unicodedata.combining(c))


def fold(text: str) -> str:
    """The whole text, folded character by character; for ASCII text it is `lower()`. Line breaks and runs of spaces are
    kept."""
    lowered = text.lower()
    return lowered if not _ODD.search(lowered) else "".join(map(fold_char, text))


def squeeze(text: str) -> str:
    """Folded, on one line, with single spaces: for comparing whole names and values."""
    return " ".join(fold(text).split())


@lru_cache(maxsize=1024)
def _glob(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in squeeze(pattern).split("*")), re.DOTALL)


def glob(pattern: str, text: str) -> bool:
    """Whether the whole text matches the pattern, both squeezed; `*` matches any characters."""
    return _glob(pattern).fullmatch(squeeze(text)) is not None


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
