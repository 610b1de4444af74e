"""Earlier: what the agent gets before the noise (guidance or evidence), what it remembers, and how that counts."""

import pytest

from longtrail.browser.session import Browser
from longtrail.clock import NOW
from longtrail.episode.context import EpisodeContext
from longtrail.episode.first_part import noted
from longtrail.episode.runner import play_once
from longtrail.errors import HarnessTrouble
from longtrail.records.memory import PastTask, remember, render_episode
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Step
from longtrail.scoring.score import score
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.matcher import matches
from longtrail.web.sealed import SealedWeb
from tests.made import CUSTOMER, EVIDENCE, case, decide, decision_task, investigation, trajectory

TASK = decision_task()
TASKS = load_tasks()


def early() -> tuple[Step, ...]:
    return tuple(step.model_copy(update={"phase": "a1"}) for step in noted(TASK, (*investigation(), decide(4))))


def played(*main: Step) -> Result:
    crossed = case(placement="lost_evidence", prompt="raw", noise_tokens=25_000)
    return score(TASK, trajectory((*early(), *main), crossed))


def test_half_of_the_facts_are_noted_with_their_words() -> None:
    steps = early()
    assert len(steps) == 3, "it ends after the first of two facts was read"
    kept = render_episode(PastTask(instruction="x", steps=remember(steps)))
    assert "15 returns, all size exchanges M/L to L/XL" in kept
    assert "5,879" not in kept
    assert "Mar 2, 2026" not in steps[-1].observation.text, "the page itself is not remembered"
    assert steps[-1].action is not None
    assert steps[-1].action.type == "finish"


def test_a_fact_on_a_page_that_must_be_opened_anyway_is_not_noted() -> None:
    both = {"order:600/history", "customer:87"}
    facts = tuple(
        fact.model_copy(update={"pages": tuple(sorted(both))}) if fact.id == "net-value" else fact
        for fact in TASK.facts
    )
    read = (*investigation(), decide(4, url=CUSTOMER, text="Net value $5,879.84"))
    steps = noted(TASK.model_copy(update={"facts": facts}), read)
    kept = render_episode(PastTask(instruction="x", steps=remember(steps)))
    assert ("5,879" in kept, "15 returns" in kept) == (True, False)


def test_what_was_noted_counts_as_shown_and_must_be_said() -> None:
    remembered = played(decide(1, url=CUSTOMER))
    assert remembered.outcome == "passed", remembered.reason
    assert [fact.delivered for fact in remembered.facts] == [0, 1]
    assert remembered.facts[0].reason.startswith("noted before the noise")
    assert remembered.metrics["noted_given"].value == 1.0
    assert remembered.metrics["noted_read_again"].value == 0.0
    forgotten = played(decide(1, justification="The net value is $5,879.84.", url=CUSTOMER, evidence=EVIDENCE[1:]))
    assert forgotten.outcome == "failed"
    assert forgotten.metrics["investigation"].value is True
    assert forgotten.stage == "reasoning"
    assert forgotten.metrics["noted_given"].value == 0.0


def test_what_was_not_noted_must_be_looked_up() -> None:
    guessed = played(decide(1, text="Nothing of use"))
    assert guessed.metrics["investigation"].value is False
    plain = score(TASK, trajectory((*investigation(), decide(4))))
    assert plain.metrics["noted_given"].value is None


def test_a_reference_that_reads_too_little_is_the_harness_s_trouble() -> None:
    with pytest.raises(HarnessTrouble, match="has read 0 of 1 facts before the noise"):
        noted(TASK, investigation()[:1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "placement", "prompt"),
    [("PW-025", "lost_evidence", "raw"), ("brigade_thread_002", "lost_guidance", "explicit")],
)
def test_the_oracle_proves_cases_with_something_before_the_noise(
    embedded_web: SealedWeb, shared_browser: Browser, name: str, placement: str, prompt: str
) -> None:
    task = TASKS[name]
    assert isinstance(task, DecisionTask)
    facts = {"id": "x", "suite": task.suite, "task": name, "noise_tokens": 25_000}
    crossed = Case.model_validate(facts | {"placement": placement, "prompt": prompt})
    found = play_once(crossed, task, EpisodeContext(embedded_web, shared_browser, Contender(agent="oracle")))
    assert found.trouble is None
    assert score(task, found).outcome == "passed"
    assert found.history is not None
    assert abs(found.history.tokens - 25_000) <= 250
    assert found.history.before == 0
    if placement == "lost_evidence":
        seen = [step.observation.text for step in found.phase("a1")]
        known = [f for f in task.required if any(matches(way, text, NOW) for way in f.shown for text in seen)]
        assert len(known) == len(task.required) // 2
        assert "Average" in "".join(seen), "a row of figures comes with the names of its columns"
