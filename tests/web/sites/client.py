"""Client: requests to a site in one world, in process and without a socket, and what its pages show."""

import asyncio
from html.parser import HTMLParser
from typing import Any

import httpx

from longtrail.web.site import Site
from longtrail.web.world import Templates, World, in_world
from tests.effort import Effort, counted

_BLOCKS = """
p h1 h2 h3 h4 h5 li ul ol div article section td th tr blockquote form nav textarea pre legend option br
"""
BLOCKS = frozenset(_BLOCKS.split())
"""Elements that begin a new line."""


class Page(HTMLParser):
    """What a page shows."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        """Name and address of each."""
        self.buttons: list[str] = []
        self.ids: list[str] = []
        self.labelled: list[tuple[str, str]] = []
        """Links and buttons with a label of their own: the label, and what they show."""
        self.forms: list[tuple[str, dict[str, str]]] = []
        """Address and fields of each."""
        self.headings: list[str] = []
        self._inside: list[str] = []
        self._open: dict[str, str] | None = None
        self._text: list[str] = []
        self._named_from = 0
        self._lines = [""]
        self.feed(html)
        self.lines = [" ".join(line.split()) for line in self._lines if line.strip()]
        """The texts of its blocks."""
        self.words = " ".join(" ".join(self._text).split())
        """All of its text, the title included."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def addresses(self) -> list[str]:
        """Where its links lead."""
        return [address for _, address in self.links]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag in ("title", "style", "script", "h1"):
            self._inside.append(tag)
        if tag == "h1":
            self.headings.append("")
        if tag in BLOCKS:
            self._lines.append("")
        if tag in ("a", "button"):
            self._open, self._named_from = {"tag": tag, **given}, len(self._text)
        if tag == "form":
            self.forms.append((given.get("action", ""), {}))
        if tag in ("input", "textarea", "button", "select") and "name" in given and self.forms:
            self.forms[-1][1][given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == self._inside[-1]:
            self._inside.pop()
        if tag in BLOCKS:
            self._lines.append("")
        if self._open and tag == self._open["tag"]:
            shown = " ".join(" ".join(self._text[self._named_from :]).split())
            name = self._open.get("aria-label") or shown
            if "aria-label" in self._open:
                self.labelled.append((name, shown))
            if tag == "a":
                self.links.append((name, self._open.get("href", "")))
            else:
                self.buttons.append(name)
            self._open = None

    def handle_data(self, data: str) -> None:
        inside = self._inside[-1] if self._inside else ""
        if inside in ("style", "script"):
            return
        self._text.append(data)
        if inside != "title":
            self._lines[-1] += data
        if inside == "h1":
            self.headings[-1] += data


class SiteClient:
    """A visitor of a site in one world, with cookies. Redirects are not followed."""

    def __init__(self, site: Site, world: World | None = None) -> None:
        self.site, self.world = site, world or World("test", Templates([site]))
        self.cookies = httpx.Cookies()

    def request(self, method: str, url: str, **more: Any) -> httpx.Response:
        """The answer. `url`: a path on the site's first host, or an address on any."""

        async def send() -> httpx.Response:
            transport = httpx.ASGITransport(in_world(self.site.app, self.world))  # type: ignore[arg-type]
            base = f"https://{self.site.hosts[0]}"
            async with httpx.AsyncClient(
                transport=transport, base_url=base, cookies=self.cookies, trust_env=False
            ) as client:
                response = await client.request(method, url, **more)
                self.cookies = client.cookies
                return response

        return asyncio.run(send())

    def get(self, url: str) -> httpx.Response:
        return self.request("GET", url)

    def page(self, url: str) -> Page:
        """A page that must be there."""
        answer = self.get(url)
        assert answer.status_code == 200, (url, answer.status_code, answer.headers.get("location"))
        return Page(answer.text)

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """Rows of the site's database."""
        return [dict(row) for row in self.world.db(self.site.name).execute(sql, values)]

    def effort(self, path: str) -> Effort:
        """The database work of a page."""
        with counted(self.world.db(self.site.name)) as effort:
            assert self.get(path).status_code == 200, path
        return effort

    def close(self) -> None:
        self.world.close()
