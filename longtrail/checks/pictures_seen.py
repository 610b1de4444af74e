"""Pictures seen: the first step by which an agent with screenshots had seen a whole picture, large enough to read."""

from collections.abc import Collection, Sequence

from longtrail.checks.page_names import page_key
from longtrail.records.observation import ShownPicture
from longtrail.records.trajectory import Step

LARGE = 0.5
"""Minimum screen pixels per pixel of the picture. In smaller previews, text can't be read."""
WHOLE = 0.9
"""Fraction of the picture that must have been in view, in one screenshot or in several."""
CELLS = 20
"""The number of rows and columns of the grid for counting the visible part."""


def seen(pictures: Collection[str], steps: Sequence[Step], trail: Sequence[frozenset[str]]) -> int | None:
    """Number of the first step by which one of these pictures (keys as `image:9f2c`) had been looked at, or None.

    Counts what the screenshots showed: the picture drawn, in view, at half its size or more. The site must have
    served it to the page (`trail`): what a page claims about its pictures is not enough.
    """
    wanted = {picture.casefold() for picture in pictures}
    looked: dict[str, set[tuple[int, int]]] = {picture: set() for picture in wanted}
    for step, pages in zip(steps, trail, strict=True):
        for picture in step.observation.pictures:
            key = page_key(picture.url)
            if key in wanted and key in pages and picture.scale >= LARGE:
                looked[key] |= _cells(picture)
                if len(looked[key]) >= WHOLE * CELLS**2:
                    return step.number
    return None


def _cells(picture: ShownPicture) -> set[tuple[int, int]]:
    """The cells of the picture that are fully in view, within a tenth of a cell."""
    columns = _within(picture.left, picture.right)
    return {(column, row) for column in columns for row in _within(picture.top, picture.bottom)}


def _within(start: float, end: float) -> list[int]:
    return [cell for cell in range(CELLS) if cell >= start * CELLS - 0.1 and cell + 1 <= end * CELLS + 0.1]
