"""Visits: which pages were really opened. Two sources must agree: the site served it, and the browser committed it."""

from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote, urlsplit

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
