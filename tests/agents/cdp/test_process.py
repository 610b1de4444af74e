"""Agents that drive the browser themselves and go wrong: a crash from outside is trouble; invalid output, slowness or
an endless program is the agent's fault. Real programs, a real browser."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.process import AgentProcess, TaskMessage
from longtrail.agents.spec import command
from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.episode.external_agent_loop import ExternalAgentLoop
from longtrail.episode.phase_loop import Journal, PhaseContext
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.records.action_forms import forms
from longtrail.records.trajectory import End
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World
from tests.agents.views import case
from tests.web.tiny.tiny_site import make

Play = Callable[..., tuple[End, Journal]]


@pytest.fixture(scope="module")
def world_and_browser() -> Iterator[tuple[World, AgentBrowser]]:
    """One agent browser, used by all tests in turn."""
    with SealedWeb([make()]) as web, Browser(ViewSettings(screenshot=False)) as browser:
        world = web.open_world("outside")
        agent_browser = AgentBrowser(browser, world, web.own_proxy(world))
        yield world, agent_browser
        agent_browser.close()
        world.close()


def started(words: list[str], browser: AgentBrowser) -> Callable[[TaskMessage], AgentProcess]:
    return lambda task: AgentProcess(words, task, browser.files)


@pytest.fixture
def play(world_and_browser: tuple[World, AgentBrowser]) -> Play:
    """Lets a Python program play a phase; returns how it ended, and the journal."""
    world, agent_browser = world_and_browser
    agent_browser.goto("https://tiny.test/")

    def run(program: str, limit: int = 5, seconds: float = 30.0, words: list[str] | None = None) -> tuple[End, Journal]:
        assignment = case("Decide.").model_copy(
            update={"step_limit": limit, "actions": forms(("click", "goto", "decide"))}
        )
        journal, options = Journal(), {"timeout": str(seconds)}
        agent = words or [sys.executable, "-c", program]
        context = PhaseContext(assignment, world, journal)
        return ExternalAgentLoop(started(agent, agent_browser), None, options, agent_browser, context).play(), journal

    return run


def test_a_program_that_breaks_is_the_agent_s_failure(play: Play) -> None:
    end, journal = play("raise RuntimeError('no engine')")
    assert (end.reason, end.detail) == ("agent_error", "the agent ended with code 1: RuntimeError: no engine")
    assert "Traceback" in end.traceback
    assert journal.ends == [end]


def test_the_line_of_an_error_is_told_not_node_s_version(play: Play) -> None:
    stack = "TypeError [ERR_X]: no page\n    at main (/agent.mjs:3:7)"
    crash = f"/agent.mjs:3\nthrow new TypeError('x')\n^\n\n{stack}\n\nNode.js v22.3.0\n"
    end, _ = play(f"import sys; sys.stderr.write({crash!r}); sys.exit(1)")
    assert end.detail == "the agent ended with code 1: TypeError [ERR_X]: no page"


@pytest.mark.parametrize(
    "last_line",
    ["I am done.", "", '{"decision": "MAYBE"}', '{"answer": 3}', '{"answer": "no decision"}'],
    ids=["babble", "nothing", "no such decision", "wrong form", "finish where one decides"],
)
def test_a_last_line_that_is_no_answer_is_the_agent_s_mistake(play: Play, last_line: str) -> None:
    end, journal = play(f"print({last_line!r})")
    assert end.reason == "finish"
    (step,) = journal.steps
    assert step.action is None
    assert step.raw == last_line
    assert step.outcome.error == "the agent's last line of output is no valid answer"


def test_a_program_that_does_not_read_its_task_blocks_nobody(tmp_path: Path) -> None:
    """A pipe holds 64 kB: writing more into it would wait for the program, for ever."""
    message = TaskMessage(prompt="p", cdp="http://127.0.0.1:1", history="x" * 1_000_000, step_limit=3, seconds=0.1)
    running = AgentProcess([sys.executable, "-c", "import time; time.sleep(600)"], message, tmp_path)
    assert not running.wait(0.2)
    assert running.timed_out
    running.close()


def test_an_answer_is_the_last_step(play: Play) -> None:
    end, journal = play(
        "import json; print('some log'); print(json.dumps("
        "{'decision': 'DENY', 'justification': 'fraud', 'usage': {'calls': 2, 'usd': 0.5}, 'own': 1}))"
    )
    assert (end.reason, end.detail) == ("decide", "DENY")
    (step,) = journal.steps
    assert step.outcome.ok
    assert (step.usage.calls, step.usage.usd) == (2, 0.5)


def test_what_can_t_be_started_is_told_in_a_line(play: Play) -> None:
    with pytest.raises(UsageError, match="'/no/such/program' can't be started: No such file"):
        play("", words=command("/no/such/program"))
    for name, problem in (
        ("", "expected cdp:package.module:function or cdp:COMMAND"),
        ("no.such.module:solve", "can't import 'no.such.module'"),
        ("json:no_such", "has no callable 'no_such'"),
    ):
        with pytest.raises(UsageError, match=problem):
            command(name)


def test_time_and_steps_are_limited(play: Play) -> None:
    start = time.monotonic()
    end, journal = play("import time; time.sleep(300)", seconds=1.0)
    assert (end.reason, end.detail) == ("step_limit", "1 seconds")
    assert time.monotonic() - start < 60
    browse = """
