"""Links: what the pages of a folder link to, read from their files, and which links are dead."""

from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The addresses and the ids of one file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: dict[str, None] = {}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect ids and addresses."""
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in ("href", "src", "poster", "data-src") and value:
                self.links[value] = None


@cache
def page(path: Path) -> Page:
    """A page, read only once: it must not change any more."""
    return Page(path)


def missing(at: Path, links: Iterable[str]) -> list[str]:
    """Those links of the page `at` that lead to no file, or to an id that the file does not have."""
    return [f"{at.name}: {link}" for link in links if not _leads(at, link)]


def _leads(at: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme:  # another site, or data in the address itself
        return parts.scheme in ("https", "data")
    target = (at.parent / unquote(parts.path)).resolve() if parts.path else at.resolve()
    if not target.is_file():
        return False
    named = parts.fragment and "=" not in parts.fragment and target.suffix == ".html"
    return not named or unquote(parts.fragment) in page(target).ids


def reached(start: Path, within: Path) -> list[Path]:
    """The pages that links lead to from `start`, itself first."""
    found, waiting = [start.resolve()], [start.resolve()]
    while waiting:
        at = waiting.pop(0)
        for link in page(at).links:
            parts = urlsplit(link)
            target = (at.parent / unquote(parts.path)).resolve()
            fresh = not parts.scheme and parts.path and target not in found
            if fresh and target.suffix == ".html" and target.is_file() and within.resolve() in target.parents:
                found.append(target)
                waiting.append(target)
    return found
