"""The full set of actions, the default on a user's own app: the oracle plays each, and agents may take them."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.agent import Assignment
from longtrail.records.action import Action, Click
from longtrail.records.action_forms import FULL
from longtrail.records.full_actions import AnswerDialog, ReadFile, Upload
from longtrail.tasks.reference import ReferenceStep
from tests.agents.views import Scripted
from tests.episode.shop_bench import TASK, Bench
from tests.tables import tables_of

TABLES = tables_of(__file__)

pytest.importorskip("flask")
DESK: list[dict[str, Any]] = TABLES["desk"]
WORKSHOP: list[dict[str, Any]] = TABLES["workshop"]


@pytest.mark.slow
def test_the_oracle_plays_every_action_of_the_full_set(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Paid by card")
    moves = [*DESK, *WORKSHOP]
    used = {ReferenceStep.model_validate(move).kind for move in moves}
    assert used >= set(FULL), f"not tried: {set(FULL) - used}"
    steps = [{"kind": "url", "name": "order", "paths": ["/orders/12"]}]
    task = {**TASK, "key_steps": steps, "reference": moves, "start": "/desk", "files": ["note.txt"]}
    trajectory, result = bench.play("oracle", task, folder=tmp_path)
    assert [step.outcome.error for step in trajectory.steps] == [""] * len(trajectory.steps), trajectory.steps[-1]
    assert result.outcome == "passed", trajectory.steps[-1].thought


def test_what_the_set_in_force_lacks_ends_the_play_with_the_flag(bench: Bench) -> None:
    task = {**TASK, "reference": [{"hover": "Order 12"}, *TASK["reference"]]}
    trajectory, result = bench.play("oracle", task, actions="paper")
    assert result.outcome == "failed"
    assert "step 1 of the reference failed" in trajectory.steps[-1].thought
    assert "hover is only possible with --actions full" in trajectory.steps[-1].thought


@pytest.mark.parametrize(("move", "message"), TABLES["wrong_fields_are_told"])
def test_wrong_fields_are_told(move: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="Value error") as raised:
        ReferenceStep.model_validate(move)
    assert message in str(raised.value)


def test_own_apps_have_the_full_set_of_actions(bench: Bench, tmp_path: Path) -> None:
    """Uploads and downloads, dialogs, routes; `--actions paper` refuses them. Each episode records its set."""
    (tmp_path / "note.txt").write_text("Paid by card")
    page = {"kind": "url", "name": "route", "paths": ["/desk#/orders/*"]}
    steps = [page, {"kind": "text", "name": "named", "text": "Berries"}]
    task = {**TASK, "key_steps": steps, "reference": [], "start": "/desk", "files": ["note.txt"], "limit": 12}
    moves: list[Action] = [
        *(Click(id="1"), AnswerDialog(text="Berries"), Click(id="2"), Upload(id="3", file="note.txt"), Click(id="4")),
        *(ReadFile(file="list.csv"), ReadFile(file="note.txt")),
    ]
    assignments: list[Assignment] = []

    def make(assignment: Assignment, _: object) -> Scripted:
        assignments.append(assignment)
        return Scripted(*moves)

    trajectory, result = bench.play(make, task, folder=tmp_path)
    assert [step.outcome.error for step in trajectory.steps] == [""] * len(trajectory.steps)
    assert [hit.hit for hit in result.key_steps] == [True, False], "the agent itself typed the name"
    assert trajectory.provenance.actions == "full"
    assert "hover" in assignments[0].actions
    assert assignments[0].files == ("note.txt",)
    texts = [step.observation.text for step in trajectory.steps]
    assert "note.txt: Paid by card" in texts[4]
    assert "worker ready" in texts[4]
    assert texts[-2:] == ["a,b", "Paid by card"]
    assert (tmp_path / "runs" / "refund-r0.a0" / "list.csv").read_text() == "a,b"

    trajectory, _ = bench.play(make, task, folder=tmp_path, actions="paper")
    assert trajectory.provenance.actions == "paper"
    assert trajectory.steps[1].outcome.error.startswith("answer_dialog is only possible with --actions full")
    assert "(prompt)" in trajectory.steps[1].observation.note
    assert assignments[1].files == ()