import json, sys, time
from playwright.sync_api import sync_playwright
errand = json.loads(sys.stdin.read())
with sync_playwright() as driver:
    page = driver.chromium.connect_over_cdp(errand["cdp"]).contexts[0].pages[0]
    for number in range(60):
        page.goto("https://tiny.test/" + ("tools", "hours")[number % 2])
"""
    end, journal = play(browse, limit=3)
    assert (end.reason, end.detail) == ("step_limit", "3 steps")
    assert [step.action.type for step in journal.steps if step.action] == ["goto"] * 3


def test_a_browser_that_is_lost_is_trouble() -> None:
    """The browser was killed, not closed."""
    with SealedWeb([make()]) as web, Browser(ViewSettings(screenshot=False)) as browser:
        world = web.open_world("lost")
        agent_browser = AgentBrowser(browser, world, web.own_proxy(world))
        agent_browser.goto("https://tiny.test/")
        os.killpg(agent_browser._process.pid, signal.SIGKILL)
        for ask in (agent_browser.look, agent_browser.storage_state):
            with pytest.raises(HarnessTrouble, match="browser_crash"):
                ask()
        agent_browser.close()
        world.close()


def test_an_agent_whose_tab_was_killed_is_neither_blamed_nor_played_again() -> None:
    """Its program fails because the renderer of its page was killed from outside."""
    with SealedWeb([make()]) as web, Browser(ViewSettings(screenshot=False)) as browser:
        world = web.open_world("killed")
        agent_browser = AgentBrowser(browser, world, web.own_proxy(world))
        agent_browser.goto("https://tiny.test/")
        program = f"""
import json, os, signal, sys
import psutil
from playwright.sync_api import sync_playwright
errand = json.loads(sys.stdin.read())
with sync_playwright() as driver:
    page = driver.chromium.connect_over_cdp(errand["cdp"]).contexts[0].pages[0]
    page.goto("https://tiny.test/tools")
    for process in psutil.Process({agent_browser._process.pid}).children(recursive=True):
        if "--type=renderer" in " ".join(process.cmdline()):
            os.kill(process.pid, signal.SIGKILL)
    page.wait_for_selector("#never", timeout=60_000)
"""
        context = PhaseContext(case("Decide."), world, Journal())
        start = started([sys.executable, "-c", program], agent_browser)
        with pytest.raises(HarnessTrouble, match="worker_crash: a tab of the agent's browser was killed"):
            ExternalAgentLoop(start, None, {}, agent_browser, context).play()
        agent_browser.close()
        world.close()
