"""What an agent may do on a user's own app: `--actions full` is the default there."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.agent import Assignment
from longtrail.records.action import Action, Click, Finish
from longtrail.records.full_actions import AnswerDialog, ReadFile, Upload
from tests.episode.shop_bench import TASK, Bench

pytest.importorskip("flask")


class Scripted:
    """Carries out these actions one after the other, and says that it is done."""

    def __init__(self, assignment: Assignment, *moves: Action) -> None:
        self.assignment, self.moves = assignment, list(moves)

    def act(self, view: Any) -> Action:
        return self.moves.pop(0) if self.moves else Finish()

    def observe(self, outcome: Any, view: Any) -> None:
        """Does nothing."""


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
    agents: list[Scripted] = []

    def make(assignment: Assignment, _: object) -> Scripted:
        agents.append(Scripted(assignment, *moves))
        return agents[-1]

    trajectory, result = bench.play(make, task, folder=tmp_path)
    assert [step.outcome.error for step in trajectory.steps] == [""] * len(trajectory.steps)
    assert [hit.hit for hit in result.key_steps] == [True, False], "the agent itself typed the name"
    assert trajectory.provenance.actions == "full"
    assert "hover" in agents[0].assignment.actions
    assert agents[0].assignment.files == ("note.txt",)
    texts = [step.observation.text for step in trajectory.steps]
    assert "note.txt: Paid by card" in texts[4]
    assert "worker ready" in texts[4]
    assert texts[-2:] == ["a,b", "Paid by card"]
    assert (tmp_path / "runs" / "refund-r0.a0" / "list.csv").read_text() == "a,b"

    trajectory, _ = bench.play(make, task, folder=tmp_path, actions="paper")
    assert trajectory.provenance.actions == "paper"
    assert trajectory.steps[1].outcome.error.startswith("answer_dialog is only possible with --actions full")
    assert "(prompt)" in trajectory.steps[1].observation.note
    assert agents[1].assignment.files == ()
