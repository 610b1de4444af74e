"""Watched: a page opened from its file, with a record of everything that a report must never do; its violations of
accessibility rules, and its words."""

import html
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

OWN = ("/shots/", "/data/", "/steps/")
"""Parts of the addresses of a page's own files."""
FOREIGN = (
    "script[src]:not([src*='data/'], [src*='/steps/']), iframe, object, embed, base, form, link:not([rel=icon]), "
    "meta[http-equiv=refresh], audio, video"
)


class Watched:
    """An open page and its forbidden actions: dialogs, requests beyond its own files, failing scripts, new windows."""

    def __init__(self, page: Page, path: Path, fragment: str = "") -> None:
        self.page = page
        self.misdeeds: list[str] = []
        page.on("dialog", lambda dialog: (self.misdeeds.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: self.misdeeds.append(f"console {message.text}"))
        page.on("pageerror", lambda error: self.misdeeds.append(f"error {error}"))
        page.on("popup", lambda popup: self.misdeeds.append(f"popup {popup.url}"))
        page.on("requestfinished", lambda request: self._request(request.url, ""))
        page.on("requestfailed", lambda request: self._request(request.url, request.failure or ""))
        self._own = path.resolve().as_uri()
        page.goto(self._own + fragment)
        page.wait_for_load_state("load")

    def _request(self, url: str, failure: str) -> None:
        mine = url.partition("#")[0] == self._own or url.startswith("data:") or any(part in url for part in OWN)
        if not mine:
            self.misdeeds.append(f"refused {url}" if failure == "csp" else f"request {url} {failure}")

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))

    @property
    def ran(self) -> bool:
        """Whether a payload's script ran."""
        return bool(self.page.evaluate("'ran' in window"))

    def foreign_elements(self) -> list[str]:
        """Elements and attributes that no template of ours writes, and links with other protocols."""
        found: list[str] = self.page.evaluate(
            """(foreign) => {
              const all = [...document.querySelectorAll("*")], links = [...document.links];
              const active = all.filter((e) => [...e.attributes].some((a) => a.name.startsWith("on")));
              const strange = links.filter((a) => !/^(https?:|file:)/.test(a.href));
              const open = links.filter((a) => /^https?:/.test(a.href) && !a.rel.includes("noopener"));
              return [...document.querySelectorAll(foreign), ...active, ...strange, ...open].map((e) => e.outerHTML);
            }""",
            FOREIGN,
        )
        return found


Watch = Callable[..., Watched]
"""Opens a page: the fixture `watch`."""


@cache
def _axe() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, **options: Any) -> list[str]:
    """One line for each rule that axe-core finds violated, with the first element that violates it."""
    page.evaluate(_axe())
    found = page.evaluate("(options) => axe.run(options)", {"resultTypes": ["violations"], **options})["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]


def words(page: str) -> str:
    """What a page says and not how it looks: a line for each row or paragraph, without published numbers."""
    body = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", "", page.partition("<body")[2].partition(">")[2])
    body = re.sub(r'(?s)<tbody class="pub.*?</tbody>', "", body)
    pieces = re.split(r"</?(?:tr|p|h\d|section|li|ul|figure|details|summary|table|label|select)\b[^>]*>", body)
    lines = (" ".join(html.unescape(re.sub(r"<[^>]*>", " ", piece)).split()) for piece in pieces)
    return "\n".join(line for line in lines if line)
