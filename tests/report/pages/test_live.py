"""Live view: the site of a run in progress, only with the token and on this machine."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser

from longtrail.commands.main import main
from longtrail.report.live import LiveReports
from longtrail.report.run.view import view_run
from longtrail.runs.store import Run
from longtrail.runs.under_way import read_under_way, under_way
from tests.pytest_plugin.pytest_process import Done, run_pytest
from tests.report.pages.made_runs import FOUR, make_run, results

PIXEL = bytes.fromhex("89504e470d0a1a0a")


@pytest.fixture(scope="module")
def going_on(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in progress: three cases are not done yet."""
    folder = tmp_path_factory.mktemp("live") / "reports"
    run = make_run(folder, "now", results(FOUR[:1]), finished=False)
    for path in sorted((run.folder / "results").glob("*"))[:3]:
        path.unlink()
    (run.folder / "shots" / "one.png").write_bytes(PIXEL)
    return folder


@contextmanager
def serving(reports: Path) -> Iterator[str]:
    """The address of a real server on a port of its own; its token is `secret`."""
    server = uvicorn.Server(uvicorn.Config(LiveReports(reports, "secret").app(), port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def asking(server: str) -> httpx.Client:
    """A client that has the token."""
    return httpx.Client(base_url=server, cookies={"longtrail_token": "secret"}, timeout=60)


@pytest.fixture(scope="module")
def server(going_on: Path) -> Iterator[str]:
    with serving(going_on) as address:
        yield address


@pytest.fixture
def client(server: str) -> Iterator[httpx.Client]:
    with asking(server) as client:
        yield client


def test_nobody_without_the_token(server: str) -> None:
    with httpx.Client(base_url=server, timeout=60) as stranger:
        assert stranger.get("/leaderboard.html").status_code == 403
        assert stranger.get("/leaderboard.html?token=guess").status_code == 403
        assert stranger.get("/leaderboard.html", headers={"cookie": "longtrail_token=guess"}).status_code == 403
        answer = stranger.get("/leaderboard.html?token=secret")
        assert answer.has_redirect_location
        assert "secret" not in answer.headers["location"]
        assert "HttpOnly" in answer.headers["set-cookie"]
        assert "samesite=strict" in answer.headers["set-cookie"].lower()


def test_no_other_host_and_no_writing(client: httpx.Client) -> None:
    assert client.get("/leaderboard.html", headers={"host": "evil.test"}).status_code == 421
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert client.request(method, "/leaderboard.html").status_code == 405


@pytest.mark.parametrize(
    "path",
    ["/runs/now/lock", "/runs/now/episodes", "/runs/../../etc/passwd", "/runs/%2e%2e/%2e%2e/x.html", "/.git/a.html",
     "/runs/no/index.html", "/runs/now/nothing.html"],
)  # fmt: skip
def test_nothing_but_pages_and_their_files(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_link_out_of_the_folder_is_not_followed(client: httpx.Client, going_on: Path, tmp_path: Path) -> None:
    (tmp_path / "private.html").write_text("private")
    (going_on / "out.html").symlink_to(tmp_path / "private.html")
    assert client.get("/out.html").status_code == 404


def test_nothing_is_written(client: httpx.Client, going_on: Path) -> None:
    before = sorted(going_on.rglob("*"))
    for path in ("/leaderboard.html", "/runs/now/index.html", "/runs/now/cases.html", "/runs/now/data/cases.js"):
        assert client.get(path).status_code == 200
    assert sorted(going_on.rglob("*")) == before


def test_cases_appear_as_they_end(client: httpx.Client, going_on: Path) -> None:
    """A case is shown while it is played, with its step and last screenshot, and no longer when it has ended."""
    view = view_run(going_on / "runs" / "now")
    case = view.open_cases[0].case.id
    done = len(view.results)
    with under_way(view.folder, case) as mark:
        mark.step(7)
        mark.shot("one.png")
        page = client.get("/runs/now/index.html")
        assert f"{done} of {done + len(view.open_cases)} cases are done" in page.text
        assert "refresh" in page.headers
        assert f"<bdi>{case}</bdi>" in page.text
        assert "step 7" in page.text
        assert 'src="shots/one.png"' in page.text
        assert client.get("/runs/now/shots/one.png").content == PIXEL
    assert read_under_way(view.folder) == {}
    assert 'src="shots/one.png"' not in client.get("/runs/now/index.html").text


def test_the_mark_goes_when_the_case_breaks(tmp_path: Path) -> None:
    def broken() -> None:
        with under_way(tmp_path, "one"):
            assert list(read_under_way(tmp_path)) == ["one"]
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken()
    assert read_under_way(tmp_path) == {}


def test_steps_of_a_real_run_without_screenshots(tmp_path: Path) -> None:
    """With `--no-shots`, the page still shows the step of the case that is being played."""
    reports = tmp_path / "reports"
    with socket.create_server(("127.0.0.1", 0)) as held:
        held.settimeout(300)
        port = held.getsockname()[1]
        agent = ("--agent", "tests.pytest_plugin.scripted_agents:held", "--agent-arg", f"port={port}")
        args = ("-q", *agent, "--task", "pw-025", "-m", "raw and not appeal", "--no-shots")
        done: list[Done] = []
        play = partial(run_pytest, *args, f"--reports={reports}", "--run=now")
        session = threading.Thread(target=lambda: done.append(play()))
        session.start()
        waiting, _ = held.accept()
        with waiting, serving(reports) as address, asking(address) as client:
            page = client.get("/runs/now/index.html").text
            assert "0 of 1 cases are done" in page
            assert "step 3" in page
            assert 'src="shots/' not in page
            assert '"outcome":[3]' in client.get("/runs/now/data/cases.js").text.replace(" ", "")  # it is running
            waiting.send(b".")
            session.join()
            assert done[0].code == 1, done[0].said[-3000:]
            assert "1 failed" in client.get("/runs/now/index.html").text
            assert client.get("/runs/now/index.html").headers.get("refresh") is None


def test_in_a_browser(server: str, browser: Browser) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{server}/leaderboard.html?token=secret")
    assert "token" not in page.url
    page.locator("#runs").get_by_role("link", name="now").first.click()
    page.get_by_role("link", name="What is left").click()
    page.locator(".k-waiting").first.wait_for()
    assert said == []


def test_there_must_be_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path / "nowhere")]) == 4
    assert "no such folder" in capsys.readouterr().err


def test_a_run_can_be_opened_while_it_is_played(going_on: Path) -> None:
    """Viewing takes no lock."""
    run = Run(going_on / "runs" / "now")
    run.lock()
    assert view_run(run.folder).open_cases
    run.close()
