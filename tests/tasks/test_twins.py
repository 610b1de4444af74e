"""Counterfactual twins: the same request in other records, and another decision by the rules."""

from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.tasks.cases import Conditions, PlannedCase, plan, sample
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task
from longtrail.tasks.twins import in_world, load_twins, twin_of

TASKS = load_tasks()
TWINS = load_twins()


ENTRY = {
    "id": "T-1",
    "suite": "shopping_admin",
    "trigger": "A lamp of May 3 is broken.",
    "facts": [{"id": "day", "says": "It came on May 3."}, {"id": "picture", "says": "There is one."}],
    "story": {"orders": [{"id": 7, "at": "May 3", "refunds": [1]}]},
    "reference": {"path": [{"read": "May 3"}, {"decide": True}], "justification": "Came on May 3."},
}


def test_a_twin_changes_records_and_not_the_request() -> None:
    change = {
        "of": "T-1",
        "replace": {"May 3": "June 9"},
        "facts": [{"id": "picture", "supporting": True}],
        "story": {"orders": [{"id": 7, "refunds": None}]},
        "ending": [{"goto": "https://x.test/"}, {"decide": True}],
    }
    twin = twin_of(ENTRY, change, Path("x.yaml"))
    assert (twin["id"], twin["twin"], twin["counterfactual"]) == ("T-1-twin", "T-1", True)
    assert twin["trigger"] == ENTRY["trigger"]
    assert twin["facts"] == [
        {"id": "day", "says": "It came on June 9."},
        {"id": "picture", "says": "There is one.", "supporting": True},
    ]
    assert twin["story"] == {"orders": [{"id": 7, "at": "June 9"}]}
    assert twin["reference"]["path"] == [{"read": "June 9"}, {"goto": "https://x.test/"}, {"decide": True}]


def test_a_text_that_does_not_occur_is_an_error() -> None:
    with pytest.raises(DataError, match=r"T-1\.replace.*July"):
        twin_of(ENTRY, {"of": "T-1", "replace": {"July": "June"}}, Path("x.yaml"))


def test_a_world_has_either_the_task_or_its_twin() -> None:
    twin = TWINS["PW-014-twin"]
    task, other = TASKS["PW-014"], TASKS["PW-015"]
    assert in_world([task, other, twin], twins=False) == [task, other]
    assert in_world([task, other, twin], twins=True) == [twin, other]


def _planned(names: dict[str, Task]) -> tuple[PlannedCase, ...]:
    return plan(names, Conditions(prompts=("raw",)))


def test_twins_have_cases_and_markers_of_their_own() -> None:
    (planned,) = _planned({"PW-014-twin": TWINS["PW-014-twin"]})
    assert (planned.case.id, planned.case.twin, planned.case.setting) == ("pw-014-twin-raw-r0", True, "twins")
    assert {"twin", "pathways", "shopping_admin"} <= {*planned.markers}
    assert planned.case.partner == "PW-014"
    assert not plan({"PW-014-twin": TWINS["PW-014-twin"]}, Conditions(placements=("distraction",)))


def test_the_user_s_own_tasks_are_the_partners_of_those_that_they_name() -> None:
    """The shipped ones have counterfactual twins, and no other partner."""
    names = {name: TASKS[name] for name in ("HS-01", "PW-079")}
    partners = {planned.task.id: planned.case.partner for planned in _planned(names)}
    assert partners == {"HS-01": "", "PW-079": ""}
    (own,) = plan({"PW-079": TASKS["PW-079"]}, Conditions(prompts=("raw",)), own=("PW-079",))
    assert own.case.partner == TASKS["PW-079"].twin  # type: ignore[union-attr]


def test_samples_draw_pairs() -> None:
    pairs = ("PW-014", "PW-015", "PW-024", "PW-037")
    cases = _planned({name: TASKS[name] for name in pairs} | {f"{n}-twin": TWINS[f"{n}-twin"] for n in pairs})
    drawn = {planned.task.id for planned in sample(cases, 4, seed=3)}
    assert len(drawn) == 4
    assert {name.removesuffix("-twin") for name in drawn} == {name for name in drawn if not name.endswith("-twin")}
