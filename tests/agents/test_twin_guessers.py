"""Agents that guess or remember get no pair of twins right: twins give them the same request, so the same decision."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from longtrail.agents.agent import Assignment, Equipment
from longtrail.agents.spec import AgentSpec
from longtrail.checks.decisions import decision_words
from longtrail.records.action import Decide
from longtrail.records.trajectory import Outcome
from longtrail.tasks.briefing import case_prompt
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.tasks.twins import load_twins
from tests.agents.views import BROWSING, view
from tests.pytest_plugin.pytest_process import run_pytest

TASKS, TWINS = load_tasks(), load_twins()
GUESSERS = ("constant", "surface", "stuffer", "visitor", "paster", "quoter", "word_list", "packed_notes", "lookup")
PAGE = view('main\n [3] link "Orders"\n a line with more than five words in it')


def prompts(task: DecisionTask) -> Mapping[str, str]:
    """Condition -> the prompt."""
    return {
        str(planned.case.prompt): case_prompt(task, planned.case) for planned in plan({task.id: task}, Conditions())
    }


def both(twin: DecisionTask) -> tuple[DecisionTask, DecisionTask]:
    task = TASKS[twin.twin]
    assert isinstance(task, DecisionTask)
    return task, twin


def test_no_prompt_tells_twins_apart() -> None:
    for task, twin in map(both, TWINS.values()):
        assert (prompts(task), task.start) == (prompts(twin), twin.start), task.id


@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_decides_by_the_prompt_alone(name: str) -> None:
    """One page stands for all pages: with the same prompt, the decision is the same whatever is read."""
    for task, twin in [both(twin) for twin in TWINS.values()][::8]:
        decision = decided(name, task)
        assert decision == decided(name, twin)
        assert (task.truth.optimal, twin.truth.optimal) != (decision, decision)


def decided(name: str, task: DecisionTask) -> str:
    words = tuple(decision_words(task.suite))
    assignment = Assignment(
        suite=task.suite,
        phase="main",
        prompt=prompts(task)["raw"],
        actions=(*BROWSING, "decide"),
        decisions=words,
        step_limit=25,
    )
    agent = AgentSpec.parse(name).factory(assignment, Equipment(options={}))
    while not isinstance(action := agent.act(PAGE), Decide):
        agent.observe(Outcome(ok=True, url=PAGE.observation.url), PAGE)
    return action.decision


@pytest.mark.thorough
def test_pairs_are_played_and_shown(tmp_path: Path) -> None:
    """`--twins` plays the twins of the chosen tasks, too; the oracle solves both, a constant decision one at most."""
    words = ("--task", "PW-014", "-m", "pathways and raw", "--twins", "--no-shots", "-q")
    done = run_pytest(*words, "--agent", "oracle", "--agent", "constant", f"--reports={tmp_path}", "--run", "pair")
    assert "pairs of twins, oracle, shopping_admin: both proven 100, both decided correctly 100 (n 1)" in done.out
    assert "pairs of twins, constant, shopping_admin: both proven 0, both decided correctly 0 (n 1)" in done.out
    assert "Twins proven" in (tmp_path / "leaderboard.html").read_text(encoding="utf-8")
    refused = run_pytest("--task", "PW-014", "-m", "raw", "--twins", "--variant", "1", f"--reports={tmp_path}")
    assert (refused.code, "--twins: a variant has no twins" in refused.said) == (4, True)


@pytest.mark.thorough
@pytest.mark.parametrize("name", GUESSERS)
def test_guessers_get_no_pair_right(name: str, tmp_path: Path) -> None:
    chosen = [word for twin in [*TWINS.values()][::10] for word in ("--task", twin.twin)]
    asked = (*chosen, "-m", "pathways and raw", "--twins", "--no-shots", "-q", "--agent", name)
    done = run_pytest(*asked, f"--reports={tmp_path}", "--run", "pairs")
    lines = [line for line in done.out.splitlines() if line.startswith("pairs of twins")]
    assert lines
    assert all("both proven 0, both decided correctly 0 " in line for line in lines)
