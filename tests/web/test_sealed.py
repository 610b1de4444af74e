"""The sealed web in Chromium: real host names lead to it, and nothing else can be reached."""

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page

from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.conftest import Chromium
from tests.web.probe import HOSTS, Canary

LOOPBACK = ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.1", "localhost", "localhost.", "sub.localhost"]
LOOPBACK += ["0.0.0.0", "[::1]", "[::ffff:7f00:1]", "127.0.0.1.", "①27.0.0.1"]
OUTSIDE = ["169.254.169.254", "[fd00:ec2::254]", "192.168.0.1", "evil.example", "imdb.com.", "imdb.com.evil.example"]


def test_real_names_lead_in(chromium: Chromium, web: SealedWeb, world: World) -> None:
    def visit(context: BrowserContext) -> list[tuple[int, str, str]]:
        page, seen = context.new_page(), []
        for host in HOSTS:
            for scheme in ("https", "http"):
                answer = page.goto(f"{scheme}://{host}/")
                assert answer is not None
                seen.append((answer.status, page.url, page.inner_text("h1")))
        return seen

    assert chromium.within(web, world, visit) == [
        (200, f"https://{host}/", f"{host} in {world.name}") for host in HOSTS for _ in range(2)
    ]
    pages = [request.url for request in world.log.requests if request.status == 200]
    assert pages == [f"https://{host}/" for host in HOSTS for _ in range(2)]
    # Some http addresses Chromium upgrades itself.
    assert {request.status for request in world.log.requests} <= {200, 308}
    assert {(request.dest, request.mode) for request in world.log.requests if request.status == 200} == {
        ("document", "navigate")
    }
    assert not world.log.violations


def test_two_worlds_do_not_see_each_other(chromium: Chromium, web: SealedWeb, world: World, other: World) -> None:
    def visit(browser: Browser) -> list[str]:
        options: Any = [{"proxy": web.proxy(each), "ignore_https_errors": True} for each in (world, other)]
        first, second = (browser.new_context(**option).new_page() for option in options)
        for page, name in ((first, "left"), (second, "right"), (first, "more")):
            page.goto(f"https://probe.test/cookie?set={name}")
            page.evaluate("word => fetch('/note', {method: 'POST', body: word})", name)
        told = []
        for page in (first, second):
            for path in ("note", "cookie"):
                page.goto(f"https://probe.test/{path}")
                told.append(page.inner_text("body"))
            page.context.close()
        return told

    assert chromium.run(visit) == ["left more", "more", "right", "right"]
    assert [change.after and change.after["text"] for change in world.changes()] == ["left", "more"]
    assert [change.after and change.after["text"] for change in other.changes()] == ["right"]
    assert {request.world for request in world.log.requests} == {world.name}


def test_contexts_of_one_world_share_its_state_but_no_cookies(chromium: Chromium, web: SealedWeb, world: World) -> None:
    def set_cookie(context: BrowserContext) -> None:
        page = context.new_page()
        page.goto("https://probe.test/cookie?set=me")
        page.evaluate("fetch('/note', {method: 'POST', body: 'kept'})")

    def read(context: BrowserContext) -> tuple[str, str]:
        page = context.new_page()
        page.goto("https://probe.test/cookie")
        cookie = page.inner_text("body")
        page.goto("https://probe.test/note")
        return cookie, page.inner_text("body")

    chromium.within(web, world, set_cookie)
    assert chromium.within(web, world, read) == ("nobody", "kept")


@pytest.mark.parametrize("change", [{"password": "guess"}, {"username": "nobody"}])
def test_wrong_credentials_lead_nowhere(
    chromium: Chromium, web: SealedWeb, world: World, change: dict[str, str]
) -> None:
    def visit(browser: Browser) -> str:
        context = browser.new_context(proxy={**web.proxy(world), **change}, ignore_https_errors=True)  # type: ignore[typeddict-item]
        try:
            return attempt(context.new_page(), "https://probe.test/")
        finally:
            context.close()

    assert chromium.run(visit) == "net::ERR_TUNNEL_CONNECTION_FAILED"
    assert not world.log.requests


def attempt(page: Page, url: str) -> str:
    """The status, or the network error."""
    try:
        answer = page.goto(url)
    except Error as error:
        return "interrupted" if "interrupted" in error.message else error.message.split(" at ")[0].split(": ")[-1]
    return str(answer.status) if answer else "no answer"


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_no_spelling_of_an_address_leads_out(
    chromium: Chromium, web: SealedWeb, world: World, canary: Canary, scheme: str
) -> None:
    own = web.address.rpartition(":")[2]
    targets = [f"{scheme}://{host}:{port}/x" for host in LOOPBACK for port in (canary.port, own)]
    targets += [f"{scheme}://{host}/x" for host in LOOPBACK + OUTSIDE]
    targets += [f"{scheme}://imdb.com@127.0.0.1:{canary.port}/", f"{scheme}://imdb.com:443@evil.example/"]
    targets += [f"{scheme}://imdb.com:{port}/" for port in (8443, canary.port, 8080)]
    targets += [f"{scheme}://imdb.com\\@127.0.0.1:{canary.port}/", f"{scheme}://imdb%2ecom.evil.example/"]

    def visit(context: BrowserContext) -> dict[str, str]:
        outcomes = {}
        for target in targets:
            page = context.new_page()  # an error page still loading would interrupt the next visit
            outcomes[target] = attempt(page, target)
            page.close()
        return outcomes

    outcomes = chromium.within(web, world, visit)
    backslash = f"{scheme}://imdb.com\\@127.0.0.1:{canary.port}/"  # a path on imdb.com, to a browser
    assert outcomes.pop(backslash) == "404"
    refused = {"403", "net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_UNSAFE_PORT", "Cannot navigate to invalid URL"}
    assert {target: outcome for target, outcome in outcomes.items() if outcome not in refused} == {}
    assert len(world.log.violations) >= len(outcomes) - 2
    assert canary.hits == 0


