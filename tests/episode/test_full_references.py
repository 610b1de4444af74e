"""References may use every action of the full set; the oracle plays them on a page that needs each of them."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.records.action_forms import FULL
from longtrail.tasks.reference import ReferenceStep
from tests.episode.shop_bench import TASK, Bench
from tests.tables import tables_of

TABLES = tables_of(__file__)

pytest.importorskip("flask")
DESK: list[dict[str, Any]] = TABLES["desk"]
WORKSHOP: list[dict[str, Any]] = TABLES["workshop"]


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
