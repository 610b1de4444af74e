"""Accessibility: axe's check of the page where an agent ended on a user's own app."""

import sys
from pathlib import Path

import pytest

from longtrail.records.action import Finish, Goto
from longtrail.tasks.app_task import AppTask
from tests.agents.views import Scripted
from tests.episode.shop_bench import TASK, Bench
from tests.pytest_plugin.pytest_process import environment, run_pytest

pytest.importorskip("flask")
pytest.importorskip("axe_playwright_python")
SAID = {**TASK, "key_steps": [], "reference": [], "answer": {"equals": "done"}}


def test_the_last_page_is_checked_and_the_agent_sees_nothing_of_it(bench: Bench) -> None:
    plain, without = bench.play("oracle")
    trajectory, result = bench.play("oracle", {**TASK, "no_accessibility_violation": True})
    assert [step.observation for step in trajectory.steps] == [step.observation for step in plain.steps]
    assert (without.outcome, result.outcome) == ("passed", "failed")
    assert "accessibility_violations" not in without.metrics
    assert result.number("accessibility_violations") == 1
    missed = next(key for key in result.key_steps if not key.hit)
    assert missed.name == "no_accessibility_violation"
    assert missed.reason.startswith("html-has-lang (serious, 1 element): <html> element must have a lang attribute")
    assert "[axe-core 4." in missed.reason


def test_a_strict_policy_does_not_stop_it(bench: Bench) -> None:
    opened = Goto(url=f"{bench.shop.address}/strict")
    agent = Scripted(opened, end=Finish(answer="done"))
    _, result = bench.play(lambda *_: agent, {**SAID, "accessibility": True})
    assert result.outcome == "passed", result.reason
    assert result.number("accessibility_violations") == 2
    assert "button-name (critical, 2 elements): Buttons must have discernible text" in (
        result.metrics["accessibility_violations"].reason
    )


def test_a_page_that_cannot_be_checked_is_no_failure(bench: Bench) -> None:
    reference = [{"click": {"role": "link", "name": "Partner"}}, {"finish": "done"}]
    task = {**SAID, "no_accessibility_violation": True, "reference": reference}
    trajectory, result = bench.play("oracle", task)
    assert trajectory.trouble is None
    assert result.outcome == "passed", result.reason
    assert [key.name for key in result.key_steps] == ["answer"]
    metric = result.metrics["accessibility_violations"]
    assert metric.value is None
    assert metric.reason == f"the agent ended at {bench.other_address}/, which is not the app's"


@pytest.mark.thorough
def test_an_agent_that_drives_the_browser_itself(bench: Bench, tmp_path: Path) -> None:
    program = tmp_path / "visitor.py"
    program.write_text(DRIVER)
    _, result = bench.play(f"cdp:{sys.executable} {program}", {**SAID, "accessibility": True})
    assert result.number("accessibility_violations") == 1, result.metrics["accessibility_violations"].reason
    program.write_text(f"{DRIVER}    page.close()\n")
    _, result = bench.play(f"cdp:{sys.executable} {program}", {**SAID, "accessibility": True})
    assert result.outcome == "passed", result.reason
    assert result.metrics["accessibility_violations"].value is None
    assert "checked" in result.metrics["accessibility_violations"].reason


DRIVER = """
import json, sys
from playwright.sync_api import sync_playwright

task = json.loads(sys.stdin.readline())
with sync_playwright() as driver:
    page = driver.chromium.connect_over_cdp(task["cdp"]).contexts[0].pages[0]
    page.get_by_role("link", name="Order 12").click()
    page.get_by_label("Reason").wait_for()
    print(json.dumps({"answer": "done"}), flush=True)
"""


def test_it_is_no_criterion_by_itself() -> None:
    """A page that can't be checked would pass."""
    with pytest.raises(ValueError, match="nothing says when it is done"):
        AppTask.model_validate({**SAID, "answer": None, "no_accessibility_violation": True})


@pytest.mark.slow
def test_without_the_extra_nothing_is_played(tmp_path: Path) -> None:
    (tmp_path / "without_axe.py").write_text("import sys\nsys.modules['axe_playwright_python'] = None\n")
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "home.yaml").write_text(
        '- {suite: app, id: home, app: {command: ["{python}", -m, http.server, "{port}"]}, instruction: Look.,\n'
        "   answer: {equals: done}, accessibility: true, reference: [{finish: done}]}\n"
    )
    given = (f"--tasks={tmp_path / 'tasks'}", "-m", "app", f"--reports={tmp_path / 'r'}", "-p", "without_axe")
    done = run_pytest(*given, env=environment(PYTHONPATH=str(tmp_path)))
    assert done.code != 0
    assert "home: accessibility needs axe: pip install 'longtrail[axe]'" in done.said
    assert not (tmp_path / "r" / "runs").exists()
