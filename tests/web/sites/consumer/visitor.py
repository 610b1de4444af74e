"""A visitor: HTTP requests to the replicas without a socket, and the content of their pages."""

import asyncio
from collections.abc import Iterable
from html.parser import HTMLParser
from typing import Any

import httpx

from longtrail.web.sites.consumer.app import make
from longtrail.web.world import World, in_world


class Page(HTMLParser):
    """The links, buttons, ids and texts of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.buttons: list[str] = []
        self.ids: list[str] = []
        self.labelled: list[tuple[str, str]] = []
        """Links and buttons with a label of their own: the label, and what they show."""
        self.text: list[str] = []
        self._open: dict[str, str] | None = None
        self._words: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag in ("script", "style"):
            self._silent += 1
        if tag in ("a", "button"):
            self._open, self._words = {"tag": tag, **given}, []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._silent -= 1
        if self._open and tag == self._open["tag"]:
            shown = " ".join(" ".join(self._words).split())
            name = self._open.get("aria-label") or shown
            if "aria-label" in self._open:
                self.labelled.append((name, shown))
            if tag == "a":
                self.links.append((name, self._open.get("href", "")))
            else:
                self.buttons.append(name)
            self._open = None

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.text.append(data)
            self._words.append(data)

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


class Visitor:
    """Sends requests in one world. Redirects are not followed."""

    def __init__(self, world: World) -> None:
        self.world = world

    def all(self, asked: Iterable[tuple[str, str, dict[str, Any]]]) -> list[httpx.Response]:
        async def send() -> list[httpx.Response]:
            transport = httpx.ASGITransport(in_world(make().app, self.world))
            async with httpx.AsyncClient(transport=transport) as client:
                return [await client.request(method, url, **more) for method, url, more in asked]

        return asyncio.run(send())

    def get(self, url: str) -> httpx.Response:
        return self.all([("GET", url, {})])[0]

    def page(self, url: str) -> Page:
        response = self.get(url)
        assert response.status_code == 200, (url, response.status_code, response.headers.get("location"))
        return Page(response.text)

    def post(self, url: str, **fields: Any) -> httpx.Response:
        return self.all([("POST", url, {"data": fields})])[0]
