"""A browser that the agent drives itself: all pages and actions are recorded, nothing leaves the sealed web, and no
process or file is left."""

import io
import os
import textwrap
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, partial
from urllib.parse import urlsplit

import psutil
import pytest
from playwright.sync_api import Error, sync_playwright

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.browser.session import Browser
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.web.tiny.tiny_site import make

START = "https://tiny.test/"


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([make()]) as web:
        yield web


class Driver:
    """The agent's side: Playwright in a thread of its own, with a new connection for each script."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1)
        self._driver = self._thread.submit(sync_playwright().start).result()

    def run(self, address: str, script: str) -> "Future[str]":
        """Run a script that uses `page`; returns what it prints."""
        return self._thread.submit(self._run, address, textwrap.dedent(script))

    def _run(self, address: str, script: str) -> str:
        output = io.StringIO()
        browser = self._driver.chromium.connect_over_cdp(address)
        context = browser.contexts[0]
        known = {"page": context.pages[0], "context": context, "Error": Error, "print": partial(print, file=output)}
        exec(script, known)
        browser.close()
        return output.getvalue()


@cache
def driver() -> Driver:
    """One for all tests of this process."""
    return Driver()


def drive(agent_browser: AgentBrowser, script: str) -> tuple[list[ObservedStep], str]:
    """Drive the browser with a Playwright script, as agents do; returns the recorded steps and the script's output."""
    done = driver().run(agent_browser.address, script)
    observed: list[ObservedStep] = []
    while not done.done():
        observed += agent_browser.look()
        wait((done,), 0.05)
    output = done.result()
    return observed + agent_browser.look(last=True), output


@pytest.mark.slow
def test_every_page_is_seen_however_fast_it_is_left(agent_browser: AgentBrowser) -> None:
    observed, _ = drive(
        agent_browser,
        'for path in ("tools", "hours", "visits", "join", "tools"): page.goto("https://tiny.test/" + path)',
    )
    assert [happened.outcome.navigations for happened in observed] == [
        (f"https://tiny.test/{path}",) for path in ("tools", "hours", "visits", "join", "tools")
    ]
    titles = [happened.before.observation.title.split(" - ")[0] for happened in observed]
    assert titles[1:] == ["Tools", "Opening hours", "Visits", "Join"]
    assert "Deposit" in observed[1].before.text
    shown = agent_browser.observer.shown
    assert shown is not None
    assert shown.url == "https://tiny.test/tools"
    assert shown.image is not None


def test_a_page_that_is_used_before_it_was_read_reports_its_state_first(agent_browser: AgentBrowser) -> None:
    driver().run(
        agent_browser.address,
        """
        page.goto("https://tiny.test/join")
        page.evaluate("() => { document.querySelector('h1').onclick = event => event.target.append(' (changed)') }")
        page.get_by_role("heading").first.click()
        """,
    ).result()
    (clicked,) = [happened for happened in agent_browser.look(last=True) if happened.outcome.target]
    assert "Join" in clicked.before.text
    assert "(changed)" not in clicked.before.text
    assert agent_browser.observer.shown is not None
    assert "(changed)" in agent_browser.observer.shown.text


def test_clicks_fields_and_choices_are_seen_with_their_elements(agent_browser: AgentBrowser, world: World) -> None:
    observed, _ = drive(
        agent_browser,
        """
        page.get_by_role("link", name="Tools", exact=True).click()
        page.locator("td a").first.click()
        page.get_by_label("Your name").fill("Ada Quist")
        page.get_by_label("Pick-up day").select_option(index=1)
        page.get_by_role("button", name="Reserve").click()
        page.wait_for_url("**/reservations/*")
        """,
    )
    done = [(h.action.type, h.outcome.target.role, h.outcome.target.name) for h in observed if h.outcome.target]
    assert done[0] == ("click", "link", "Tools")
    assert observed[0].outcome.navigations == ("https://tiny.test/tools",), "a click and where it leads are one step"
    assert [h.action.type for h in observed].count("goto") == 0
    assert ("fill", "textbox", "Your name") in done
    assert ("select", "combobox", "Pick-up day") in done
    assert done[-1] == ("click", "button", "Reserve")
    (filled,) = [h for h in observed if h.action.type == "fill"]
    assert filled.outcome.value == "Ada Quist"
    assert observed[-1].outcome.navigations[-1].startswith("https://tiny.test/reservations/")
    assert any(change.table == "reservations" for change in world.changes())
    steps = requested(agent_browser, observed)
    for happened in observed:
        opened = {f"GET {urlsplit(url).path}" for url in happened.outcome.navigations}
        assert opened <= {*steps[_named(happened)]}, "what a step opened was requested by it"
    assert steps[_named(filled)] == []
    assert [each.split()[0] for each in steps[_named(observed[-1])]] == ["POST", "GET"], "the form, and where it leads"


def requested(agent_browser: AgentBrowser, observed: list[ObservedStep]) -> dict[str, list[str]]:
    """Step -> the documents and fetches that it caused."""
    named = {step.number: _named(step) for step in observed}
    found: dict[str, list[str]] = {name: [] for name in named.values()}
    for each in agent_browser.assigned(last=True):
        if each.request.dest in ("document", "empty"):
            assert each.step is not None
            found[named[each.step]].append(f"{each.request.method} {urlsplit(each.request.url).path}")
    return found


