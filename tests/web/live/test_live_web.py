"""A real site under another name, in a real browser: what is served, what is refused, what is held, what is trouble."""

import asyncio
from typing import Any

import httpcore
import pytest

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.checks.key_steps import UrlStep
from longtrail.episode.agent_loop import check
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Fill, Goto
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Outcome, Step
from longtrail.web.live.forward import LiveSite
from longtrail.web.live.live_web import LiveWeb
from longtrail.web.live.upstream import CheckedBackend, Upstream
from longtrail.web.proxy.exchange import RefusedRequest
from longtrail.web.world import Templates, World
from tests.browser.hands import click, number_of
from tests.web.live.staging import SHOP, Shop

HOME = f"https://{SHOP}"


def acted(world: World, outcome: Outcome, since: int = 0) -> Step:
    """An outcome and its requests as a step of a trajectory."""
    seen = Observation(url=f"{HOME}/", text="")
    requests = world.log.requests[since:]
    return Step(number=1, phase="a1", observation=seen, action=None, outcome=outcome, requests=requests)


def test_a_site_is_served_under_its_name(session: Session, world: World, shop: Shop) -> None:
    view = session.observe()
    assert view.observation.url == f"{HOME}/"
    assert f"You asked {SHOP}." in view.text
    before = len(world.log.requests)
    outcome = click(session, "Offers")
    assert outcome.url == f"{HOME}/offers"
    key = UrlStep(name="offers", host=SHOP, paths=("/offers",))
    assert key.hit_by(acted(world, outcome, before))
    assert shop.asked("/offers") == ["GET"]
    assert not world.log.violations
    assert not world.log.faults


def test_the_clock_runs(session: Session, world: World) -> None:
    assert not world.sealed
    assert session._engine.call(session._async_session._tabs.active.page.evaluate("Date.now()"), 5) != (
        world.now.timestamp() * 1000
    )


def test_looking_by_form_is_sent(session: Session, shop: Shop) -> None:
    session.act(Fill(id=number_of(session, "Words"), text="desk", enter=True))
    assert "for desk" in session.observe().text
    assert shop.asked("/search") == ["POST"]


def test_what_a_form_would_commit_is_held_and_told(session: Session, world: World, shop: Shop) -> None:
    before = len(world.log.requests)
    session.act(Fill(id=number_of(session, "Email"), text="ada@example.org"))
    outcome = click(session, "Keep me posted")
    assert outcome.ok
    assert shop.asked("/newsletter") == []
    assert "Your request was recorded" in session.observe().text
    step = acted(world, outcome, before)
    (held,) = [each for each in step.requests if each.held]
    assert (held.method, held.url, held.status) == ("POST", f"{HOME}/newsletter", 202)
    assert "'newsletter'" in held.held
    assert not UrlStep(name="posted", host=SHOP, paths=("/newsletter",)).hit_by(step)
    assert not world.log.faults


def test_what_a_script_would_commit_is_held_and_answered(session: Session, world: World, shop: Shop) -> None:
    click(session, "Order now")
    assert "/api/place-order 202 {}" in session.observe().text
    assert shop.asked("/api/place-order") == []
    click(session, "Suggest")
    assert '/api/suggest 200 {"from":"site"}' in session.observe().text.replace('\\"', '"')
    assert [each.url for each in world.log.requests if each.held] == [f"{HOME}/api/place-order"]


def test_allowed_commits_are_sent(address: str, shop: Shop, chromium: Browser) -> None:
    with LiveWeb({SHOP: address}, hold=False) as live:
        world = live.open_world("allowed")
        with chromium.session(world, live.proxy(world), url_policy=UrlPolicy(live.reach)) as session:
            session.goto(f"{HOME}/")
            click(session, "Do it")
        assert not any(each.held for each in world.log.requests)
    assert shop.asked("/x/4711")[-1:] == ["POST"]


REDIRECTS = {
    "http://127.0.0.1:{port}/offers": "loopback address",
    "https://127.0.0.1/": "loopback address",
    "https://localhost/": "loopback name",
    "http://169.254.169.254/latest/meta-data/": "private address",
    "https://10.0.0.1/": "private address",
    "https://[::1]/": "loopback address",
    "https://metadata.google.internal/": "unknown host",
    "https://2130706433/": "loopback address",
}
"""Where a page of the site leads, and how the refusal begins."""


def test_redirects_to_this_machine_or_its_network_lead_nowhere(
    session: Session, world: World, shop: Shop, address: str
) -> None:
    for to, why in REDIRECTS.items():
        before = len(world.log.violations)
        session.act(Goto(url=f"{HOME}/out?to={to.format(port=address.rpartition(':')[2])}"))
        assert any(line.startswith(why) for line in world.log.violations[before:]), (to, world.log.violations[before:])
        assert "Staging shop" not in session.observe().text
    assert shop.asked("/offers") == []


def test_typed_addresses_of_this_machine_are_refused(session: Session) -> None:
    for url in ("http://127.0.0.1:8000/", "https://localhost/", "http://[::1]/", "https://10.0.0.1/"):
        outcome = session.act(Goto(url=url))
        assert (outcome.ok, "is not a public host" in outcome.error) == (False, True), url


