"""Shop: requests to the back office of one world, in process, and its pages as lines of text."""

import asyncio
from typing import Any

import httpx

from longtrail.authoring.validity import crawl
from longtrail.web.sites.shopadmin.back_office import make
from longtrail.web.sites.shopadmin.visit import FORM_KEY
from longtrail.web.world import Templates, World, in_world
from tests.effort import Effort, counted

SITE = make()
TEMPLATES = Templates([SITE])
HOST = "https://shopadmin.test"


class Shop:
    """A visitor of one world. `get` and `post` don't follow redirects."""

    def __init__(self, name: str = "shop") -> None:
        self.world = World(name, TEMPLATES)
        self.loop = asyncio.new_event_loop()
        transport = httpx.ASGITransport(in_world(SITE.app, self.world))
        self.client = httpx.AsyncClient(transport=transport, base_url=HOST)

    def get(self, path: str) -> httpx.Response:
        return self.loop.run_until_complete(self.client.get(path))

    def fetch(self, path: str) -> tuple[int, str, str]:
        """Status, redirect target and text of a page, without the client's overhead."""
        return self.loop.run_until_complete(crawl.fetch(in_world(SITE.app, self.world), SITE.hosts[0], path))

    def effort(self, path: str) -> Effort:
        """The database work of a page."""
        with counted(self.world.db("shopadmin")) as effort:
            assert self.fetch(path)[0] == 200, path
        return effort

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Post a form with its key; `form_key=` gives another one."""
        data = {"form_key": FORM_KEY, **{name.replace("__", "]["): value for name, value in fields.items()}}
        return self.loop.run_until_complete(self.client.post(path, data=data))

    def send(self, path: str, fields: dict[str, str]) -> httpx.Response:
        """Post a form with its key, by its fields' exact names; returns the page that it leads to."""
        answer = self.loop.run_until_complete(self.client.post(path, data={"form_key": FORM_KEY, **fields}))
        return self.get(answer.headers["location"]) if answer.is_redirect else answer

    def order(self, number: int) -> dict[str, Any]:
        row = self.world.db("shopadmin").execute("SELECT * FROM sales_order WHERE entity_id = ?", (number,)).fetchone()
        return dict(row)

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        return [dict(row) for row in self.world.db("shopadmin").execute(sql, values)]

    def close(self) -> None:
        self.loop.run_until_complete(self.client.aclose())
        self.loop.close()
        self.world.close()


def read(page: str) -> tuple[str, list[str]]:
    """A page's text, one line per block, and the addresses of its links."""
    lines, links = crawl.read(page)
    return "\n".join(lines), links
