"""Page trail: which named pages an agent was shown at each step of a decision task, according to what the site
served, and which pictures it had seen whole and large enough to read."""

from collections.abc import Collection, Sequence

from longtrail.checks.hosts import host_of
from longtrail.checks.page_names import page_key
from longtrail.checks.visits import canonical, is_document, witnessed
from longtrail.records.observation import ShownPicture
from longtrail.records.trajectory import Request, Step

LARGE = 0.5
"""Minimum screen pixels per pixel of the picture. In smaller previews, text can't be read."""
WHOLE = 0.9
"""Fraction of the picture that must have been in view, in one screenshot or in several."""
CELLS = 20
"""The number of rows and columns of the grid for counting the visible part."""


def trail(steps: Sequence[Step]) -> tuple[frozenset[str], ...]:
    """For each step the page keys of what its observation showed: the document and the tabs and images loaded in it.

    The first document is where the harness put the browser; its host is the site's. Any later one must have been
    served and committed (see `visits`); pages of other hosts have no key.
    """
    if not steps:
        return ()
    host = host_of(steps[0].observation.url)
    document, parts = _key(steps[0].observation.url, host), frozenset[str]()
    on_site = True
    found: list[frozenset[str]] = []
    for step, visits in zip(steps, witnessed(steps), strict=True):
        found.append(parts | ({document} if document else frozenset()))
        requests: Sequence[Request] = step.requests
        if visits:
            document, parts = _key(visits[-1], host), frozenset()
            on_site = host_of(visits[-1]) == host
            requests = requests[_position(requests, visits[-1]) :]
        if on_site:  # pages of other sites can't show what they load from this one
            parts |= {key for request in requests if (key := _part(request, host))}
    return tuple(found)


def _key(url: str, host: str) -> str | None:
    return page_key(url) if host_of(url) == host else None


def _position(requests: Sequence[Request], url: str) -> int:
    """The index of the first request of a document."""
    wanted = canonical(url)
    places = [i for i, request in enumerate(requests) if is_document(request) and canonical(request.url) == wanted]
    return places[-1] if places else 0


def _part(request: Request, host: str) -> str | None:
    """The key of a tab or an image that was loaded into the document."""
    if request.status != 200 or request.purpose or request.method not in ("GET", "POST"):
        return None
    key = _key(request.url, host)
    wanted = "image" if key and key.startswith("image:") else "empty"
    return key if request.dest == wanted else None  # a page that was requested as an image is not displayed


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
