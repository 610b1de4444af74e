"""A case played from outside: what the player is told, the score, the same case twice at once, and variants."""

import gc
import weakref

import pytest

from longtrail.agents.agent import Move
from longtrail.checks.hosts import host_of
from longtrail.environment.actions import answer_rules, move_from_text
from longtrail.environment.cases import suite_cases
from longtrail.environment.episode import OVER, TextEpisode, briefing, reference_actions, shared_web
from longtrail.errors import UsageError
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import PlannedCase
from longtrail.variants.variant import variant

PLAYER = Contender(agent="inspect")


def forum_case() -> PlannedCase:
    return next(planned for planned in suite_cases("reddit").values() if planned.task.id == "FCSV_medium_005")


@pytest.mark.slow
def test_the_reference_solution_played_from_outside_is_rewarded() -> None:
    planned = forum_case()
    actions = reference_actions(planned)
    first, second = (TextEpisode(planned.case, planned.task, PLAYER) for _ in range(2))
    try:
        assert first.open() == second.open()
        shown = [first.move(Move(action=action)) for action in actions]
    finally:
        second.stop()
    assert shown[-1] == OVER
    assert first.ended is not None
    assert (first.ended.reward, first.ended.result.outcome) == (1.0, "passed")
    with pytest.raises(UsageError, match="the task is over"):
        first.move(Move(action=actions[0]))


@pytest.mark.slow
def test_answers_in_text_are_moves_and_a_wrong_one_is_told_so() -> None:
    planned = forum_case()
    assert '"type": "decide"' in answer_rules(planned.task)
    episode = TextEpisode(planned.case, planned.task, PLAYER)
    page = episode.open()
    assert episode.assignment is not None
    assert page.startswith(episode.assignment.prompt)
    page = episode.move(move_from_text("I would look around first.", episode.assignment))
    assert "it holds no JSON object with an action" in page
    assert not page.startswith(episode.assignment.prompt)
    word = episode.assignment.decisions[0]
    answer = f'{{"thought": "So.", "action": {{"type": "decide", "decision": "{word}", "justification": "So."}}}}'
    assert episode.move(move_from_text(answer, episode.assignment)) == OVER
    assert episode.ended is not None
    assert episode.ended.reward == 0.0
    assert [step.thought for step in episode.ended.trajectory.steps] == ["", "So."]


@pytest.mark.thorough
def test_earlier_tasks_stand_before_the_second_part() -> None:
    """Where the model's own conversation has no noise, Inspect's option `length` had no effect."""
    planned = next(iter(suite_cases("long_context", length=2_000).values()))
    episode = TextEpisode(planned.case, planned.task, PLAYER)
    episode.open()
    page = episode.move(move_from_text('{"action": {"type": "finish"}}', episode.assignment))  # type: ignore[arg-type]
    episode.stop()
    assert episode.assignment is not None
    assert page.startswith("# Earlier tasks")
    assert briefing(episode.assignment) in page
    assert len(page) > 6_000


@pytest.mark.thorough
def test_earlier_variants_are_let_go() -> None:
    """Training goes through many variants, so a process lets go of earlier ones."""
    first = weakref.ref(variant(100_001))
    for seed in range(100_001, 100_005):
        planned = next(iter(suite_cases("shopping_admin", variant=seed).values()))
        shared_web(seed).web.prepare(host_of(planned.task.start))
    gc.collect()
    assert first() is None
