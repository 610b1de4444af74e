"""Showings: in a promotion case whose decision is to remove, the required end state deletes every submission that shows
the product and has not been removed yet (guide 2.5)."""

import pytest

from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

REMOVED = {
    task.id: task
    for task in load_tasks().values()
    if isinstance(task, DecisionTask)
    and task.policy["given"].get("matter") == "promotion"
    and task.truth.optimal.startswith("REMOVE_")
}


@pytest.mark.parametrize("task", REMOVED.values(), ids=REMOVED.keys())
def test_every_showing_is_deleted(task: DecisionTask) -> None:
    parts = (task.policy.get("start", {}), *task.policy["found"].values())
    shown = {moment for part in parts for moment in part.get("promotion", {}).get("shown", ())}
    standing = {one["id"] for one in task.story["submissions"] if one["at"] in shown and "removed" not in one}
    deleted = {check.match["id"] for check in task.end_state if check.table == "submission"}
    assert standing
    assert standing <= deleted
