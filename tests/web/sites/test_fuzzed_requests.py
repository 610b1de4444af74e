"""Whatever is sent to a site, it answers: no request makes one raise, in any of its states."""

import asyncio
import random
from collections.abc import Sequence

import httpx
import pytest

from longtrail.web.registry import all_sites
from longtrail.web.site import Edition, Site
from longtrail.web.sites.forum import visit as forum
from longtrail.web.sites.shopadmin import visit as shop
from longtrail.web.world import Templates, World
from tests.web.sites.request_fuzzer import Offer, RequestFuzzer, SiteClient

COOKIES = f"{shop.COOKIE}={shop.SESSION}; {forum.COOKIE}={forum.SESSION}"
STARTS = {"shopadmin": "admin/", "search": "search?q=shoes"}
STATES: tuple[tuple[str, Edition, int | None], ...] = (
    *(("shopadmin", "usual", None), ("shopadmin", "hard", None), ("forum", "usual", None), ("forum", "hard", None)),
    *(("consumer", "usual", None), ("consumer", "usual", 7), ("search", "usual", None)),
)


@pytest.fixture(scope="module")
def sites() -> tuple[Site, ...]:
    return all_sites()


def client_of(sites: Sequence[Site], name: str, edition: Edition) -> SiteClient:
    world = World("fuzzed", Templates(sites))
    world.edition = edition
    return SiteClient(next(site for site in sites if site.name == name), world)


async def fuzz(client: SiteClient, requests: int, pages: int, seed: int) -> None:
    """Crawl every host of the site, then send the requests."""
    offers: list[Offer] = []
    for host in client.site.hosts:
        start = f"https://{host}/{STARTS.get(client.site.name, '')}"
        offers += await client.crawl(start, -(-pages // len(client.site.hosts)), random.Random(seed))
    for request in RequestFuzzer(offers, seed, COOKIES).requests(requests):
        try:
            response = await client.send(request)
        except Exception as error:
            raise AssertionError(f"{request.method} {str(request.url)[:500]} {request.headers}") from error
        assert response.status_code < 500, request


@pytest.mark.parametrize(("name", "edition", "disruptions"), STATES)
def test_no_request_makes_a_site_raise(
    sites: tuple[Site, ...], name: str, edition: Edition, disruptions: int | None
) -> None:
    those = sites if disruptions is None else all_sites(disruptions)
    asyncio.run(fuzz(client_of(those, name, edition), requests=250, pages=60, seed=1))


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("name", "edition", "disruptions"), STATES)
def test_no_request_of_many_makes_a_site_raise(
    sites: tuple[Site, ...], name: str, edition: Edition, disruptions: int | None, seed: int
) -> None:
    those = sites if disruptions is None else all_sites(disruptions)
    asyncio.run(fuzz(client_of(those, name, edition), requests=1_500, pages=200, seed=seed))


@pytest.mark.parametrize(
    ("site", "address"),
    [
        ("shopadmin", "https://shopadmin.test/admin/sales/order/index/?filters[created_at][from]=2026/03/%C2%B2"),
        ("forum", "https://forum.test/f/programming?next[rank]=--5&next[id]=1"),
        ("forum", f"https://forum.test/f/programming/{'9' * 40}"),
        ("forum", f"https://forum.test/user/larkspur/activity/{'9' * 40}"),
        ("consumer", f"https://www.ikea.com/us/en/?submitted={'9' * 23}"),
        ("consumer", "https://koa.com/holiday/?page=nan"),
        ("consumer", "https://www.ikea.com/us/en/?" + "a=b&" * 300),
        ("search", "https://duckduckgo.com/?" + "a=b&" * 60 + "q=shoes"),
        ("search", f"https://www.google.com/search?q=shoes&start={'9' * 5000}"),
    ],
)
def test_addresses_that_made_a_site_raise(sites: tuple[Site, ...], site: str, address: str) -> None:
    response = asyncio.run(client_of(sites, site, "usual").send(httpx.Request("GET", address)))
    assert response.status_code < 500