def test_the_page_that_says_no(chromium: Chromium, web: SealedWeb, world: World) -> None:
    def visit(context: BrowserContext) -> tuple[str, str, str]:
        page = context.new_page()
        page.goto("https://evil.example/<script>alert(1)</script>?a=<b>")
        return page.inner_text("h1"), page.inner_text("code"), page.title()

    heading, address, title = chromium.within(web, world, visit)
    assert heading == "This site can't be reached"
    assert address.startswith("https://evil.example/%3Cscript%3E")
    assert title == "This site can't be reached"


WAYS_OUT = """
async ([port, own]) => {
  const base = `127.0.0.1:${port}`, waits = [];
  const late = () => new Promise((done) => setTimeout(done, 3000));
  const settle = (promise) => waits.push(Promise.race([promise.catch(() => 0), late()]));
  const loaded = (node, to) => settle(new Promise((done) => {
    node.onload = node.onerror = done; Object.assign(node, to); document.body.append(node);
  }));
  for (const host of [base, `localhost:${port}`, `[::1]:${port}`, `127.0.0.1:${own}`, "169.254.169.254"]) {
    settle(fetch(`http://${host}/fetch`, {mode: "no-cors"}));
    settle(fetch(`https://${host}/fetch`, {mode: "no-cors"}));
    loaded(new Image(), {src: `http://${host}/image`});
    loaded(document.createElement("iframe"), {src: `https://${host}/frame`});
    loaded(document.createElement("script"), {src: `https://${host}/script`});
    loaded(document.createElement("link"), {rel: "prefetch", href: `https://${host}/prefetch`});
    settle(new Promise((done) => { const s = new WebSocket(`ws://${host}/socket`); s.onerror = s.onclose = done; }));
    settle(new Promise((done) => { const s = new WebSocket(`wss://${host}/socket`); s.onerror = s.onclose = done; }));
    settle(new Promise((done) => { const s = new EventSource(`https://${host}/events`); s.onerror = done; }));
    navigator.sendBeacon(`https://${host}/beacon`, "x");
  }
  settle(new Promise((done) => { const s = new WebSocket("wss://probe.test/socket"); s.onerror = s.onclose = done; }));
  await Promise.all(waits);
}
"""


def test_nothing_a_page_can_do_leads_out(chromium: Chromium, web: SealedWeb, world: World, canary: Canary) -> None:
    def visit(context: BrowserContext) -> None:
        page = context.new_page()
        page.goto("https://probe.test/")
        page.evaluate(WAYS_OUT, [canary.port, web.address.rpartition(":")[2]])
        attempt(page, f"https://probe.test/leave?to=http://127.0.0.1:{canary.port}/redirect")
        page.goto("https://probe.test/")
        with page.expect_popup() as popup:
            page.evaluate("url => void window.open(url)", f"http://127.0.0.1:{canary.port}/popup")
        popup.value.wait_for_load_state()
        page.set_content(f"<meta http-equiv=refresh content='0;url=http://127.0.0.1:{canary.port}/refresh'>")
        page.wait_for_url("**/refresh")

    chromium.within(web, world, visit)
    assert canary.hits == 0
    assert "websocket: GET https://probe.test/socket" in world.log.violations
    paths = {request.url.rpartition("/")[2] for request in world.log.requests if request.status == 403}
    assert {"fetch", "image", "frame", "script", "socket", "redirect", "popup", "refresh"} <= paths
    assert all(request.status in (200, 302, 403) for request in world.log.requests)


def test_a_closed_world_is_gone_for_its_browser_too(chromium: Chromium, web: SealedWeb) -> None:
    world = web.open_world("to-be-closed")

    def visit(context: BrowserContext) -> tuple[str, str]:
        page = context.new_page()
        before = attempt(page, "https://probe.test/")
        world.close()
        return before, attempt(page, "https://probe.test/")

    before, after = chromium.within(web, world, visit)
    assert before == "200"
    assert after == "net::ERR_TUNNEL_CONNECTION_FAILED"
    again = web.open_world("to-be-closed")
    assert again.token != world.token
    with pytest.raises(ValueError, match="is open already"):
        web.open_world("to-be-closed")
    again.close()


def test_a_world_like_another_begins_where_that_one_is(web: SealedWeb, world: World) -> None:
    world.db("probe").execute("INSERT INTO notes (text) VALUES ('before')")
    twin = web.open_world("twin", like=world)
    try:
        assert [row["text"] for row in twin.db("probe").execute("SELECT text FROM notes")] == ["before"]
        assert web.proxy(twin) == {"server": web.address, "username": twin.user, "password": twin.token}
    finally:
        twin.close()


def test_what_is_served(web: SealedWeb) -> None:
    assert web.serves("imdb.com")
    assert web.serves("IMDB.com")
    assert not web.serves("m.imdb.com")
    assert not web.serves("imdb.com:443")
    assert web.hosts == tuple(sorted([*HOSTS, "tiny.test", "www.tiny.test"]))
