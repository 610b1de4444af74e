"""Conformance pages: small pages, one behaviour each, with the lines that an agent must see and what an action must do.

An entry of the YAML files here has `name`, `html` (the body) and `lines` (the whole observation, ids as `[n]`). It may
have `pages` (further documents by path; `//other/` is another origin, `//here/` the same one), `hides` (words that
nobody sees), `act` (`click WORDS`, `fill WORDS = TEXT`, `select WORDS = OPTION`) with `then` (words that the page shows
afterwards), `missing` (why Longtrail does not show it), and `shows` (what any tool must show; otherwise the names,
values and texts of the lines).
"""

import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from tests.serving import serving

FOLDER = Path(__file__).parent
HEAD = "<!doctype html><html lang=en><meta charset=utf-8><title>Page</title>"
_ID = re.compile(r"\[\d+\]")
_QUOTED = re.compile(r'"([^"]*)"')
_MARKER = re.compile(r"^ *(row: |columns: |- |\w+\. )?")


@dataclass(frozen=True)
class Action:
    """What to do with the element in whose line the words stand."""

    kind: str
    words: str
    text: str

    @classmethod
    def of(cls, text: str) -> "Action":
        kind, _, rest = text.partition(" ")
        words, _, value = rest.partition(" = ")
        return cls(kind, words, value)


@dataclass(frozen=True)
class ConformancePage:
    """One entry."""

    topic: str
    name: str
    html: str
    lines: str
    shows: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
    action: Action | None = None
    then: tuple[str, ...] = ()
    pages: Mapping[str, str] = field(default_factory=dict)
    missing: str = ""
    """Why Longtrail does not show this yet."""

    @property
    def words(self) -> tuple[str, ...]:
        """What any tool must show of this page."""
        return self.shows or tuple(word for line in self.lines.splitlines() for word in _words(line))


def _words(line: str) -> list[str]:
    """The quoted names and values of a line; if it has none, its text."""
    if '"' in line:
        return [text for text in _QUOTED.findall(line) if text]
    return _MARKER.sub("", line).strip().split(" | ")


def conformance_pages() -> list[ConformancePage]:
    """All entries, by topic."""
    return [
        ConformancePage(
            topic=path.stem,
            name=entry["name"],
            html=entry["html"],
            lines=entry["lines"].strip(),
            shows=tuple(map(str, entry.get("shows", ()))),
            hides=tuple(entry.get("hides", ())),
            action=Action.of(entry["act"]) if "act" in entry else None,
            then=tuple(map(str, entry.get("then", ()))),
            pages=entry.get("pages", {}),
            missing=entry.get("missing", ""),
        )
        for path in sorted(FOLDER.glob("*.yaml"))
        for entry in yaml.safe_load(path.read_text("utf-8"))
    ]


def without_ids(text: str) -> str:
    """An observation with `[n]` for each id."""
    return _ID.sub("[n]", text)


class ConformanceSite:
    """Serves the pages under `/NUMBER/`, at two origins."""

    def __init__(self, pages: list[ConformancePage]) -> None:
        self._pages, self._open = pages, ExitStack()
        app = Starlette(routes=[Route("/{path:path}", self._answer)])
        self.hosts = [self._open.enter_context(serving(app)).removeprefix("http://") for _ in range(2)]

    def address(self, number: int) -> str:
        """The address of a page, by its position in the list."""
        return f"http://{self.hosts[0]}/{number}/"

    async def _answer(self, request: Request) -> HTMLResponse:
        path = f"{request.path_params['path']}{'?' if request.url.query else ''}"
        return HTMLResponse(self._document(path, request.headers["host"]))

    def _document(self, path: str, host: str) -> str:
        number, name, *_ = f"{path}//".split("/")
        if not number.isdecimal():
            return ""
        page = self._pages[int(number)]
        html = page.pages.get(name, "") if name else page.html
        other = next(each for each in self.hosts if each != host)
        return HEAD + html.replace("//other/", f"//{other}/{number}/").replace("//here/", f"//{host}/{number}/")

    def close(self) -> None:
        """End both servers."""
        self._open.close()
