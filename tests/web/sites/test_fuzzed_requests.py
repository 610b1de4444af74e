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
from tests.web.proxy.test_exchange import MACHINERY
from tests.web.sites.request_fuzzer import RequestFuzzer, SiteClient

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
    """Crawl every host of the site, then send the requests; all at once, as disrupted pages come late."""
    name, hosts = client.site.name, client.site.hosts
    starts = [f"https://{host}/{STARTS.get(name, '')}" for host in hosts]
    crawls = [client.crawl(start, -(-pages // len(hosts)), random.Random(seed)) for start in starts]
    offers = [offer for found in await asyncio.gather(*crawls) for offer in found]

    async def send(request: httpx.Request) -> None:
        try:
            response = await client.send(request)
        except Exception as error:
            raise AssertionError(f"{request.method} {str(request.url)[:500]} {request.headers}") from error
        assert response.status_code < 500, request

    await asyncio.gather(*map(send, RequestFuzzer(offers, seed, COOKIES).requests(requests)))


SIZES = [(250, 60, 1), *(pytest.param(1_500, 200, seed, marks=pytest.mark.thorough) for seed in range(4))]
"""Requests, pages that are crawled, and seed."""


@pytest.mark.parametrize(("requests", "pages", "seed"), SIZES)
@pytest.mark.parametrize(("name", "edition", "disruptions"), STATES)
def test_no_request_makes_a_site_raise(
    sites: tuple[Site, ...], name: str, edition: Edition, disruptions: int | None, requests: int, pages: int, seed: int
) -> None:
    those = sites if disruptions is None else all_sites(disruptions)
    asyncio.run(fuzz(client_of(those, name, edition), requests, pages, seed))


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


@pytest.mark.parametrize("host", ["shopadmin.test", "forum.test", "www.ikea.com", "www.google.com"])
def test_there_is_no_machinery_behind_a_site(sites: tuple[Site, ...], host: str) -> None:
    client = client_of(sites, next(site.name for site in sites if host in site.hosts), "usual")
    requests = [httpx.Request("GET", f"https://{host}/{path}") for path in MACHINERY.split()]
    found = {request.url.path: asyncio.run(client.send(request)).status_code for request in requests}
    assert {path: status for path, status in found.items() if status != 404} == {}
