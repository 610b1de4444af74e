"""Playwright's trace of a browser that an agent drives itself."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.browser.context_records import Recording
from longtrail.browser.session import Browser
from longtrail.web.sealed import SealedWeb
from tests.web.tiny.tiny_site import make


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
