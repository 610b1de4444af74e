"""Search words: what people type and what sites call it (data/text/search_words.yaml)."""

from collections.abc import Sequence
from functools import cache

from longtrail.paths import DATA
from longtrail.web.sites.consumer.words import words
from longtrail.yaml_file import read_yaml


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
