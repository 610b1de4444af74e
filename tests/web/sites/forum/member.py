"""Member: sends requests as the signed-in moderator, in one world and without a socket, and reads the pages."""

import asyncio
from html.parser import HTMLParser
from typing import Any

import httpx

from longtrail.web.sites.forum.forum_site import ForumSite
from longtrail.web.world import Templates, World, in_world

_BLOCKS = """
p h1 h2 h3 h4 h5 li ul ol div article section td th tr blockquote form nav textarea pre legend option
"""
BLOCKS = frozenset(_BLOCKS.split())
"""Elements that begin a new line."""
SITE = ForumSite()
TEMPLATES = Templates([SITE])


class Page(HTMLParser):
    """A page's visible text in lines, its links, its forms (action and fields), its headings."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.lines: list[str] = [""]
        self.links: list[str] = []
        self.forms: list[tuple[str, dict[str, str]]] = []
        self._hidden = 0
        self._heading = 0
        self.headings: list[str] = []
        self.feed(html)
        self.lines = [" ".join(line.split()) for line in self.lines if line.strip()]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in ("title", "style", "script"):
            self._hidden += 1
        if tag in BLOCKS or tag == "br":
            self.lines.append("")
        if tag == "a":
            self.links.append(given["href"])
        if tag == "h1":
            self._heading += 1
            self.headings.append("")
        if tag == "form":
            self.forms.append((given.get("action", ""), {}))
        if tag in ("input", "textarea", "button", "select") and "name" in given and self.forms:
            self.forms[-1][1][given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("title", "style", "script"):
            self._hidden -= 1
        if tag == "h1":
            self._heading -= 1
        if tag in BLOCKS:
            self.lines.append("")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.lines[-1] += data
        if self._heading:
            self.headings[-1] += data

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Member:
    """Gets and posts in one world; keeps its cookies. Redirects are not followed."""

    def __init__(self, site: ForumSite = SITE, templates: Templates = TEMPLATES) -> None:
        self.world = World("test", templates)
        transport = httpx.ASGITransport(app=in_world(site.app, self.world))
        self._client = httpx.AsyncClient(transport=transport, base_url="https://forum.test")
        self._loop = asyncio.new_event_loop()

    def get(self, path: str) -> httpx.Response:
        return self._loop.run_until_complete(self._client.get(path))

    def page(self, path: str) -> Page:
        """A page that must be there."""
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return Page(answer.text)

    def post(self, path: str, fields: dict[str, str]) -> httpx.Response:
        return self._loop.run_until_complete(self._client.post(path, data=fields))

    def send(self, path: str, action: str, /, **fields: str) -> httpx.Response:
        """Fill in the form of this page whose address ends with `action` (empty: the page's own), and send it.

        A field is named by the last word of its name: `reason` for `forum_ban[reason]`.
        """
        form = next(
            form for form in self.page(path).forms if form[0].endswith(action) and bool(form[0]) == bool(action)
        )
        filled = dict(form[1])
        for name, value in fields.items():
            match = [known for known in filled if known == name or known.endswith(f"[{name}]")]
            assert len(match) == 1, (name, list(filled))
            filled[match[0]] = value
        return self.post(form[0] or path, filled)

    def rows(self, sql: str, *values: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in self.world.db("forum").execute(sql, values)]

    def close(self) -> None:
        self._loop.run_until_complete(self._client.aclose())
        self._loop.close()
        self.world.close()
