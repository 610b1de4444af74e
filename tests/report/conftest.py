"""Fixtures of the reports' tests: pages opened from their files in a real browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, sync_playwright

from longtrail.browser.launcher import find_chromium
from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest, shared_folder
from tests.report.watched import Watched

KEY = "sk-none-0123456789abcdef"


def played(reports: Path) -> Done:
    """The shop's case PW-025: a scripted model looks around, with screenshots and model calls, and decides wrongly."""
    reports.mkdir(exist_ok=True)
    with MockServer() as server:
        return run_pytest(
            *("-m", "raw and not appeal", "--task", "pw-025", "--model", "openai/scripted-careful"),
            *("--model-arg", f"api_base={server.url}", f"--reports={reports}", "--run", "played"),
            *(f"--junitxml={reports}/junit.xml", f"--html={reports}/page.html", f"--summary-md={reports}/summary.md"),
            env=environment(OPENAI_API_KEY=KEY, GITHUB_STEP_SUMMARY=str(reports / "step.md")),
        )


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Done]:
    """A small real run for all tests of reports, and its process' output."""
    reports = shared_folder(tmp_path_factory) / "played"
    said = reports / "said.json"
    with FileLock(f"{reports}.lock"):
        if not said.exists():
            done = played(reports)
            said.write_text(json.dumps([done.code, done.out, done.err]))
    return Run.open(reports / "runs" / "played"), Done(*json.loads(said.read_text()))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine, closed after each module: while it runs, Playwright keeps an event loop in this
    thread, so that tests of other modules could not run one of their own."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def watch(browser: Browser) -> Callable[..., Watched]:
    """Open a file and record everything that a hostile page might do."""

    def opened(path: Path, width: int = 1280, scheme: Any = "light", fragment: str = "") -> Watched:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        return Watched(context.new_page(), path, fragment)

    return opened
