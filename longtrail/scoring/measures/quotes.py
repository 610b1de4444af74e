"""Quotes: is a quotation on a page, and from which of the page's sentences does it take its words?"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from longtrail.text.folding import fold
from longtrail.text.sentences import sentences

_WORD = re.compile(r"\w+")
_LEFT_OUT = re.compile(r"\[?(?:\.{3,}|\u2026)\]?|\[[^\]]{0,40}\]|\n")
"""Where something was left out of a quotation or added in brackets, or where a line of the page ends."""
MOST_LINES = 3
"""Maximum number of whole lines of a page in one quotation."""
_LEAST_OF_LINE = 3
"""Minimum words of a line of a page that counts."""
NEAR = 0.8
"""Minimum share of a quotation's word pairs that must be on the page if the quotation is not verbatim."""


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """The text's folded words, each between spaces, independent of punctuation, case and layout."""
    return f" {' '.join(_WORD.findall(fold(text)))} "


def stands_on(quote: str, page: str) -> bool:
    """Whether a page's text contains every piece of a quotation verbatim, or nearly all of its word pairs."""
    words = plain(page)
    pieces = _pieces(quote)
    if not pieces:
        return False
    return all(piece in words for piece in pieces) or _near(plain(quote).split(), words)


def is_passage(quote: str, page: str) -> bool:
    """Whether a quotation is of one passage: it contains at most MOST_LINES whole lines of the page (a line is a
    block, or a row of a table). Longer quotations are not specific."""
    words = plain(" ".join(quote.split()))
    whole = {line for text in page.split("\n") if (line := plain(text)) in words and line.count(" ") > _LEAST_OF_LINE}
    return len(whole) <= MOST_LINES


def quoted_sentences(quote: str, page: str) -> list[str]:
    """The page's sentences, in order, that contain a piece of the quotation or are contained in one."""
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
