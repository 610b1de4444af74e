"""pytest-playwright's options in runs of cases: traces with our steps, screenshots, devices, and what can't work."""

import shutil
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import playwright
import pytest
from playwright.sync_api import sync_playwright

from longtrail.browser.launcher import find_chromium
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

pytest.importorskip("pytest_playwright")
KEY = "sk-canary/7+Qz=trace-3b27d1c4"
AGENT, TASK = "tests.pytest_plugin.scripted_agents:telling", "apple_store_of_session"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Done]:
    """A long-context case that fails, on a phone, with everything that --tracing and --screenshot give."""
    folder = tmp_path_factory.mktemp("recorded")
    done = run_pytest(
        *("--task", TASK, "-m", "noise_0", "--agent", AGENT, "--run", "r", f"--reports={folder}"),
        *("--tracing", "retain-on-failure", "--screenshot", "only-on-failure", "--device", "Pixel 5"),
        *("--output", str(folder / "output")),
        env=environment(SHOP_API_KEY=KEY),
    )
    return Run.open(folder / "runs" / "r"), done


@pytest.mark.slow
def test_each_part_of_a_failed_case_has_its_trace(recorded: tuple[Run, Done]) -> None:
    run, done = recorded
    assert done.code == 1, done.said
    case = f"{TASK}-0-r0"
    names = sorted(path.relative_to(run.folder / "playwright").as_posix() for path in run.folder.glob("playwright/*/*"))
    parts = (f"{case}.a0", f"{case}.a0-first")
    assert names == sorted(f"{part}/{file}" for part in parts for file in ("screenshot.png", "trace.zip"))
    with zipfile.ZipFile(run.folder / "playwright" / parts[1] / "trace.zip") as trace:
        steps = trace.read("trace.trace").decode()
        files = trace.namelist()
        everything = b"".join(trace.read(name) for name in files)
    assert "1. goto https://www.google.com" in steps
    assert "my key is [key]" in steps
    assert any(name.endswith(".html") for name in files), "the pages themselves are in it"
    assert KEY.encode() not in everything
    page = (run.traces / f"{case}.html").read_text("utf-8")
    assert f"playwright show-trace playwright/{parts[0]}/trace.zip" in page
    assert (run.folder.parents[1] / "output" / case / parts[0] / "trace.zip").is_file()


@pytest.mark.slow
def test_another_device_is_noted_like_an_overridden_fixture(recorded: tuple[Run, Done]) -> None:
    run, _ = recorded
    assert run.manifest.overridden == ("--device Pixel 5",)
    assert (
        '"width":393' in zipfile.ZipFile(next(run.folder.glob("playwright/*/trace.zip"))).read("trace.trace").decode()
    )


@pytest.mark.slow
def test_the_trace_viewer_shows_our_steps(recorded: tuple[Run, Done], tmp_path: Path) -> None:
    """The viewer that ships with Playwright, as `playwright show-trace` serves it."""
    run, _ = recorded
    viewer = tmp_path / "viewer"
    shutil.copytree(Path(playwright.__file__).parent / "driver" / "package" / "lib" / "vite" / "traceViewer", viewer)
    shutil.copy(run.folder / "playwright" / f"{TASK}-0-r0.a0" / "trace.zip", viewer)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(viewer)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    with sync_playwright() as driver, driver.chromium.launch(executable_path=find_chromium()) as browser:
        page = browser.new_page()
        page.goto(f"{base}/index.html?trace={base}/trace.zip")
        page.get_by_text("1. goto https://www.google.com").first.wait_for(timeout=60_000)
        assert page.get_by_text("2. finish with").first.is_visible()
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--browser", "firefox"), "--browser firefox: pages are observed by Chromium's protocol; leave --browser out"),
        (("--browser-channel", "chrome-canary-9"), "--browser-channel chrome-canary-9: "),
        (("--video", "on"), "run `playwright install ffmpeg`"),
    ],
)
def test_what_cannot_work_is_told_in_one_line(tmp_path: Path, options: tuple[str, str], message: str) -> None:
    env = environment(PLAYWRIGHT_BROWSERS_PATH=str(tmp_path), LONGTRAIL_CHROMIUM=str(find_chromium()))
    words = ("--task", TASK, "-m", "noise_0", "--agent", "nothing", f"--reports={tmp_path / 'reports'}")
    done = run_pytest(*words, *options, env=env)
    assert done.code == 4, done.said
    assert message in done.said
    channel = "--browser-channel" in options  # which only a start of the browser tells
    assert channel or not (tmp_path / "reports").exists()


def test_the_folder_of_the_reports_is_not_emptied(tmp_path: Path) -> None:
    """pytest-playwright deletes the folder of --output when a session begins."""
    (tmp_path / "reports" / "runs").mkdir(parents=True)
    options = ("--agent", "nothing", f"--reports={tmp_path / 'reports'}", f"--output={tmp_path}")
    done = run_pytest("--task", TASK, "-m", "noise_0", *options)
    assert done.code == 4, done.said
    assert "the reports are in it" in done.said
    assert (tmp_path / "reports" / "runs").is_dir()
