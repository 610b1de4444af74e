"""The person's page can be opened with its whole address only, on this machine, and shows all texts as texts."""

import json
from collections.abc import Iterator

import httpx
import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.process import TaskMessage
from longtrail.agents.people.person_server import PersonPlay, PersonServer
from longtrail.browser.session import Browser
from longtrail.web.sealed import SealedWeb
from tests.agents.people.scripted_person import PATIENCE, ScriptedPerson
from tests.agents.views import case
from tests.web.tiny.tiny_site import make

HOSTILE = "<img src=x onerror=\"document.body.innerHTML='broken'\"><script>document.title='broken'</script>"
ASKS = """() => {
  document.querySelector('button').onclick = () => { document.querySelector('p').textContent = prompt('Who?', 'me'); };
}"""
COUNTS_CLICKS = """() => {
  window.clicks = 0;
  onclick = () => { clicks += 1; };
  setTimeout(() => { const end = performance.now() + 500; while (performance.now() < end); });
}"""
"""The page works for half a second before it answers."""
TOLD = case(HOSTILE)


@pytest.fixture(scope="module")
def table(shared_browser: Browser) -> Iterator[tuple[PersonServer, AgentBrowser]]:
    """A server, and a browser on the tiny site."""
    with SealedWeb([make()]) as web, PersonServer(lambda _: None) as server:
        world = web.open_world("person")
        browser = AgentBrowser(shared_browser, world, web.own_proxy(world), person=True)
        yield server, browser
        browser.close()
        world.close()


@pytest.fixture
def seated(
    shared_browser: Browser, table: tuple[PersonServer, AgentBrowser]
) -> Iterator[tuple[PersonServer, PersonPlay]]:
    """A server at which a phase is played."""
    server, browser = table
    browser.goto("https://tiny.test/")
    message = TaskMessage(prompt=HOSTILE, cdp="", step_limit=9, seconds=1)
    play = server.begin_phase(TOLD, shared_browser.engine, browser, message)
    yield server, play
    play.close()


def joined(server: PersonServer, origin: str | None) -> ClientConnection:
    """The connection of a page from this origin."""
    address = server.address.replace("http://", "ws://")
    return connect(f"{address}socket", origin=origin, proxy=None)  # type: ignore[arg-type]


def test_only_the_whole_address_opens_it(seated: tuple[PersonServer, PersonPlay]) -> None:
    address = seated[0].address
    site = address.rsplit("/", 2)[0]
    assert httpx.get(address).status_code == 200
    for other, code in ((f"{site}/", 404), (f"{site}/guessed/", 404), (f"{address}page/play.js", 404)):
        assert httpx.get(other).status_code == code, other
    assert httpx.get(address, headers={"Host": "shop.example"}).status_code == 403
    policy = httpx.get(address).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("origin", ["https://shop.example", "http://127.0.0.1:9", "null", None])
def test_another_page_can_t_drive_it(seated: tuple[PersonServer, PersonPlay], origin: str | None) -> None:
    """Even if it knew the address."""
    with pytest.raises(InvalidStatus, match="403"):
        joined(seated[0], origin)


def test_malformed_messages_are_answered(seated: tuple[PersonServer, PersonPlay]) -> None:
    server, play = seated
    wrong = (
        "no JSON",
        {"type": "mouse", "kind": "down", "x": 1e9, "y": 0},
        {"type": "run", "code": "1"},
        {"type": "done", "report": {"decision": "MAYBE"}},
    )
    with joined(server, server.address.rsplit("/", 2)[0]) as page:
        for message in wrong:
            page.send(message if isinstance(message, str) else json.dumps(message))
        told: list[str] = []
        while len(told) < len(wrong):
            said = page.recv(timeout=PATIENCE / 1000)
            if isinstance(said, str) and (answer := json.loads(said))["type"] == "problem":
                told.append(answer["message"])
    assert "JSON" in told[0]
    assert told[1].startswith("mouse.x: ")
    assert "tag" in told[2]
    assert told[3].startswith("Choose one decision: ")
    assert not play.wait(0)


def test_what_was_done_before_the_answer_is_carried_out_first(
    seated: tuple[PersonServer, PersonPlay], shared_browser: Browser
) -> None:
    """However busy the shown page is."""
    server, play = seated
    shown, engine = play.browser.page, shared_browser.engine
    engine.call(shown.evaluate(COUNTS_CLICKS), PATIENCE / 1000)
    mouse = [{"type": "mouse", "kind": kind, "x": 50, "y": 50} for kind in ("down", "up")]
    with joined(server, server.address.rsplit("/", 2)[0]) as page:
        for message in (*mouse, {"type": "done", "report": {"decision": "APPROVE"}}):
            page.send(json.dumps(message))
        assert play.wait(PATIENCE / 1000)
    assert engine.call(shown.evaluate("clicks"), PATIENCE / 1000) == 1


async def _look(one: ScriptedPerson, page: Page) -> None:
    await expect(one.page.locator("#prompt")).to_have_text(HOSTILE, timeout=PATIENCE)
    await page.evaluate("text => { document.body.textContent = text; document.title = text; }", HOSTILE)
    pre = one.page.locator("#text pre")
    await expect(pre).to_contain_text("onerror", timeout=PATIENCE)
    assert await one.page.locator("pre *, #prompt *").count() == 0
    assert await one.page.title() == "Play a case · Longtrail"
    faults = (await Axe().run(one.page)).response["violations"]
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in faults] == []


async def _lists_and_dialogs(one: ScriptedPerson, page: Page) -> None:
    """What a screencast does not show: an open list, the page's own dialogs."""
    choices = "".join(f"<option>{text}</option>" for text in ("one", "&lt;b&gt;two"))
    await page.evaluate(f"document.body.innerHTML = '<select>{choices}</select><button>Ask</button><p></p>'")
    await page.evaluate(ASKS)
    await one.click(page.locator("select"))
    await one.page.get_by_role("option", name="<b>two", exact=True).click()
    await expect(page.locator("select")).to_have_value("<b>two", timeout=PATIENCE)
    await one.click(page.locator("button"))
    question = one.page.locator("#question")
    await expect(question.locator("p")).to_have_text("The page says: Who?", timeout=PATIENCE)
    await question.locator("input").fill("Ana")
    await question.get_by_role("button", name="OK").click()
    await expect(page.locator("p")).to_have_text("Ana", timeout=PATIENCE)


async def _tabs(one: ScriptedPerson, page: Page) -> None:
    async with page.context.expect_page():
        await page.evaluate("() => { open('https://tiny.test/'); }")
    tabs = one.page.locator("#tabs button")
    await expect(tabs).to_have_count(2, timeout=PATIENCE)
    await expect(tabs.nth(1)).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
    await tabs.nth(0).click()
    await expect(tabs.nth(0)).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)


@pytest.mark.parametrize("visit", [_look, _lists_and_dialogs, _tabs], ids=["texts", "lists and dialogs", "tabs"])
def test_the_page_shows(seated: tuple[PersonServer, PersonPlay], shared_browser: Browser, visit: object) -> None:
    async def person() -> None:
        one = await ScriptedPerson.arrive(shared_browser.engine, seated[0])
        await visit(one, one.shown)  # type: ignore[operator]
        await one.leave()

    shared_browser.engine.call(person(), PATIENCE / 500)
