"""Quotes: does a quotation stand on a page, and which of the page's sentences does it take its words from?"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from longtrail.text.folding import fold
from longtrail.text.sentences import sentences

_WORD = re.compile(r"\w+")
_LEFT_OUT = re.compile(r"\[?(?:\.{3,}|\u2026)\]?|\[[^\]]{0,40}\]|\n")
"""Where something was left out of a quotation, put into it in brackets, or a line of the page ends."""
MOST_LINES = 3
"""Whole lines of a page that one quotation may hold."""
_LEAST_OF_LINE = 3
"""Words from which on a line of a page counts as one."""
NEAR = 0.8
"""Share of a quotation's word pairs that must stand on the page where it does not stand there word for word."""


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Its words in a row, folded, each with a space around it: what punctuation, case and layout don't change."""
    return f" {' '.join(_WORD.findall(fold(text)))} "


def stands_on(quote: str, page: str) -> bool:
    """Whether every piece of a quotation stands in a page's text, word for word; or nearly all of its word pairs do."""
    words = plain(page)
    pieces = _pieces(quote)
    if not pieces:
        return False
    return all(piece in words for piece in pieces) or _near(plain(quote).split(), words)


def is_passage(quote: str, page: str) -> bool:
    """Whether a quotation is of one passage: it holds at most MOST_LINES whole lines of the page (a line is a block, or
    a row of a table). Longer stretches point at nothing."""
    words = plain(" ".join(quote.split()))
    whole = {line for text in page.split("\n") if (line := plain(text)) in words and line.count(" ") > _LEAST_OF_LINE}
    return len(whole) <= MOST_LINES


def quoted_sentences(quote: str, page: str) -> list[str]:
    """The page's sentences that hold a piece of the quotation, or are held by one, in order."""
    pieces = _pieces(quote)
    found = []
    for sentence in sentences(page):
        words = plain(sentence.text)
        if any(piece in words or (words in piece and len(words) > 12) for piece in pieces):
            found.append(sentence.text)
    return found


@lru_cache(maxsize=1024)
def _pieces(quote: str) -> tuple[str, ...]:
    pieces = [plain(piece) for piece in _LEFT_OUT.split(quote)]
    return tuple(piece for piece in pieces if piece.strip())


def _near(words: Sequence[str], page: str) -> bool:
    pairs = [f" {one} {other} " for one, other in pairwise(words)]
    return len(pairs) >= 4 and sum(pair in page for pair in pairs) >= NEAR * len(pairs)
