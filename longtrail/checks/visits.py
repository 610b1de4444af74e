"""Visits: which pages were really opened, and which an agent was shown. Two sources must agree: the site served it, and
the browser committed it. What the agent itself put on pages and in addresses proves nothing: pages often repeat it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, unquote_plus, urlsplit

from longtrail.checks.hosts import host_of
from longtrail.checks.page_names import page_key
from longtrail.records.action import Goto, entered_texts
from longtrail.records.full_actions import NewTab, Press
from longtrail.records.observation import ShownPicture
from longtrail.records.trajectory import Request, Step


@lru_cache(maxsize=4096)
def canonical(url: str) -> str:
    """An address without fragment, user and default port, with uniform percent-encoding; only for comparison."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return url
    host = (parts.hostname or "").rstrip(".")
    if port and port != {"http": 80, "https": 443}.get(parts.scheme):
        host = f"{host}:{port}"
    return f"{parts.scheme}://{host}{unquote(parts.path) or '/'}?{unquote(parts.query.replace('+', ' '))}"


def is_document(request: Request) -> bool:
    """Whether the site served a main-frame document: a navigation, not a frame or a prefetch."""
    return (
        request.status == 200
        and request.method in ("GET", "POST")
        and request.dest == "document"
        and request.mode == "navigate"
        and not request.purpose
    )


def visits(step: Step) -> tuple[str, ...]:
    """Addresses of the documents that were served and committed in this step, in the browser's order.

    Not visits: a redirect's first hop, `?next=`, a fragment, `pushState`, a frame, an image, a prefetch, an error page.
    """
    served = {canonical(request.url) for request in step.requests if is_document(request)}
    return tuple(url for url in step.outcome.navigations if canonical(url) in served)


def witnessed(steps: Iterable[Step]) -> list[tuple[str, ...]]:
    """The visits of each step. A committed page counts as served if any earlier step served it, because going back may
    show it from the browser's cache."""
    served: set[str] = set()
    found: list[tuple[str, ...]] = []
    for step in steps:
        served |= {canonical(request.url) for request in step.requests if is_document(request)}
        found.append(tuple(url for url in step.outcome.navigations if canonical(url) in served))
    return found


LARGE = 0.5
"""Minimum screen pixels per pixel of the picture. In smaller previews, text can't be read."""
WHOLE = 0.9
"""Fraction of the picture that must have been in view, in one screenshot or in several."""
CELLS = 20
"""The number of rows and columns of the grid for counting the visible part."""


def trail(steps: Sequence[Step]) -> tuple[frozenset[str], ...]:
    """For each step of a decision task the page keys of what its observation showed: the document, and the tabs and
    images loaded in it.

    The first document is where the harness put the browser; its host is the site's. Any later one must have been
    served and committed (see `visits`); pages of other hosts have no key.
    """
    if not steps:
        return ()
    host = host_of(steps[0].observation.url)
    document, parts = _key(steps[0].observation.url, host), frozenset[str]()
    on_site = True
    found: list[frozenset[str]] = []
    for step, opened in zip(steps, witnessed(steps), strict=True):
        found.append(parts | ({document} if document else frozenset()))
        requests: Sequence[Request] = step.requests
        if opened:
            document, parts = _key(opened[-1], host), frozenset()
            on_site = host_of(opened[-1]) == host
            requests = requests[_position(requests, opened[-1]) :]
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


def written_texts(step: Step) -> Iterator[str]:
    """The agent's own input on pages and in addresses: each text, and each value of an address."""
    action = step.action
    texts = [step.outcome.value, *entered_texts(action)]
    if isinstance(action, Goto | NewTab):
        parts = urlsplit(action.url)
        texts += [unquote_plus(part) for part in (parts.fragment, *parts.path.split("/"))]
        texts += [value for _, value in parse_qsl(parts.query)]
    for text in texts:
        yield from text.splitlines()
        yield text


class OwnTexts:
    """All that the agent wrote so far: each text, all texts in a row, and the keys that it pressed one by one."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._keys = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts that pages may repeat."""
        return (*self._texts, " ".join(self._texts), self._keys)

    def add(self, step: Step) -> None:
        """What the agent wrote in a step."""
        for text in written_texts(step):
            if text:
                self._texts += [text, re.sub(r"[-_+./\s]+", " ", text)]  # pages make words of the names in addresses
        if isinstance(step.action, Press) and len(step.action.keys.removeprefix("Shift+")) == 1:
            self._keys += step.action.keys[-1]
        elif isinstance(step.action, Press) and step.action.keys == "Space":
            self._keys += " "
