"""Quotations: where quoted words are. Ellipses, marks, case, labels and the layout of tables don't count."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from longtrail.scoring.grounding.ledger import Reading
from longtrail.scoring.grounding.page_text import NEGATIONS, joined, words
from longtrail.text.folding import fold

_GAP = re.compile(r"\[[^\[\]]*\]|\(\.{2,}\)|\.{2,}|…")
"""Something was left out or added in the quotation: `...`, `[...]`, `[her]`."""
_MARKUP = re.compile(
    r"\[\d{1,7}\](?: [a-z]+(?= [\"“]))?|\b(?:row|columns):\s|\bheading (?=[\"“])|\bheading level=\d+:?", re.IGNORECASE
)
"""What the observation puts around a page's words, quoted with them."""
_SEAM = re.compile(r"\s[|/]\s|[;\n•·]|\s[-–—]+\s|(?<=[.!?:,])\s+")
"""Boundaries between lines, cells and sentences that were quoted as one."""
_CAPITAL = re.compile(r"(?<![a-z0-9)][.!?:]\s)(?<!^)(?<![\"'“‘(])\b[A-Z][\w']*")
_NEAR = 0.8
_FEWEST = 5
"""Minimum words of a quotation that may match a line with a mistake in it."""


def stands(quote: str, readings: Sequence[Reading]) -> Reading | None:
    """The first reading that contains a quotation; if parts were left out, one page must contain all parts."""
    quote = _MARKUP.sub("", quote)
    for reading in readings:
        if _stands_on(quote, (reading,)):
            return reading
    return readings[0] if len(readings) > 1 and _stands_on(quote, tuple(readings)) else None


def _stands_on(quote: str, readings: tuple[Reading, ...]) -> bool:
    if _contiguous(quote, readings):
        return True
    parts = [part for part in _GAP.split(quote) if words(part)]
    if not parts:
        return False
    return all(_part_stands(part, readings) for part in parts)


def _contiguous(text: str, readings: Sequence[Reading]) -> bool:
    wanted = joined(text)
    return any(wanted in reading.joined for reading in readings)


def _part_stands(part: str, readings: tuple[Reading, ...]) -> bool:
    """Whether a part is there verbatim, in one row of a table, or sentence by sentence, cell by cell."""
    if _contiguous(part, readings) or _in_row(part, readings):
        return True
    plain = _without_currency(joined(part))
    if any(plain in _without_currency(reading.joined) for reading in readings):
        return True
    pieces = [piece for piece in _SEAM.split(part) if words(piece)]
    if len(pieces) < 2:
        return False
    short = sum(len(words(piece)) < 3 for piece in pieces)
    if short > 1 and not any("|" in line for reading in readings for line in reading.lines):
        pieces = [piece for piece in re.split(r"(?<=[.!?;])\s+|\n|\s[|/]\s", part) if words(piece)]
    return all(_contiguous(piece, readings) or _in_row(piece, readings) for piece in pieces)


def _without_currency(delivered: str) -> str:
    return delivered.replace("$ ", "").replace("€ ", "").replace("£ ", "")


def _in_row(text: str, readings: tuple[Reading, ...]) -> bool:
    """Whether a row of a table contains all these words in this order, possibly with other cells and labels between
    them."""
    wanted = words(text)
    if len(wanted) < 2:
        return False
    first = wanted[0]
    for reading in readings:
        for line in reading.lines:
            if "|" in line and first in (there := words(line)):
                rest = iter(there)
                if all(word in rest for word in wanted):
                    return True
    return False


def clipped(quote: str, most: int) -> str:
    """The characters of a quotation that count, without a truncated last word."""
    return quote if len(quote) <= most else quote[:most].rsplit(None, 1)[0]


def nearly(quote: str, readings: Sequence[Reading]) -> str:
    """The line that a quotation repeats with a mistake: another small word, a spelling mistake, a missing word. Empty
    if there is none, or if a figure, a name or a denial differs.
    """
    wanted = words(_GAP.sub(" ", quote))
    if len(wanted) < _FEWEST:
        return ""
    kept = {word for name in _CAPITAL.findall(quote) for word in words(name)}
    lines = {line for reading in readings for line in reading.lines}
    some = set(wanted)
    for line in sorted(lines):
        there = words(line)
        if len(some.intersection(there)) >= _NEAR * len(some) and _slip(wanted, there, kept):
            return line
    return ""


def _slip(wanted: tuple[str, ...], there: tuple[str, ...], kept: set[str]) -> bool:
    matcher = SequenceMatcher(None, wanted, there, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    if sum(block.size for block in blocks) < _NEAR * len(wanted):
        return False
    within = there[blocks[0].b : blocks[-1].b + blocks[-1].size]
    same = {index for block in blocks for index in range(block.a, block.a + block.size)}
    strange = [word for index, word in enumerate(wanted) if index not in same]
    weighty = [word for word in strange if word in NEGATIONS or word in kept or word.isdigit() or "_" in word]
    denials = [sum(word in NEGATIONS for word in some) % 2 for some in (wanted, within)]
    return not weighty and not any(word[0].isdigit() for word in strange) and denials[0] == denials[1]


def quoted_in(text: str) -> list[tuple[int, int, str]]:
    """All quotations in a text: start and end including the marks, and the words."""
    found: list[tuple[int, int, str]] = []
    taken = 0
    for match in _MARKED.finditer(text):
        said = next(group for group in match.groups() if group is not None)
        if match.start() >= taken and words(said):
            found.append((match.start(), match.end(), said))
            taken = match.end()
    return found


_MARKED = re.compile(
    r"\"([^\"\n]+)\"|“([^“”\n]+)”|«([^«»\n]+)»|‘((?:[^‘’\n]|’(?=\w))+)’|(?<!\w)'(?=\S)((?:[^'\n]|'(?=\w))+)'(?!\w)"
)


def question(quote: str) -> bool:
    """Whether words are a question: `"did you get it?"`."""
    return fold(quote).rstrip().endswith("?")
