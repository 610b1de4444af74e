"""A hanging page, browser or driver costs at most slightly more than a step's deadline; the worker continues."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from longtrail.browser.launcher import Launch
from longtrail.browser.observation import look
from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.session import Browser, Session, ViewSettings
from longtrail.browser.tab import Tab
from longtrail.browser.url_policy import UrlPolicy
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Goto, Scroll
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click
from tests.tables import tables_of

TABLES = tables_of(__file__)

Open = Callable[..., Session]

DEADLINE = 1.5


@contextmanager
def bounded(seconds: float = 60) -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < seconds


LOOPS = TABLES["loops"]


@contextmanager
def perhaps_timed_out(
    deadline: float = DEADLINE, steps: int = 1, kinds: tuple[str, ...] = ("site_timeout",), rest: float = 60
) -> Iterator[None]:
    """A page that can't be recovered is trouble of the site only."""
    with bounded(steps * deadline + rest):
        try:
            yield
        except HarnessTrouble as trouble:
            if trouble.kind not in kinds:
                raise


@pytest.mark.sampled(6, ci=4)
@pytest.mark.parametrize("loop", LOOPS)
def test_loops_on_click(open_page: Open, loop: str) -> None:
    script = f"<script>function go() {{ {LOOPS[loop]} }}</script>"
    session = open_page(f"{script}<button onclick=go()>Go</button>", deadline=DEADLINE)
    with perhaps_timed_out():
        click(session, "Go")
    with perhaps_timed_out(kinds=("site_timeout", "browser_crash")):  # if only killing the browser helped
        session.observe()
    with bounded():
        session.close()


def test_what_we_ask_while_a_pages_script_is_ended_is_asked_again(open_page: Open, chrome: Browser) -> None:
    session = open_page("<p>Here", deadline=DEADLINE)
    tab = session._async_session._tabs.active

    async def ended() -> None:
        asking = asyncio.ensure_future(tab.scripts.evaluate("while (true) {}"))
        while not asking.done():
            await tab.interrupt(0.2)
        with pytest.raises(DocumentReplaced):
            await asking

    chrome.engine.call(ended(), 10)
    assert "Here" in session.observe().text


@pytest.mark.sampled(4)
@pytest.mark.parametrize("loop", LOOPS)
def test_loops_on_load(open_page: Open, site: OddSite, loop: str) -> None:
    session = open_page("/page/links", deadline=DEADLINE)
    with perhaps_timed_out():
        session.act(Goto(url=site.address + made_page(f"<p>Text<script>{LOOPS[loop]}</script>")))
    with bounded():
        session.close()


BOMBS = {
    "links": "for (let n = 0; n < 300; n++) Object.assign(document.createElement('a'), {href: location.href, "
    "target: '_blank'}).click()",
    "frames": "for (let n = 0; n < 300; n++) document.body.append(Object.assign(document.createElement('iframe'), "
    "{src: location.href + '?' + Math.random()}))",
}


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("bomb", BOMBS)
def test_pages_that_multiply(open_page: Open, site: OddSite, bomb: str) -> None:
    """Three hundred tabs or frames keep every processor busy. Afterwards another session works."""
    session = open_page("/page/links", deadline=DEADLINE)
    with perhaps_timed_out(rest=60):
        session.act(Goto(url=site.address + made_page(f"<body><script>{BOMBS[bomb]}</script>")))
    with bounded():
        session.close()
    with bounded():
        assert "Apply for a plot" in open_page("/page/forms").observe().text


@pytest.mark.parametrize("gone", ["document.documentElement.remove()", "document.open(); document.write('')"])
def test_a_document_without_any_element_shows_nothing(open_page: Open, gone: str) -> None:
    session = open_page(f"<script>function go() {{ {gone} }}</script><p>Here<button onclick=go()>Go</button>")
    click(session, "Go")
    seen = session.observe()
    assert "Here" not in seen.text
    session.act(Scroll(direction="down"))
    assert session.act(Goto(url="/page/links")).url.endswith("/page/links")


def test_leaving_is_never_refused(open_page: Open) -> None:
    stay = "onbeforeunload = e => { e.preventDefault(); return 'stay' }"
    linger = "onunload = () => { const t = Date.now(); while (Date.now() - t < 300); }"
    session = open_page(f"<script>{stay}; {linger}</script><button>Go</button>")
    click(session, "Go")
    assert session.act(Goto(url="/page/links")).url.endswith("/page/links")


def test_a_site_that_never_answers(open_page: Open) -> None:
    session = open_page("/page/links", deadline=2)
    with (
        bounded(),
        pytest.raises(HarnessTrouble, match=r"site_timeout: 127\.0\.0\.1 did not answer within 1\.5 seconds"),
    ):
        session.act(Goto(url="/never"))
    assert "Notices" in session.observe().text


