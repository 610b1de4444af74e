"""Words: how texts are folded, cut into words and compared in searches, and how addresses are made of names."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"[a-z0-9]+")
_SPECIAL = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ł": "l", "đ": "d", "’": "'"})


@lru_cache(maxsize=65_536)
def fold(text: str) -> str:
    """Lower case, without accents, single spaces."""
    plain = unicodedata.normalize("NFKD", text.lower().translate(_SPECIAL))
    return " ".join("".join(char for char in plain if not unicodedata.combining(char)).split())


def slug(text: str) -> str:
    """A name as it stands in an address: `GULLBERGSÖ cushion` -> `gullbergso-cushion`."""
    return "-".join(_WORD.findall(fold(text).replace("'", "")))


def words(text: str) -> list[str]:
    """The folded words of a text; an apostrophe does not part a word."""
    return _WORD.findall(fold(text).replace("'", ""))


def relevance(query: Iterable[str], title: str, rest: str) -> float:
    """How well a text answers the words of a query: 0 if one begins no word of title and rest."""
    in_title, in_rest = words(title), words(rest)
    score = 0.0
    for word in query:
        best = max(
            (4.0 if other == word else 2.0 for other in in_title if other.startswith(word)),
            default=max((1.0 if other == word else 0.5 for other in in_rest if other.startswith(word)), default=0.0),
        )
        if not best:
            return 0.0
        score += best
    return score / (1 + 0.02 * len(in_title))
