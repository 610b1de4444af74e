"""What an agent may do on a user's own app: `--actions full` is the default there."""

from pathlib import Path

import pytest

from longtrail.agents.agent import Assignment
from longtrail.records.action import Action, Click
from longtrail.records.full_actions import AnswerDialog, ReadFile, Upload
from tests.agents.views import Scripted
from tests.episode.shop_bench import TASK, Bench

pytest.importorskip("flask")


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
