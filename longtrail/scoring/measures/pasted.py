"""Pasted: what an agent copies back from pages by the yard is no statement of its own (a quotation is)."""

import re
from collections.abc import Iterable, Sequence

RUN = 8
"""Words in a row that stand on a page in the same order are copied from there."""
QUOTED = 250
"""So many copied words are quotations. Where there are more in one statement, it is a paste."""
_WORD = re.compile(r"\w+")


def grams(texts: Iterable[str]) -> set[tuple[str, ...]]:
    """Every run of `RUN` words in texts, folded."""
    found: set[tuple[str, ...]] = set()
    for text in texts:
        words = [word.casefold() for word in _WORD.findall(text)]
        found.update(_runs(words))
    return found


def _runs(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def long(text: str) -> bool:
    """Whether a statement has room for more than quotations."""
    return len(_WORD.findall(text)) > QUOTED


def own_words(text: str, seen: set[tuple[str, ...]]) -> str:
    """A statement without what is pasted in it; unchanged where it quotes at most `QUOTED` words of what was seen.

    What is cut out leaves a line break, so that the words around it don't become one passage.
    """
    words = list(_WORD.finditer(text))
    copied = [False] * len(words)
    for start, run in enumerate(_runs([word[0].casefold() for word in words])):
        if run in seen:
            copied[start : start + RUN] = [True] * RUN
    if sum(copied) <= QUOTED:
        return text
    kept, end = [], 0
    for word, is_copied in zip(words, copied, strict=True):
        kept.append("\n" if is_copied else text[end : word.end()])
        end = word.end()
    return "".join([*kept, text[end:]])
