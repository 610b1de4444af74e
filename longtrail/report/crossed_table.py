"""Crossed table: decision tasks with long histories on the terminal, one line for each placement and prompt."""

from collections.abc import Sequence

from longtrail.report.figures import NONE, context, percent
from longtrail.report.text import clip, plain
from longtrail.statistics.aggregate import ResultRow
from longtrail.statistics.crossed import LOST_AT, CrossedCell

WIDEST = 34
"""Maximum characters of a contender's name."""
LEGEND = (
    "proven by length of the history; in brackets, where cases that are proven at 0 are lost: c not completed, "
    "i investigation, r reasoning, d decision"
)


def crossed_rows(row: ResultRow, lengths: Sequence[int]) -> list[list[str]]:
    """The lines of one contender: name, placement, prompt, then a cell for each of these lengths."""
    lines: dict[tuple[str, str], dict[int, CrossedCell]] = {}
    for cell in row.crossed:
        lines.setdefault((cell.placement, cell.prompt), {})[cell.length] = cell
    return [
        [clip(plain(row.contender.label), WIDEST), placement.replace("_", " "), prompt]
        + [_cell(cells.get(length)) for length in lengths]
        for (placement, prompt), cells in lines.items()
    ]


def crossed_lengths(rows: Sequence[ResultRow]) -> list[int]:
    """Every length of any line."""
    return sorted({cell.length for row in rows for cell in row.crossed})


def crossed_head(rows: Sequence[ResultRow]) -> list[str]:
    """The headings."""
    return [rows[0].suite.replace("_", " "), "before the noise", "prompt", *map(context, crossed_lengths(rows))]


def _cell(cell: CrossedCell | None) -> str:
    if cell is None:
        return NONE
    lost = " ".join(f"{stage[0]}{cell.lost[stage]}" for stage in LOST_AT if stage in cell.lost)
    return f"{percent(cell.proven)} ({lost})" if lost else percent(cell.proven)
