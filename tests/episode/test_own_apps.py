"""Tasks on a user's own app (Flask): all key steps, reset and log-in, blocked addresses, all kinds of agents."""

import sys
from pathlib import Path
from typing import Any

import pytest

from longtrail.checks.answers import AnswerCheck
from longtrail.checks.app_steps import AppValueStep
from longtrail.episode.open_app import OpenApp
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Fill, Finish, Goto, Select
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Outcome, Step, Target, Trajectory
from longtrail.tasks.app_task import AppTask
from tests.agents.views import Scripted
from tests.episode.shop_bench import TASK, Bench
from tests.tables import tables_of

TABLES = tables_of(__file__)

pytest.importorskip("flask")


def wanderer(*urls: str) -> Scripted:
    """Opens these addresses one after the other, and says that it is done."""
    return Scripted(*(Goto(url=url) for url in urls), end=Finish(answer="Refund issued"))


def test_a_log_in_that_fails_leaves_no_world_open(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A world that stays open would have its name for good: the next case of that name could not begin."""

    def refused(base: str) -> dict[str, str]:
        raise RuntimeError("no such account")

    monkeypatch.setattr(bench.shop, "login", refused)
    task = {**TASK, "app": {**TASK["app"], "login": "login"}}
    trajectory, _ = bench.play("oracle", task)
    assert trajectory.trouble is not None
    assert trajectory.trouble.kind == "site_error"
    for attempt in range(trajectory.attempt + 1):
        bench.web.open_world(f"refund-r0.a{attempt}").close()


def test_the_reference_passes_twice_as_the_app_is_reset(bench: Bench) -> None:
    for _ in range(2):
        trajectory, result = bench.play("oracle")
        assert result.outcome == "passed", (result.reason, trajectory.trouble)
        assert {step.name for step in result.key_steps if step.hit} == {key["name"] for key in TASK["key_steps"]}
        assert trajectory.provenance.web == "own"
        assert all(step.requests for step in trajectory.steps if step.action and step.action.type == "click")


def test_nothing_but_the_named_address_is_reachable(bench: Bench) -> None:
    """Neither by addresses that the agent opens nor by what pages load. The attempts are recorded."""
    port = bench.other_address.rpartition(":")[2]
    urls = [f"{bench.other_address}/", f"http://localhost:{port}/", "https://example.com/", f"{bench.shop.address}/"]
    trajectory, result = bench.play(lambda *_: wanderer(*urls))
    assert bench.other == []
    assert [step.outcome.ok for step in trajectory.steps[:4]] == [False, False, False, True]
    assert "no site answers" in trajectory.steps[0].outcome.error
    tried = [line for step in trajectory.steps for line in step.outcome.violations]
    assert any("/leak" in line for line in tried)
    assert result.outcome == "failed"
    assert "missing" in result.reason


def test_claiming_is_not_doing(bench: Bench) -> None:
    _, result = bench.play(lambda *_: wanderer(f"{bench.shop.address}/orders/12"))
    missed = {step.name: step.reason for step in result.key_steps if not step.hit}
    assert missed["sent"] == "no POST request at /orders/12/refund was sent"
    assert missed["api"] == "at the end it is 'paid', not 'refunded' (status 200)"
    assert "told" in missed


@pytest.mark.parametrize(("answer", "right"), TABLES["an_answer_alone_may_be_what_a_task_asks_for"])
def test_an_answer_alone_may_be_what_a_task_asks_for(bench: Bench, answer: dict[str, Any], right: bool) -> None:
    task = {**TASK, "key_steps": [], "answer": answer, "reference": [{"goto": "/"}, {"finish": "Refund issued"}]}
    _, result = bench.play("oracle", task)
    assert result.outcome == ("passed" if right else "failed"), result.reason
    assert [step.name for step in result.key_steps] == ["answer"]


@pytest.mark.parametrize(("answer", "number", "right"), TABLES["a_number_is_found_in_an_answer"])
def test_a_number_is_found_in_an_answer(answer: str, number: float, right: bool) -> None:
    assert AnswerCheck(number=number, tolerance=0.01).check(answer)[0] is right


@pytest.mark.parametrize(
    ("value", "outcome", "reason"),
    [
        (True, "passed", "everything"),
        (0.7, "failed", "the score is 0.7"),
        ([{"name": "a", "passed": True}, ("b", False, "no b")], "failed", "score b (no b)"),
        ([("a", "yes")], "invalid", "expected a check"),
        ("yes", "invalid", "expected a bool"),
        (ZeroDivisionError(), "invalid", "ZeroDivisionError"),
        (AssertionError("not so"), "failed", "not so"),
    ],
)
def test_a_scorer_of_ones_own(bench: Bench, value: Any, outcome: str, reason: str) -> None:
    def scorer(trajectory: Trajectory, task: AppTask) -> Any:
        assert (trajectory.steps[-1].action, task.id) == (Finish(answer="done"), "refund")
        if isinstance(value, Exception):
            raise value
        return value

    task = {**TASK, "key_steps": [], "score": "mine", "reference": [{"goto": "/"}, {"finish": "done"}]}
    _, result = bench.play("oracle", task, scorer=scorer)
    assert result.outcome == outcome
    assert reason in result.reason


def test_a_value_may_be_selected_and_a_path_may_have_a_query() -> None:
    step = AppValueStep(name="a", value="Large", element="Size")
    done = Outcome(ok=True, value="large", target=Target(role="combobox", name="Size"))
    view = Observation(url="http://127.0.0.1:1/orders?status=open&page=2", text="")
    chosen = Step(number=1, phase="main", observation=view, action=Select(id="1", option="Large"), outcome=done)
    typed = chosen.model_copy(update={"action": Fill(id="1", text="large")})
    assert step.hit_by(chosen) == "select with 'large'"
    assert step.hit_by(typed) == "fill with 'large'"
    assert not step.model_copy(update={"action": "fill"}).hit_by(chosen)
    for path, right in {"/orders": True, "/orders?status=open": True, "/orders?status=paid": False}.items():
        assert bool(step.model_copy(update={"paths": (path,)}).hit_by(chosen)) is right


def test_a_users_own_function_speaks_in_the_result(bench: Bench) -> None:
    task = {**TASK, "reference": [*TASK["reference"], {"goto": "/orders/13"}, TASK["reference"][3]]}
    _, result = bench.play("oracle", task)
    missed = {step.name: step.reason for step in result.key_steps if not step.hit}
    assert missed == {"only-that-one": "at the end it is False (order 13 was refunded, too)"}


def test_a_hook_that_fails_is_no_failure_of_the_agent(bench: Bench) -> None:
    def broken() -> None:
        raise RuntimeError("no database")

    trajectory, result = bench.play("oracle", reset=broken)
    assert result.outcome == "invalid"
    assert trajectory.trouble is not None
    assert trajectory.trouble.message == "reset hook: RuntimeError: no database"


def test_an_app_that_does_not_answer_is_no_failure_of_the_agent(bench: Bench) -> None:
    address, bench.shop.address = bench.shop.address, "http://127.0.0.1:9"
    try:
        _, result = bench.play("oracle", {**TASK, "key_steps": TASK["key_steps"][:1]})
    finally:
        bench.shop.address = address
    assert result.outcome == "invalid"
    assert result.trouble is not None
    assert result.trouble.kind == "site_error"


def test_an_agent_that_drives_the_browser_itself(bench: Bench, tmp_path: Path) -> None:
    """Its browser is observed from outside. Key steps count as for other agents, and other addresses stay blocked."""
    program = tmp_path / "clerk.py"
    program.write_text(CLERK)
    before = len(bench.other)
    trajectory, result = bench.play(f"cdp:{sys.executable} {program}")
    assert result.outcome == "passed", (result.reason, trajectory.trouble)
    assert len(bench.other) == before


CLERK = """
import json, sys
from playwright.sync_api import sync_playwright

task = json.loads(sys.stdin.readline())
with sync_playwright() as driver:
    page = driver.chromium.connect_over_cdp(task["cdp"]).contexts[0].pages[0]
    page.get_by_role("link", name="Order 12").click()
    page.get_by_label("Reason").fill("too small")
    page.get_by_role("button", name="Refund").click()
    page.get_by_text("Refund issued").wait_for()
print(json.dumps({"answer": "done"}))
"""


def test_a_missing_database_is_told(tmp_path: Path) -> None:
    app = AppTask.model_validate({**TASK, "app": {"address": "http://127.0.0.1:9", "database": "none.sqlite3"}}).app
    step = {"kind": "sql", "name": "rows", "query": "SELECT 1"}
    steps = AppTask.model_validate({**TASK, "key_steps": [step]}).key_steps
    with pytest.raises(HarnessTrouble, match=r"key step rows: there is no database .*none\.sqlite3"):
        OpenApp(app, app.address, tmp_path).read(steps)