def _named(step: ObservedStep) -> str:
    name = step.outcome.target.name if step.outcome.target else urlsplit(step.outcome.url).path
    return f"{step.number} {step.action.type} {name}"


@pytest.mark.sampled(3, ci=1)
@pytest.mark.parametrize("until", ["commit", "domcontentloaded", "load"])
def test_two_pages_opened_at_once_are_two_steps_with_their_own_requests(
    agent_browser: AgentBrowser, until: str
) -> None:
    script = f"""
        for path in ("hours", "tools", "hours", "visits", "hours"):
            page.goto("https://tiny.test/" + path, wait_until={until!r})
        page.get_by_text("today").wait_for()
        """
    observed, _ = drive(agent_browser, script)
    steps = requested(agent_browser, observed)
    assert list(steps) == ["0 goto /hours", "1 goto /tools", "2 goto /hours", "3 goto /visits", "4 goto /hours"]
    for name, requests in steps.items():
        path = name.rpartition(" ")[2]
        assert requests[0] == f"GET {path}", "each document is its own step's"
        assert set(requests[1:]) <= {"GET /api/hours" if path == "/hours" else "none"}
    assert steps["4 goto /hours"] == ["GET /hours", "GET /api/hours"]
    for happened in observed:
        assert len(happened.outcome.navigations) == 1


def test_a_click_and_an_address_opened_at_once_are_two_steps(agent_browser: AgentBrowser) -> None:
    script = """
        page.goto("https://tiny.test/visits")
        page.get_by_role("heading").click()
        page.goto("https://tiny.test/tools")
        """
    observed, _ = drive(agent_browser, script)
    assert [happened.action.type for happened in observed] == ["goto", "click", "goto"]
    assert [happened.outcome.navigations for happened in observed[1:]] == [(), ("https://tiny.test/tools",)]


def test_what_a_click_fetches_belongs_to_it(agent_browser: AgentBrowser) -> None:
    script = """
        page.goto("https://tiny.test/visits")
        page.evaluate("() => { document.querySelector('h1').onclick = () => fetch('/api/hours') }")
        for _ in range(2):
            with page.expect_response("**/api/hours*"):
                page.get_by_role("heading").click()
        page.goto("https://tiny.test/tools")
        """
    observed, _ = drive(agent_browser, script)
    assert list(requested(agent_browser, observed).values()) == [
        ["GET /visits"],
        ["GET /api/hours"],
        ["GET /api/hours"],
        ["GET /tools"],
    ]


OUTSIDE = (
    *("https://example.com/", "http://127.0.0.1:{port}/json/version", "http://169.254.169.254/latest/"),
    "https://10.0.0.1/",
)


def test_nothing_else_can_be_reached(agent_browser: AgentBrowser, world: World) -> None:
    addresses = [address.format(port=agent_browser.address.rpartition(":")[2]) for address in OUTSIDE]
    _, output = drive(
        agent_browser,
        f"""
        for address in {addresses!r}:
            try:
                print(page.goto(address).status)
            except Error as error:
                print("refused", error.message.splitlines()[0])
        """,
    )
    assert len(output.splitlines()) == len(addresses)
    assert "200" not in output
    assert len(world.log.violations) >= len(addresses)


def test_two_browsers_live_in_two_worlds(web: SealedWeb, browser: Browser, agent_browser: AgentBrowser) -> None:
    other_world = web.open_world("the-other")
    other = AgentBrowser(browser, other_world, web.own_proxy(other_world))
    try:
        other.goto("https://tiny.test/visits")
        count = """
            page.goto("https://tiny.test/visits")
            page.get_by_role("button").click()
            print(page.locator("output").inner_text())
            """
        assert drive(agent_browser, count)[1] == "1\n"
        assert drive(agent_browser, count)[1] == "2\n"
        assert drive(other, count)[1] == "1\n"
    finally:
        other.close()
        other_world.close()


def test_cookies_and_storage_go_on_in_the_next_browser(
    web: SealedWeb, browser: Browser, agent_browser: AgentBrowser
) -> None:
    drive(agent_browser, "page.evaluate(\"localStorage.setItem('seen', 'yes'); document.cookie = 'crumb=1; path=/'\")")
    world = web.open_world("the-next")
    following = AgentBrowser(browser, world, web.own_proxy(world), storage=agent_browser.storage_state())
    try:
        following.goto(START)
        _, output = drive(following, "print(page.evaluate(\"localStorage.getItem('seen') + document.cookie\"))")
        assert output == "yescrumb=1\n"
    finally:
        following.close()
        world.close()


def test_nothing_is_left_of_it(web: SealedWeb, browser: Browser, world: World) -> None:
    agent_browser = AgentBrowser(browser, world, web.own_proxy(world))
    pid, folder = agent_browser._process.pid, agent_browser._folder
    agent_browser.close()
    agent_browser.close()
    assert not folder.exists()
    assert not psutil.pid_exists(pid) or os.waitpid(pid, os.WNOHANG)
