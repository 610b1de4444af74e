"""Lexicon: how people call the pages of a site (data/grounding/sources.yaml), ready for finding mentions of them."""

import re
from functools import cache, lru_cache

from pydantic import TypeAdapter

from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.records.trajectory import Suite
from longtrail.scoring.grounding.words import EMPTY, listed, stem
from longtrail.text.token import Token
from longtrail.yaml_file import read

_REPORTING = listed("naming")
"""Words that say nothing in a sentence, but are parts of pages' names."""


class Named(Record):
    """Some names and the pages that they can mean."""

    says: tuple[str, ...]
    pages: tuple[str, ...]


_FILE: TypeAdapter[dict[Suite, tuple[Named, ...]]] = TypeAdapter(dict[Suite, tuple[Named, ...]])


@cache
def names(suite: Suite) -> dict[tuple[str, ...], tuple[Named, ...]]:
    """Stems of a name in order -> the names of this form as they are written, each with the pages that it can mean."""
    found: dict[tuple[str, ...], tuple[Named, ...]] = {}
    for named in read(_FILE, DATA / "grounding" / "sources.yaml").get(suite, ()):
        for name in named.says:
            words = re.findall(r"[a-z']+", name.lower())
            key = tuple(form for word in words if (form := name_word(word)))
            if len(key) == len(words) or len(key) > 1:
                found[key] = (*found.get(key, ()), Named(says=(name.lower(),), pages=named.pages))
    return found


def pages_called(suite: Suite, form: tuple[str, ...], written: str) -> tuple[str, ...] | None:
    """The pages that a name can mean: of several of one form ("thread page", "submissions page") the one as written."""
    known = names(suite).get(form)
    return next((named.pages for named in known if named.says[0] in written), known[0].pages) if known else None


def names_literally(suite: Suite, written: str) -> bool:
    """Whether a word is a name as it is written, not just of the same stem as one."""
    says = {name.says[0] for known in names(suite).values() for name in known}
    return written in says or written.removesuffix("s") in says


@cache
def longest(suite: Suite) -> int:
    """Words of the longest name."""
    return max(map(len, names(suite)))


@lru_cache(maxsize=8_192)
def name_word(word: str) -> str:
    """A word's form in names; empty for words that may stand between."""
    word = word.removesuffix("'s").replace("'", "")
    bare = word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
    return "" if word in EMPTY and bare not in _REPORTING else stem(bare)


def stems(tokens: tuple[Token, ...]) -> list[tuple[int, str]]:
    """(token position, form) of the words of a line that can be part of a page's name."""
    return [(i, form) for i, t in enumerate(tokens) if t.kind == "word" and (form := name_word(str(t.value)))]
