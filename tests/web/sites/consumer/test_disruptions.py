"""Disruptions: seeded, added to unchanged pages, and always closable."""

from typing import Any

import pytest

from longtrail.agents.oracle import MANNERS
from longtrail.web.disrupted_site import (
    LAYOUTS,
    SLOWEST,
    DisruptedSite,
    SeededDisruptions,
    disruption_texts,
)
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.sites import Replica
from longtrail.web.world import World
from tests.web.sites.consumer.visitor import SITE, Visitor

SEEDS = range(1, 13)


def disrupted(world: World, seed: int) -> Visitor:
    """A visitor with the disruptions of a seed."""
    return Visitor(world, DisruptedSite(SITE, seed))


def seed_with(wanted: Any) -> int:
    return next(seed for seed in range(1, 200) if wanted(SeededDisruptions(seed)))


def calm(disruptions: SeededDisruptions, host: str) -> bool:
    return not any(disruptions.delay(host, "/", page) for page in range(1, 6))


def test_equal_seeds_bring_equal_disruptions_and_others_other() -> None:
    def drawn(seed: int) -> list[object]:
        one = SeededDisruptions(seed)
        return [(one.cookies(h), one.layout(h), one.ad(h, "/", 1), one.delay(h, "/", 1)) for h in sites.files()]

    assert drawn(5) == drawn(5)
    assert len({repr(drawn(seed)) for seed in SEEDS}) == len(SEEDS)


def test_every_kind_of_disruption_occurs_within_its_bounds() -> None:
    all_disruptions, hosts = [SeededDisruptions(seed) for seed in SEEDS], list(sites.files())
    assert {disruptions.layout(host) for disruptions in all_disruptions for host in hosts} == set(LAYOUTS)
    banners = [disruptions.cookies(host) is not None for disruptions in all_disruptions for host in hosts]
    assert 0.5 < sum(banners) / len(banners) < 0.8
    offers = [
        sum(disruptions.offer(host, n) is not None for n in range(1, 9))
        for disruptions in all_disruptions
        for host in hosts
    ]
    assert set(offers) == {0, 1}
    delays = [disruptions.delay(host, "/", n) for disruptions in all_disruptions for host in hosts for n in range(1, 9)]
    assert all(0 <= delay <= SLOWEST for delay in delays)
    assert 0.1 < sum(delay > 0 for delay in delays) / len(delays) < 0.2
    assert len({all_disruptions[0].ad("www.mbta.com", "/", n).id for n in range(1, 30)}) > 6, "they rotate"


def test_who_plays_the_reference_knows_every_closing_button() -> None:
    notices = (*disruption_texts().cookies, *disruption_texts().offers)
    assert {button for notice in notices for button in notice.buttons} == set(MANNERS)


def test_no_site_has_such_a_button_of_its_own(replica: Replica, world: World) -> None:
    visitor = disrupted(
        world, seed_with(lambda disruptions: not disruptions.cookies(replica.host) and calm(disruptions, replica.host))
    )
    home = visitor.page(f"https://{replica.host}{replica.spec.navigation.home}")
    assert not set(MANNERS) & set(home.buttons)


def test_the_page_is_still_there_and_consent_lasts(world: World) -> None:
    host = "www.mbta.com"
    seed = seed_with(lambda f: f.cookies(host) and not any(f.offer(host, n) for n in range(9)) and calm(f, host))
    visitor = disrupted(world, seed)
    before, plain = visitor.page(f"https://{host}/stops"), Visitor(world).page(f"https://{host}/stops")
    assert all(word in before.words for word in plain.words.split(". ")[:3])
    assert set(plain.links) < set(before.links), "the advertisement is one more"
    banner = SeededDisruptions(seed).cookies(host)
    assert banner
    assert banner.title in before.words
    assert set(banner.buttons) <= set(before.buttons)
    closing = visitor.request("POST", f"https://{host}/.notices/close", data={"back": "/stops?x=1", "consent": "1"})
    assert (closing.status_code, closing.headers["location"]) == (303, "/stops?x=1")
    assert banner.title not in visitor.page(f"https://{host}/stops").words


def test_an_offer_comes_once(world: World) -> None:
    host = "www.imdb.com"
    visitor = disrupted(world, seed_with(lambda f: any(f.offer(host, n) for n in range(5)) and calm(f, host)))
    shown = ['role="dialog" aria-modal' in visitor.get(f"https://{host}/").text for _ in range(6)]
    assert sum(shown) == 1


@pytest.mark.parametrize("back", ["//evil.test/", "https://evil.test/", "/\\evil.test", ""])
def test_closing_leads_to_no_other_host(world: World, back: str) -> None:
    answer = disrupted(world, 1).request("POST", "https://www.mbta.com/.notices/close", data={"back": back})
    assert answer.headers["location"] == "/"


def test_what_is_no_page_passes_untouched(world: World) -> None:
    visitor = disrupted(world, 1)
    assert (
        visitor.get("https://www.mbta.com/no/such/page").text
        == Visitor(world).get("https://www.mbta.com/no/such/page").text
    )
    assert visitor.get("https://www.mbta.com/.notices/nothing").status_code == 404
    ad = disruption_texts().ads[0]
    assert ad.page in visitor.get(f"https://www.mbta.com/.notices/ad/{ad.id}").text
