"""A session's raw trace: files its browser wrote, moved out of the folder of all its traces, and an agent's steps."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.browser.context_records import Recording
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import UrlPolicy
from longtrail.web.sealed import SealedWeb
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click
from tests.web.tiny.tiny_site import make


def test_two_sessions_with_the_same_page_each_have_a_whole_trace(
    chrome: Browser, site: OddSite, tmp_path: Path
) -> None:
    address = site.address + made_page("<button>Press</button>")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        recording = Recording(tmp_path / name, frozenset({"tracing"}))
        with chrome.session(url_policy=UrlPolicy([site.authority]), recording=recording) as session:
            session.goto(address)
            session.begin_step("1. press the button")
            click(session, "Press")
            session.end_step("nothing happened")
        trace = recording.files()["tracing"]
        steps = (trace / "trace.trace").read_text()
        assert "1. press the button" in steps
        assert "nothing happened" in steps
        assert "made" in (trace / "trace.network").read_text()
        (page,) = trace.glob("resources/*.html")
        assert "<button>Press" in page.read_text()
    shared = {path.parent.name for path in chrome.engine.traces.rglob("*") if path.is_file()}
    assert shared == {"resources"}, "everything else of the traces is gone"


def test_a_trace_has_the_observed_steps_also_if_the_agent_closes_the_browser(tmp_path: Path) -> None:
    recording = Recording(tmp_path, frozenset({"tracing"}))
    with SealedWeb([make()]) as web, Browser() as browser:
        world = web.open_world("trace")
        agent_browser = AgentBrowser(browser, world, web.own_proxy(world), recording=recording)
        agent_browser.goto("https://tiny.test/")
        agent_browser.record_step("1. click link Rules", "shows the rules")
        with sync_playwright() as driver:
            driver.chromium.connect_over_cdp(agent_browser.address).new_browser_cdp_session().send("Browser.close")
        agent_browser.record_step("2. too late", "")
        agent_browser.close()
        world.close()
    trace = recording.files()["tracing"]
    assert "1. click link Rules" in (trace / "trace.trace").read_text()
    assert "https://tiny.test/" in (trace / "trace.network").read_text()
    assert list(trace.glob("resources/*.html"))
