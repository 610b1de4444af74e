"""Copied: long verbatim copies of pages don't count as the agent's own statements (quotations do)."""

import re
from collections.abc import Iterable, Sequence

from longtrail.text.folding import fold

RUN = 3
"""Number of consecutive words that match a page in order."""
SHARE = 0.6
"""A sentence counts as copied if at least this share of its words is in such runs. Inserted words change little."""
BUDGET = 250
"""Up to this many copied words of one decision count as quotations. With more, no copied sentence counts."""
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")


def grams(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """Every run of `RUN` folded words in texts."""
    found: set[tuple[str, ...]] = set()
    for text in texts:
        found.update(_runs(_words(text)))
    return found


def own_words(texts: Sequence[str], pages: Iterable[str]) -> list[str]:
    """The texts of one decision without the sentences copied from these pages, if all texts together have more than
    `BUDGET` copied words; otherwise unchanged."""
    if sum(len(_words(text)) for text in texts) <= BUDGET:
        return list(texts)
    seen = grams(pages)
    cut = [[(piece, _copied(piece, seen)) for piece in _SENTENCE.findall(text)] for text in texts]
    if sum(count for pieces in cut for _, count in pieces) <= BUDGET:
        return list(texts)
    return ["\n".join(piece for piece, count in pieces if not count) for pieces in cut]


def _copied(sentence: str, seen: set[tuple[str, ...]]) -> int:
    """Number of copied words of a sentence: all of them, or 0."""
    words = _words(sentence)
    if len(words) < RUN + 2:
        return 0
    hit = [False] * len(words)
    for start in range(len(words) - RUN + 1):
        for run, places in _around(words, start):
            if run in seen:
                for place in places:
                    hit[place] = True
    return len(words) if sum(hit) >= SHARE * len(words) else 0


def _around(words: Sequence[str], start: int) -> Iterable[tuple[tuple[str, ...], tuple[int, ...]]]:
    """The run that begins at a word, and the same runs with one word left out."""
    for places in ((0, 1, 2), (0, 1, 3), (0, 2, 3)):
        at = tuple(start + place for place in places)
        if at[-1] < len(words):
            yield tuple(words[place] for place in at), at


def _runs(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))
