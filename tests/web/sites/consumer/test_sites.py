"""Every consumer site: its links work, it has enough pages and items, and one page says what it is."""

import asyncio
import re
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from longtrail.clock import NOW
from longtrail.paths import SITES
from longtrail.web.page_templates import ABOUT_PATH, ABOUT_TITLE, HEADER, notice
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.app import make
from longtrail.web.sites.consumer.page import CartPage
from longtrail.web.sites.consumer.sites import Replica
from longtrail.web.world import World, in_world
from tests.web.sites.client import Page
from tests.web.sites.consumer.visitor import Visitor

MOST_PAGES = 1_500
TELLS = re.compile(r"\b(test|this) replica|evaluating software|not affiliated with\b", re.IGNORECASE)
"""Texts that tell an agent that it is tested. They are on one page only, which a person can find."""
SAYS_MORE = re.compile(
    r"(Page|Remove filter|Apply) |.* home$|(Learn more,|Buy) "
    r"|(National|Major|United|NASCAR|NTT|Soccer)\b.*(League|Association|Series|World Cup)"
)
"""Labels that add to what is seen, as real sites have them: pages, filters, the logo, Apple's two ways on, and the full
names of leagues."""


def crawl(replica: Replica, world: World) -> tuple[dict[str, Page], dict[str, int]]:
    """Follow every internal link from the home page. At most six queries of each path are followed."""
    pages: dict[str, Page] = {}
    broken: dict[str, int] = {}

    async def walk() -> None:
        home = f"https://{replica.host}{replica.spec.navigation.home}"
        todo, seen, queried = [home], {home}, dict[str, int]()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(in_world(make().app, world))) as client:
            while todo and len(seen) < MOST_PAGES:
                url = todo.pop()
                response = await client.get(url)
                if response.status_code != 200:
                    broken[url] = response.status_code
                    continue
                pages[url] = Page(response.text)
                for _, href in pages[url].links:
                    target = urljoin(url, href).partition("#")[0]
                    parts = urlsplit(target)
                    if parts.hostname != replica.host or target in seen:
                        continue
                    if parts.query:
                        queried[parts.path] = queried.get(parts.path, 0) + 1
                        if queried[parts.path] > 6:
                            continue
                    seen.add(target)
                    todo.append(target)

    asyncio.run(walk())
    return pages, broken


@pytest.mark.sampled(12)
def test_every_page(replica: Replica, world: World, subtests: pytest.Subtests) -> None:
    """One test for all checks of a site, so that its pages are requested only once."""
    pages, broken = crawl(replica, world)
    with subtests.test("every internal link resolves"):
        assert broken == {}
    with subtests.test("at least 40 pages can be reached"):
        assert len({urlsplit(url).path for url in pages}) >= 40
    with subtests.test("there are no orphans"):
        assert orphans(replica, pages) == []
    with subtests.test("pages are sound"):
        for url, page in pages.items():
            check(url, page)


def orphans(replica: Replica, pages: dict[str, Page]) -> list[str]:
    """Pages that no link leads to, except those that a form leads to: search results and check-outs."""
    reached = {urlsplit(url).path for url in pages}
    cart = replica.cart
    hidden = {address.path for address in replica.addresses.values() if address.page.kind == "search"}
    if isinstance(cart, CartPage) and cart.checkout:
        hidden.add(cart.checkout.to)
    if replica.spec.navigation.search:
        hidden.add(replica.spec.navigation.search.to)
    hidden |= {
        form.finder.to for page in replica.spec.pages for form in page.blocks if form.kind == "hero" and form.finder
    }
    return sorted({address.path for address in replica.addresses.values()} - reached - hidden)


def check(url: str, page: Page) -> None:
    """Ids are unique, links and buttons have names and are called what they show (a button on a card is `Add to cart`;
    the card tells of what), no template leaves a placeholder, what the site is has its page."""
    assert len(page.ids) == len(set(page.ids)), (url, sorted(one for one in page.ids if page.ids.count(one) > 1))
    assert all(name for name, _ in page.links), (url, page.links)
    assert all(page.buttons), url
    assert "{" not in page.words, url
    assert "\\n" not in page.words, url
    assert "None" not in page.words.split(), url
    assert (ABOUT_TITLE, ABOUT_PATH) in page.links, url
    for label, shown in page.labelled:
        assert not shown or label == shown or SAYS_MORE.match(label), (url, label, shown)
    assert bool(TELLS.search(page.words)) == url.endswith(ABOUT_PATH), url


REPLICAS = [sites.replica(host) for host in sites.files()]


@pytest.mark.parametrize("replica", REPLICAS, ids=lambda replica: replica.host)
def test_a_person_finds_what_the_site_is_and_the_way_home(replica: Replica, visitor: Visitor) -> None:
    about = visitor.get(f"https://{replica.host}{ABOUT_PATH}")
    assert notice(replica.spec.name) in Page(about.text).words
    missing = visitor.get(f"https://{replica.host}/no/such/page")
    assert missing.status_code == 404
    assert replica.spec.navigation.home in Page(missing.text).addresses
    for response in (about, missing):
        assert response.headers[HEADER.decode()] == notice(replica.host)


def test_catalogues_hold_at_least_60_items() -> None:
    items = {r.host: sum(len(shelf.catalogue.items) for shelf in r.shelves.values()) for r in REPLICAS}
    assert {host: count for host, count in items.items() if count < 60} == {}


def test_pages_are_the_same_in_every_world(visitor: Visitor, world: World) -> None:
    homes = [f"https://{replica.host}{replica.spec.navigation.home}" for replica in REPLICAS]
    twin = world.fork("twin")
    assert [home for home in homes if visitor.get(home).content != Visitor(twin).get(home).content] == []
    twin.close()


def test_aliases_redirect(visitor: Visitor) -> None:
    """And the head of a file, which is read first, says what the file says."""
    aliases = {alias: replica.host for replica in REPLICAS for alias in replica.spec.aliases}
    assert sites.aliases() == aliases
    for alias, host in aliases.items():
        response = visitor.get(f"https://{alias}/some/path?x=1")
        assert (response.status_code, response.headers["location"]) == (301, f"https://{host}/some/path?x=1")


def test_a_file_is_named_by_its_host() -> None:
    assert [replica.host for replica in REPLICAS if not (SITES / f"{replica.spec.host}.yaml").is_file()] == []


def test_listings_of_coming_events_are_not_empty() -> None:
    """A page that lists items with dates from `now` on shows at least one, by the frozen clock."""
    for replica in REPLICAS:
        for address in replica.addresses.values():
            items = getattr(address.page, "items", None)
            if items is not None and "now" in str(items.where) and "date" in items.where:
                assert replica.shelves[items.catalogue].select(items, address.item, NOW), (replica.host, address.path)
