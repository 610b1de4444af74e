"""`longtrail browse`: where it starts, what it prints, who may connect, how it ends."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import BrowserContext

from longtrail.authoring import browse
from longtrail.errors import UsageError
from longtrail.paths import TASKS as TASKS_FOLDER
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.tasks.examples import decision, long_context
from tests.web.conftest import Chromium
from tests.web.probe import Probe
from tests.web.tiny.tiny_site import make as tiny

CASE = DecisionTask.model_validate(decision())
JOURNEY = LongContextTask.model_validate(long_context())
TASKS = (CASE, JOURNEY)
SITES = (tiny(), Probe())
WALK = """
from tests.web.probe import Probe
from longtrail.authoring.browse import browse
from tests.web.tiny.tiny_site import make
browse("tiny", port={port}, tasks=[], sites=(make(), Probe()))
"""


@contextmanager
def walking(port: int = 0) -> Iterator[subprocess.Popen[str]]:
    """`longtrail browse tiny` without a display."""
    blind = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    code = WALK.format(port=port)
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=blind)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()  # type: ignore[union-attr]


def read_until(process: subprocess.Popen[str], word: str) -> str:
    """What the process prints up to the line with this word."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if word in line:
            break
    return text


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there always is a display")
def test_without_a_display_it_says_how_to_come_in_and_shows_requests() -> None:
    with walking() as process:
        told = read_until(process, "Press Ctrl-C to stop")
        found = re.search(r"curl --insecure --proxy (http://127\.0\.0\.1:\d+) (https://\S+)", told)
        assert found
        address, start = found.groups()
        assert start == "https://tiny.test/"
        assert f"--proxy-server={address} --proxy-bypass-list='<-loopback>'" in told
        with httpx.Client(proxy=address, verify=False, trust_env=False) as asking:  # as a person's browser: no password
            assert "Borrow it" in asking.get(start).text
            assert asking.get("https://evil.example/").status_code == 403
        assert read_until(process, "evil.example").splitlines() == [
            "200 GET     -         https://tiny.test/",
            "403 GET     -         https://evil.example/",
        ]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0


def test_a_taken_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=rf"^port {port} can't be used: .*; choose another with --port$"):
            browse.browse("tiny", port=port, tasks=[], sites=SITES)


def test_where_it_starts() -> None:
    assert browse.destination(None, TASKS, SITES) == ("https://www.google.com/", "")
    assert browse.destination("tiny", TASKS, SITES) == ("https://tiny.test/", "")
    assert browse.destination("WWW.imdb.com", TASKS, SITES) == ("https://www.imdb.com/", "")
    for task in TASKS:
        start, prompt = browse.destination(task.id.upper(), TASKS, SITES)
        assert start == task.start
        assert prompt == browse.instruction_text(task)


def test_the_words_of_a_task_are_those_an_agent_gets() -> None:
    told = browse.instruction_text(CASE)
    assert CASE.trigger.strip() in told
    assert CASE.truth.optimal in told, "all decisions to choose from"
    assert CASE.prompts.hint not in told
    assert [JOURNEY.a1.instruction, JOURNEY.a2.instruction] == [
        line[3:] for line in browse.instruction_text(JOURNEY).splitlines()[1:]
    ]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("nowhere", "sites are tiny, probe"),
        (CASE.id[:-1], rf"did you mean {CASE.id}\?$"),
        ("tinny", r"did you mean tiny\?$"),
    ],
)
def test_an_unknown_target_is_one_line(given: str, says: str) -> None:
    with pytest.raises(UsageError, match=rf"^{given}: no such task, site or host; {says}") as caught:
        browse.destination(given, TASKS, SITES)
    assert "\n" not in str(caught.value)


def test_the_world_is_open_only_here() -> None:
    with browse.serving(SITES, 0) as (web, _), httpx.Client(proxy=web.address, verify=False, trust_env=False) as asking:
        assert asking.get("https://tiny.test/").status_code == 200
    with SealedWeb(SITES) as web, httpx.Client(proxy=web.address, verify=False, trust_env=False) as asking:
        web.open_world("closed")
        with pytest.raises(httpx.ProxyError, match="407"):
            asking.get("https://tiny.test/")


def test_a_hard_task_is_opened_in_its_own_state() -> None:
    """The action log exists only in the state in which the hard tier is played."""
    task = load_tasks(TASKS_FOLDER / "hard_shop")["HS-01"]
    for named, status in ((task, 200), (None, 404)):
        with browse.serving(all_sites(), 0, named) as (web, _):
            proxied = httpx.Client(proxy=web.address, verify=False, trust_env=False, timeout=60, follow_redirects=True)
            with proxied as asking:
                assert asking.get("https://shopadmin.test/admin/logging/event/").status_code == status
    assert browse.task_named("hs-01", [task]) is task


def test_requests_are_shown_until_the_last_tab_closes(
    chromium: Chromium, web: SealedWeb, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    def watch(context: BrowserContext) -> None:
        page = context.new_page()
        page.goto("https://probe.test/")
        page.evaluate("setTimeout(() => location = '/cookie', 50)")
        page.on("load", lambda: page.close())
        browse.print_requests(world, context)
        assert not context.pages

    chromium.within(web, world, watch)
    assert capsys.readouterr().out.splitlines()[0] == "200 GET     document  https://probe.test/"


@pytest.mark.skipif(browse.has_display(), reason="a window would open")
def test_where_no_window_opens_it_says_so_in_one_line() -> None:
    def watch() -> None:
        with browse.serving(SITES, 0) as (web, world):
            browse.watch_window(web, world, "https://tiny.test/")

    words = r"can.t open a window here|no Chromium with windows"
    with ThreadPoolExecutor(1) as thread, pytest.raises(UsageError, match=words) as caught:
        thread.submit(watch).result(timeout=60)  # in a thread of its own, because a thread can run only one Playwright
    assert "\n" not in str(caught.value)
