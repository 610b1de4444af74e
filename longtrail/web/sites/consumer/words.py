"""Words: folds texts, splits them into words, and makes addresses from names."""

import re
import unicodedata
from functools import lru_cache

_WORD = re.compile(r"[a-z0-9]+")
_SPECIAL = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "’": "'"})


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Lower case, without accents, single spaces."""
    if text.isascii():  # most are; an index folds millions of letters
        return " ".join(text.lower().split())
    plain = unicodedata.normalize("NFKD", text.lower().translate(_SPECIAL))
    return " ".join("".join(char for char in plain if not unicodedata.combining(char)).split())


def slug(text: str) -> str:
    """A name in the form of addresses: `GULLBERGSÖ cushion` -> `gullbergso-cushion`."""
    return "-".join(_WORD.findall(fold(text).replace("'", "")))


def words(text: str) -> list[str]:
    """The folded words of a text; an apostrophe does not split a word."""
    return _WORD.findall(fold(text).replace("'", ""))