@pytest.mark.parametrize(
    ("path", "kind", "says"),
    [("/forbidden", "anti_bot", "403"), ("/just", "anti_bot", "blocks robots"), ("/busy", "site_error", "503")],
)
def test_a_site_that_keeps_us_out_is_trouble(session: Session, world: World, path: str, kind: str, says: str) -> None:
    session.act(Goto(url=HOME + path))
    with pytest.raises(HarnessTrouble, match=says) as trouble:
        check(world)
    assert trouble.value.kind == kind


def test_another_site_may_keep_us_out(session: Session, world: World) -> None:
    """An agent that opens another site that blocks it only loses a step."""
    world.home_domains = frozenset({"elsewhere.com"})
    session.act(Goto(url=f"{HOME}/forbidden"))
    check(world)


def test_a_page_that_breaks_off_is_shown_as_such(session: Session, world: World) -> None:
    world.home_domains = frozenset()
    session.act(Goto(url=f"{HOME}/half"))
    assert "could not be reached" in session.observe().text
    session.act(Goto(url=f"{HOME}/contact"))
    assert "Write to us" in session.observe().text
    check(world)


def test_a_site_that_is_down_is_trouble(chromium: Browser) -> None:
    with LiveWeb({SHOP: "http://127.0.0.1:9"}) as live:
        world = live.open_world("down")
        world.home_domains = frozenset({"staging-shop.com"})
        with chromium.session(world, live.proxy(world), url_policy=UrlPolicy(live.reach)) as session:
            session.goto(f"{HOME}/")
            assert "could not be reached" in session.observe().text
        with pytest.raises(HarnessTrouble, match="could not be reached") as trouble:
            check(world)
    assert trouble.value.kind == "site_error"


def test_a_site_that_does_not_answer_is_trouble(address: str, chromium: Browser) -> None:
    with LiveWeb({SHOP: address}, patience=0.5) as live:
        world = live.open_world("slow")
        world.home_domains = frozenset({"staging-shop.com"})
        with chromium.session(world, live.proxy(world), url_policy=UrlPolicy(live.reach)) as session:
            session.act(Goto(url=f"{HOME}/slow"))
            assert "took too long" in session.observe().text
        with pytest.raises(HarnessTrouble, match="took too long") as trouble:
            check(world)
    assert trouble.value.kind == "site_timeout"


def test_a_public_name_that_leads_home_is_refused() -> None:
    """Even without the check of names, the address is checked before a connection, and the refusal is recorded."""
    world = World("rebound", Templates(()))
    scope: dict[str, Any] = {"type": "http", "method": "GET", "server": ("localhost", 443), "raw_path": b"/"}
    scope |= {"query_string": b"", "headers": [(b"host", b"localhost")], "world": world}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        raise AssertionError(message)

    async def ask() -> None:
        upstream = Upstream({})
        try:
            await LiveSite(upstream, hold=True).app(scope, receive, send)
        finally:
            await upstream.close()

    with pytest.raises(RefusedRequest) as refusal:
        asyncio.run(ask())
    assert (refusal.value.status, refusal.value.violation) == (403, "loopback address behind a public name")


class Astray(CheckedBackend):
    """Connects every name to one port of this machine, like a man in the middle."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self._port = port

    async def connect_tcp(self, host: str, port: int, *more: Any, **named: Any) -> Any:
        return await self._inner.connect_tcp("127.0.0.1", self._port, *more, **named)


def test_certificates_of_public_sites_must_hold(secure: str) -> None:
    async def ask() -> None:
        upstream = Upstream({}, way=Astray(int(secure.rpartition(":")[2])))
        try:
            async with upstream.stream("GET", SHOP, b"/", [(b"host", SHOP.encode())], b""):
                raise AssertionError("a certificate of an unknown authority was accepted")
        finally:
            await upstream.close()

    with pytest.raises(httpcore.ConnectError, match="certificate verify failed"):
        asyncio.run(ask())


def test_https_sites_of_ones_own(secure: str, shop: Shop, chromium: Browser) -> None:
    with LiveWeb({SHOP: secure}) as live:
        world = live.open_world("secure")
        with chromium.session(world, live.proxy(world), url_policy=UrlPolicy(live.reach)) as session:
            session.goto(f"http://{SHOP}/offers")  # plain HTTP is redirected to HTTPS, as on every site
            assert session.url == f"{HOME}/offers"
        assert not world.log.faults
    assert "GET" in shop.asked("/offers")


def test_a_fork_has_its_own_log(live: LiveWeb, world: World) -> None:
    other = live.open_world("fork", like=world)
    assert other.home_domains == world.home_domains
    assert not other.sealed
    assert other.changes() == ()
    other.close()


def test_own_browsers_are_behind_it_too(live: LiveWeb, world: World, shop: Shop, chromium: Browser) -> None:
    """Agents that drive a browser themselves can't commit either: the proxy holds requests, no script does."""
    own = AgentBrowser(chromium, world, live.own_proxy(world))
    try:
        own.goto(f"{HOME}/")
        deleting = own.observer.context.pages[0].evaluate("fetch('/x/1', {method: 'DELETE'}).then(r => r.status)")
        own._engine.call(deleting, 10)
    finally:
        own.close()
    assert shop.asked("/x/1") == []
    assert [each.method for each in world.log.requests if each.held] == ["DELETE"]