def test_a_link_that_never_answers(open_page: Open) -> None:
    session = open_page("<a href=/never>Go</a>", deadline=2)
    with bounded(), pytest.raises(HarnessTrouble, match="site_timeout"):
        click(session, "Go")


HUGE = TABLES["huge"]


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("page", HUGE)
def test_huge_pages(chrome: Browser, open_page: Open, site: OddSite, page: str) -> None:
    """They are truncated, or trouble in time (depth may crash a renderer). Afterwards another session works."""
    session = open_page(
        f"<body><script>function grow() {{ {HUGE[page]} }}</script><button onclick=grow()>Grow</button>", deadline=6
    )
    with perhaps_timed_out(6, steps=2, kinds=("site_timeout", "browser_crash")):
        click(session, "Grow")
        view = session.observe()
        assert view.observation.truncated or page == "deep"
        assert view.observation.tokens <= 8_000
    with bounded():
        session.close()
    with bounded():
        assert "Apply for a plot" in open_page("/page/forms").observe().text


def processes() -> dict[int, str]:
    """Everything that descends from this process, and its command line."""
    commands = {}
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):  # gone meanwhile
            commands[process.pid] = " ".join(process.cmdline())
    return commands


@pytest.fixture
def own() -> Iterator[Browser]:
    """A browser that a test may break."""
    with Browser(ViewSettings(deadline=5), launch=Launch(proxied=False)) as browser:
        yield browser


@pytest.mark.slow
@pytest.mark.sampled(2)
@pytest.mark.parametrize("victim", ["--type=renderer", "browser", "run-driver"])
def test_killed(own: Browser, site: OddSite, victim: str) -> None:
    before = processes()
    session, other = (own.session(url_policy=UrlPolicy([site.authority])) for _ in range(2))
    for each in (session, other):
        each.goto(site.address + "/page/links")
    mine = {pid: line for pid, line in processes().items() if pid not in before}
    if victim == "browser":
        killed = [pid for pid, line in mine.items() if "--type=" not in line and "--headless" in line]
    else:
        killed = [pid for pid, line in mine.items() if victim in line]
    assert killed, mine
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    for each in (session, other):  # also what another episode of this worker sees
        with bounded(), pytest.raises(HarnessTrouble, match="browser_crash"):
            each.observe()
        with bounded():
            each.close()
    with bounded(), own.session(url_policy=UrlPolicy([site.authority])) as after:
        after.goto(site.address + "/page/forms")
        assert "Apply for a plot" in after.observe().text


def test_nothing_stays_behind(site: OddSite) -> None:
    before = processes().keys()
    browser = Browser(launch=Launch(proxied=False))
    session = browser.session(url_policy=UrlPolicy([site.authority]))
    session.goto(site.address + "/page/links")
    folder: Path = browser.engine._folder
    assert list(folder.iterdir())
    browser.close()
    assert not folder.exists()
    deadline = time.monotonic() + 60
    while processes().keys() - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes().keys() <= before
    session.close()
    browser.close()


def test_no_secret_reaches_the_browser(monkeypatch: pytest.MonkeyPatch, site: OddSite) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-key")
    before = processes()
    with Browser(launch=Launch(proxied=False)) as browser, browser.session(url_policy=UrlPolicy([site.authority])):
        mine = {pid: line for pid, line in processes().items() if pid not in before}
        chromium = [pid for pid, line in mine.items() if "--headless" in line or "--type=" in line]
        assert chromium
        for pid in chromium:
            with contextlib.suppress(psutil.Error):  # gone meanwhile
                assert "canary-key" not in str(psutil.Process(pid).environ())


@pytest.mark.parametrize("asked", ["script", "picture"])
def test_a_tab_that_closes_is_not_asked_again(open_page: Open, chrome: Browser, asked: str) -> None:
    session = open_page("<p>First", screenshot=True)
    async_session = session._async_session

    async def closed_meanwhile() -> None:
        await async_session._tabs.open_blank()
        tab = await async_session._tabs.gather()
        asking = asyncio.ensure_future(_ask(tab, asked))
        await asyncio.sleep(0)
        await tab.page.close()
        with pytest.raises(DocumentReplaced):
            await asking

    async def _ask(tab: Tab, what: str) -> None:
        if what == "script":
            await tab.scripts.evaluate("new Promise(() => {})")
        while True:
            await look(tab, async_session.settings)

    chrome.engine.call(closed_meanwhile(), 60)
    assert "First" in session.observe().text
