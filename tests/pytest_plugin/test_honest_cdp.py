"""Honest CDP agents lose nothing: reference solutions pass when another program carries them out over CDP."""

from pathlib import Path

import pytest

from longtrail.agents.oracle import script
from longtrail.records.trajectory import Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.task import LongContextTask
from tests.pytest_plugin.laboratory import CASES, Laboratory

WALKED = (
    *("PW-025", "PW-055", "PW-093"),
    *(
        "spam_false_alarm_001",
        "ikea_favorites",
        "gamestop_ps5_preorders",
        "imdb_what_to_watch",
        "ebay_instruments_pickup",
    ),
)
"""Tasks of the papers' three suites; the long-context tasks have elements among their key steps."""


def foreign(episode: Trajectory) -> set[str]:
    """Lines of observations that no site served, except values of fields."""
    lines = {line for step in episode.steps for line in step.observation.unserved}
    return {line for line in lines if " value=" not in line}


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize("task", WALKED)
def test_reference_solutions_pass(laboratory: Laboratory, tmp_path: Path, task: str) -> None:
    planned = CASES[task]
    phases = ("a1", "a2") if isinstance(planned.task, LongContextTask) else ("a1",)
    for phase in phases:
        told = script(planned.task, phase if len(phases) > 1 else "main")  # type: ignore[arg-type]
        (tmp_path / phase).write_text(told.model_dump_json(), encoding="utf-8")
    options = {phase: str(tmp_path / phase) for phase in phases}
    episode = laboratory.play(planned, "cdp:tests.pytest_plugin.walker:walk", **options)
    result = score(planned.task, episode)
    assert result.outcome == "passed", (result.reason, [end.detail for end in episode.ends])
    assert foreign(episode) == set()
    assert not any(request.scripted for step in episode.steps for request in step.requests)
