"""Rubrics of tasks on own apps, judged by a scripted model behind a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from longtrail.episode.rubric import with_rubric
from longtrail.errors import UsageError
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.server import MockServer
from longtrail.options.plan import check_judge
from longtrail.options.run_options import Options
from longtrail.records.action import Finish
from longtrail.records.case import Case
from longtrail.records.site_reports import RUBRIC_TIMES
from longtrail.records.trajectory import Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import PlannedCase
from tests.made import step, trajectory

RUBRIC = 'The answer says "delayed by snow".'


@pytest.fixture(scope="module")
def server() -> Iterator[MockServer]:
    with MockServer() as server:
        yield server


def task(**fields: object) -> AppTask:
    app = {"address": "http://127.0.0.1:8000"}
    return AppTask.model_validate(
        {"suite": "app", "id": "delay", "app": app, "instruction": "Why is it late?", "judge": RUBRIC, **fields}
    )


def finished(answer: str) -> Trajectory:
    case = Case(id="delay-r0", suite="app", task="delay")
    return trajectory((step(1, Finish(answer=answer)),)).model_copy(update={"case": case})


@pytest.mark.parametrize(
    ("answer", "outcome", "met"), [("It was delayed by snow.", "passed", RUBRIC_TIMES), ("No idea.", "failed", 0)]
)
def test_the_majority_of_the_judges_answers_counts(server: MockServer, answer: str, outcome: str, met: int) -> None:
    judge = LiteLLMClient("openai/scripted-judge", {"api_base": server.url})
    before = len(server.requests)
    judged = with_rubric(task(), finished(answer), judge)
    assert len(server.requests) - before == RUBRIC_TIMES
    result = score(task(), judged)
    assert result.outcome == outcome
    assert f"{met} of {RUBRIC_TIMES} answers of the judge say that it is met" in result.key_steps[0].reason
    assert result.number("judge_agreement") == 1.0
    assert judged.opinion is not None
    assert judged.opinion.usage.calls == RUBRIC_TIMES


def test_without_a_judge_the_rubric_does_not_count() -> None:
    result = score(task(answer={"contains": ["idea"]}), finished("No idea."))
    assert result.outcome == "passed"
    assert [key.name for key in result.key_steps] == ["answer"]


def test_a_judge_that_fails_makes_the_case_invalid() -> None:
    nowhere = LiteLLMClient("openai/scripted-judge", {"api_base": "http://127.0.0.1:9/v1", "retries": 0})
    judged = with_rubric(task(), finished("It was delayed by snow."), nowhere)
    assert judged.trouble is not None
    assert judged.trouble.kind.startswith("llm_")
    assert score(task(), judged).outcome == "invalid"


def test_a_task_that_only_a_judge_can_judge_needs_one() -> None:
    planned = PlannedCase(case=Case(id="delay-r0", suite="app", task="delay"), task=task(), markers=())
    options = Options(contenders=(), reports=Path("reports"))
    with pytest.raises(UsageError, match=r"delay: only its rubric.*add --judge MODEL"):
        check_judge(options, [planned])
    check_judge(options.model_copy(update={"judge": "openai/scripted-judge"}), [planned])
