"""`pytest --agent human`: a stopped case is played when the run goes on."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.async_api import Page

from longtrail.browser.session import Browser
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment

ONE = ("--task", "pw-014", "-m", "raw and not appeal", "--agent", "human", "--agent-arg", "name=ana")
PATIENCE = 120_000


@pytest.mark.thorough
def test_stop_and_go_on(tmp_path: Path, shared_browser: Browser) -> None:
    async def stop(page: Page) -> None:
        page.on("dialog", lambda dialog: dialog.accept())
        await page.click("#stop")

    async def decide(page: Page) -> None:
        await page.check("[name=decision][value=DENY]")
        await page.click("button[type=submit]")

    code, said = _play(tmp_path, shared_browser, stop, "--run", "mine")
    assert code == 2, said
    run = Run.open(tmp_path / "runs" / "mine")
    assert list(run.missing()) == ["pw-014-raw-r0"]
    assert run.results() == ()
    code, said = _play(tmp_path, shared_browser, decide, "--resume", "mine")
    assert code == 1, said
    (result,) = run.results()
    assert (result.outcome, result.attempt, result.number("decision")) == ("failed", 0, 0.0)
    assert list(run.missing()) == []


def _play(reports: Path, browser: Browser, act: object, *more: str) -> tuple[int, str]:
    """Run pytest, and act in its page. Returns its exit code and what it said."""
    command = [sys.executable, "-m", "pytest", "benchmark_tests", *ONE, *more, f"--reports={reports}"]
    out = subprocess.PIPE
    said = ""
    with subprocess.Popen(command, cwd=ROOT, env=environment(), stdout=out, stderr=subprocess.STDOUT, text=True) as run:
        assert run.stdout is not None
        for line in run.stdout:
            said += line
            if found := re.search(r"open this page to play: (\S+)", line):
                browser.engine.call(_visit(browser, found[1], act), PATIENCE / 500)
        return run.wait(PATIENCE), said


async def _visit(browser: Browser, address: str, act: object) -> None:
    page = await (await browser.engine.browser()).new_page()
    page.set_default_timeout(PATIENCE)
    await page.goto(address)
    await page.wait_for_selector("main:not([inert]):not([hidden])")
    await act(page)  # type: ignore[operator]
    await page.locator("#state", has_text=re.compile("close this page")).wait_for()
    await page.close()
