"""`web_agent` in pages of the user's own Playwright tests, sync and async: examples/flask_orders on two workers."""

import json
import shutil
from pathlib import Path

import pytest

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, Done, environment, run_pytest

pytest.importorskip("flask")
pytest.importorskip("axe_playwright_python")
pytest.importorskip("pytest_playwright")
pytestmark = pytest.mark.slow
CONFTEST = """

from longtrail.browser.launcher import find_chromium


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    args = ["--remote-debugging-port=0"]
    return {**browser_type_launch_args, "executable_path": find_chromium(), "args": args}
"""
AGENT = '''
"""Refunds the order that it is told, and says how many tasks it remembers."""

import asyncio

from longtrail.api import Click, Finish


class Clerk:
    def __init__(self, assignment):
        self.history, self.number = assignment.history, assignment.prompt.split()[-1]

    def act(self, view):
        asyncio.run(asyncio.sleep(0))  # an agent may have an event loop of its own
        for name in (f'link "Order {self.number}"', 'button "Refund"'):
            if "Refunded" not in view.text and f"] {name}" in view.text:
                return Click(id=view.text.partition(f"] {name}")[0].rpartition("[")[2])
        if not view.url.endswith(f"/{self.number}"):
            return Click(id=view.text.partition('] link "Orders"')[0].rpartition("[")[2])
        return Finish(answer=f"{len(self.history)} tasks before")

    def observe(self, outcome, after):
        return None


def make(assignment, equipment):
    return Clerk(assignment)
'''
SYNC = """
import pytest
from playwright.sync_api import expect
from test_refund import sign_in


@pytest.fixture
def orders(page, shop):
    page.goto(f"{shop.url}/login")
    sign_in(page)
    return page


def test_two_turns(web_agent, orders, shop):
    first = web_agent("Refund order 13", page=orders)
    expect(orders.get_by_text("Refunded")).to_be_visible()
    second = web_agent("Refund order 14", page=orders, key_steps=["/orders/14"])
    assert (shop.status(13), shop.status(14)) == ("refunded", "refunded")
    assert first.success_rate == second.success_rate == 1
    assert second.page.is_file()


def test_mocked_route(web_agent, orders, shop):
    orders.route("**/delivery", lambda route: route.fulfill(json={"days": 99}))
    asked = []
    orders.on("request", lambda request: asked.append(request.url))
    orders.goto(f"{shop.url}/orders/13")

    def the_page_is_still_open():
        assert orders.get_by_role("heading", name="Order 12").is_visible()

    steps = [{"kind": "text", "text": "Delivery: 99 days"}, {"kind": "request", "paths": ["/orders/12/refund"]},
             {"kind": "request", "method": "GET", "paths": ["/delivery"]}, the_page_is_still_open]
    run = web_agent("Refund order 12", page=orders, key_steps=steps, no_accessibility_violation=True)
    assert run.success_rate == 1, run
    assert f"{shop.url}/delivery" in asked
    assert run.results[0].number("accessibility_violations") == 0
    assert not orders.evaluate("'axe' in window")


def test_repeats(web_agent, browser, shop):
    def signed_in():
        page = browser.new_page()
        page.goto(f"{shop.url}/login")
        sign_in(page)
        return page

    run = web_agent("Refund order 12", page=signed_in, repeats=2)
    assert len(run.results) == 2
    assert run.success_rate == 1, run


def test_closed(web_agent, orders):
    orders.close()
    web_agent("Refund order 12", page=orders)


def test_closed_context(web_agent, orders):
    orders.context.close()
    web_agent("Refund order 12", page=orders)


def test_blank(web_agent, page):
    web_agent("Refund order 12", page=page)


def test_one_page_for_all(web_agent, orders):
    web_agent("Refund order 12", page=orders, repeats=2)
"""
ASYNC = """
import asyncio

from longtrail.browser.launcher import find_chromium
from playwright.async_api import async_playwright


def test_async(web_agent, shop):
    async def play():
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium())
            page = await browser.new_page()
            await page.route("**/delivery", lambda route: route.fulfill(json={"days": 99}))
            await page.goto(f"{shop.url}/login")
            await page.get_by_label("Name").fill("clerk")
            await page.get_by_label("Password").fill("pass")
            await page.get_by_role("button", name="Log in").click()

            async def refunded():
                return await page.get_by_text("Refunded").is_visible()

            steps = [{"kind": "text", "text": "Delivery: 99 days"}, refunded]
            run = await web_agent("Refund order 12", page=page, key_steps=steps)
            assert run.success_rate == 1, run
            assert shop.status(12) == "refunded"
            return await web_agent("Refund order 13", page=page)

    assert asyncio.run(play()).success_rate == 1
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    """The example's own test and ours, each file in its own worker."""
    folder = tmp_path_factory.mktemp("orders") / "orders"
    shutil.copytree(ROOT / "examples" / "flask_orders", folder)
    with (folder / "conftest.py").open("a") as file:
        file.write(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in (("clerk.py", AGENT), ("test_sync.py", SYNC), ("test_async.py", ASYNC)):
        (folder / name).write_text(text)
    args = ("-p", "no:cacheprovider", "-q", "-n", "2", "--dist", "loadfile", "--agent", "clerk:make", "--run", "r")
    return folder, run_pytest(*args, cwd=folder, env=environment(PYTHONPATH=str(folder)))


def test_the_agent_goes_on_in_the_page(played: tuple[Path, Done]) -> None:
    """Sync and async pages, mocked routes, functions that use the page, repeats in fresh pages."""
    _, done = played
    assert "5 passed" in done.out, done.said
    assert "4 failed" in done.out


def test_a_page_that_cannot_be_used_is_told_in_one_line(played: tuple[Path, Done]) -> None:
    _, done = played
    told = [line for line in done.out.splitlines() if line.startswith("E ")]
    assert sum("UsageError: web_agent: the page is closed" in line for line in told) == 2
    assert "web_agent: the page shows about:blank; open your app in it first" in done.out
    assert "web_agent: repeats need a function that opens a fresh page" in done.out
    assert "app_session.py" not in done.out, "the traceback should end at the test's own line"


def test_a_later_task_in_the_same_page_gets_the_earlier_one_as_history(played: tuple[Path, Done]) -> None:
    folder, _ = played
    run = Run.open(folder / "reports" / "runs" / "r")
    ends = {}
    for path in (run.folder / "episodes").iterdir():
        trajectory = json.loads(path.read_text())["trajectory"]
        ends[trajectory["case"]["task"]] = trajectory["ends"][-1]["detail"]
    assert ends["test_sync-test_two_turns-chromium"] == "0 tasks before"
    assert ends["test_sync-test_two_turns-chromium-2"] == "1 tasks before"
    assert ends["test_async-test_async-2"] == "1 tasks before"


DRIVER = '''
"""Drives the page itself, through the browser's devtools address."""

from playwright.sync_api import sync_playwright


def refund(task):
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(task.cdp)
        page = browser.contexts[0].pages[0]
        page.get_by_role("link", name="Order 12").click()
        page.get_by_role("button", name="Refund").click()
        page.get_by_text("Refunded").wait_for()
    return "It is refunded."
'''
DRIVEN = """
from playwright.sync_api import expect
from test_refund import sign_in


def test_driven(web_agent, page, shop):
    page.route("**/delivery", lambda route: route.fulfill(json={"days": 99}))
    page.goto(f"{shop.url}/login")
    sign_in(page)
    steps = ["/orders/12", {"kind": "request", "paths": ["/orders/12/refund"]}]
    run = web_agent("Refund order 12", page=page, key_steps=steps)
    assert run.success_rate == 1, run
    assert shop.status(12) == "refunded"
    expect(page.get_by_text("Refunded")).to_be_visible()
"""


def test_an_agent_drives_the_page_itself(played: tuple[Path, Done]) -> None:
    """It gets the devtools address of the test's own browser."""
    folder, _ = played
    (folder / "driver.py").write_text(DRIVER)
    (folder / "test_driven.py").write_text(DRIVEN)
    args = ("-p", "no:cacheprovider", "-q", "test_driven.py", "--agent", "cdp:driver:refund", "--run", "driven")
    done = run_pytest(*args, cwd=folder, env=environment(PYTHONPATH=str(folder)))
    assert done.code == 0, done.said
    assert "1 passed" in done.out
