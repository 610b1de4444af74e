"""A visitor of the replicas."""

from typing import Any

import httpx

from longtrail.web.site import Site
from longtrail.web.sites.consumer.app import make
from longtrail.web.world import World
from tests.web.sites.client import SiteClient

SITE = make()


class Visitor(SiteClient):
    """Sends requests in one world."""

    def __init__(self, world: World, site: Site = SITE) -> None:
        super().__init__(site, world)

    def post(self, url: str, **fields: Any) -> httpx.Response:
        return self.request("POST", url, data=fields)
