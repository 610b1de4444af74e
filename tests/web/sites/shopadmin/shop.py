"""Shop: requests to the back office of one world, and its pages as lines of text."""

import asyncio
from typing import Any

import httpx

from longtrail.authoring.validity import crawl
from longtrail.web.sites.shopadmin.back_office import make
from longtrail.web.sites.shopadmin.visit import FORM_KEY
from longtrail.web.world import Templates, World, in_world
from tests.web.sites.client import SiteClient

SITE = make()
TEMPLATES = Templates([SITE])


class Shop(SiteClient):
    """A visitor of one world."""

    def __init__(self, name: str = "shop") -> None:
        super().__init__(SITE, World(name, TEMPLATES))

    def fetch(self, path: str) -> tuple[int, str, str]:
        """Status, redirect target and text of a page, without the client's overhead."""
        return asyncio.run(crawl.fetch(in_world(SITE.app, self.world), SITE.hosts[0], path))

    def post(self, path: str, **fields: Any) -> httpx.Response:
        """Post a form with its key; `form_key=` gives another one."""
        return self.request("POST", path, data={"form_key": FORM_KEY, **fields})

    def send(self, path: str, fields: dict[str, str]) -> httpx.Response:
        """Post a form with its key; returns the page that it leads to."""
        answer = self.post(path, **fields)
        return self.get(answer.headers["location"]) if answer.is_redirect else answer

    def order(self, number: int) -> dict[str, Any]:
        return self.rows("SELECT * FROM sales_order WHERE entity_id = ?", number)[0]


def read(page: str) -> tuple[str, list[str]]:
    """A page's text, one line per block, and the addresses of its links."""
    lines, links = crawl.read(page)
    return "\n".join(lines), links
