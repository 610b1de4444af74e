"""Words: folds texts, splits them into words, makes addresses from names, and knows other names of things
(`data/text/search_words.yaml`)."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from longtrail.paths import DATA
from longtrail.yaml_file import read_yaml

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


@cache
def _called() -> dict[str, tuple[str, ...]]:
    read: dict[str, list[str]] = read_yaml(DATA / "text" / "search_words.yaml")
    return {" ".join(words(typed)): tuple(" ".join(words(name)) for name in names) for typed, names in read.items()}


def called(typed: str) -> tuple[str, ...]:
    """What sites call it, in one or more words; empty if they call it so."""
    return _called().get(typed) or _called().get(typed.removesuffix("s"), ())


def expressions(words_typed: Sequence[str]) -> list[str]:
    """The words of a query; two that have a name of their own together (`sci fi`) are one."""
    phrases: list[str] = []
    for word in words_typed:
        if phrases and called(f"{phrases[-1]} {word}"):
            phrases[-1] = f"{phrases[-1]} {word}"
        else:
            phrases.append(word)
    return phrases
