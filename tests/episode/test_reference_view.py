"""Whoever plays a reference solution sees the tree, whatever the contender is shown; a failed reference makes the case
invalid and never counts as the agent's failure."""

from collections.abc import Iterator
from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import play_once
from longtrail.records.action import Finish
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.web.sealed import SealedWeb
from tests.agents.views import Scripted
from tests.exploits.conftest import FORUM, IKEA

FORMS: dict[str, Any] = {"html": {"form": "html"}, "text": {"form": "text"}, "little": {"tokens": 200}}
NO_SUCH_LINK = {"click": {"role": "link", "name": "There is no such link"}}


@pytest.fixture
def browser(shared_browser: Browser) -> Iterator[Browser]:
    yield shared_browser
    shared_browser.settings = ViewSettings()


def play(web: SealedWeb, browser: Browser, form: str, task: Task, agent: str = "oracle") -> Trajectory:
    browser.settings = ViewSettings(**FORMS[form])
    condition: dict[str, Any] = {"prompt": "raw"} if isinstance(task, DecisionTask) else {"noise_tokens": 0}
    case = Case(id="case-r0", suite=task.suite, task=task.id, **condition)
    mine = agent != "oracle"
    settings = EpisodeSettings(first_subtask="reference" if mine else "agent")
    factory = (lambda *_: Scripted(end=Finish(answer="done"))) if mine else None
    return play_once(case, task, EpisodeContext(web, browser, Contender(agent=agent), factory, settings=settings))


@pytest.mark.sampled(4, ci=2)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("task", [FORUM, IKEA], ids=lambda task: task.id)
def test_the_oracle_passes_whatever_agents_are_shown(
    embedded_web: SealedWeb, browser: Browser, form: str, task: Task
) -> None:
    trajectory = play(embedded_web, browser, form, task)
    assert trajectory.trouble is None
    result = score(task, trajectory)
    assert result.outcome == "passed", result.reason
    told = [change for step in trajectory.steps for change in step.changes]
    assert {(one.table, one.key) for one in told} >= {(one.table, one.key) for one in trajectory.changes}
    assert told or not trajectory.changes
    assert all(step.requests for step in trajectory.steps if step.changes)


@pytest.mark.parametrize("form", ["html", "text"])
def test_only_the_reference_of_the_first_part_sees_the_tree(
    embedded_web: SealedWeb, browser: Browser, form: str
) -> None:
    trajectory = play(embedded_web, browser, form, IKEA, "my:agent")
    assert trajectory.trouble is None
    result = score(IKEA, trajectory)
    assert result.outcome == "failed"
    assert result.metrics["success_a1"].value is True, "the first part is done"
    first, second = trajectory.phase("a1")[0].observation.text, trajectory.phase("a2")[0].observation.text
    assert 'heading "Google" level=1' in first
    assert '] link "' not in second


def test_a_reference_that_fails_is_not_the_agent_s_failure(embedded_web: SealedWeb, browser: Browser) -> None:
    assert isinstance(IKEA, LongContextTask)
    moves = (*IKEA.a1.reference[:1], type(IKEA.a1.reference[0]).model_validate(NO_SUCH_LINK))
    broken = IKEA.model_copy(update={"a1": IKEA.a1.model_copy(update={"reference": moves})})
    trajectory = play(embedded_web, browser, "html", broken, "my:agent")
    assert trajectory.trouble is not None
    assert trajectory.trouble.kind == "harness_bug"
    assert "the reference solution did not complete the first part" in trajectory.trouble.message
    assert "There is no such link" in trajectory.trouble.message
    assert score(broken, trajectory).outcome == "invalid"
