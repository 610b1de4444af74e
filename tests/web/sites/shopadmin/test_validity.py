"""The shop's cases: number and difficulty fit the category, and hard categories need more hops."""

from collections import Counter

import pytest

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

CASES = {k: v for k, v in load_tasks(TASKS / "shopping_admin").items() if isinstance(v, DecisionTask)}
IDS = {
    "obvious_fraud": (1, 12, "easy"),
    "legitimate_customer": (13, 24, "easy"),
    "looks_bad_is_good": (25, 39, "medium"),
    "looks_good_is_bad": (40, 54, "hard"),
    "warehouse_operational": (55, 66, "medium"),
    "security_threat": (67, 78, "hard"),
    "no_explicit_note": (79, 90, "very_hard"),
    "edge_case": (91, 100, "expert"),
}
"""Category: first and last number, difficulty."""


@pytest.mark.parametrize("name", CASES)
def test_numbers_and_difficulty_are_the_categories(name: str) -> None:
    task = CASES[name]
    first, last, difficulty = IDS[task.category]
    assert first <= int(name.removeprefix("PW-")) <= last
    assert task.difficulty == difficulty


def test_harder_categories_take_more_hops() -> None:
    """On average, a case of three hard categories needs more hops than one of the easy category `obvious_fraud`."""
    hops = {kind: Counter(t.hops for t in CASES.values() if t.category == kind) for kind in IDS}
    mean = {kind: sum(n * count for n, count in each.items()) / each.total() for kind, each in hops.items()}
    assert min(mean["looks_good_is_bad"], mean["security_threat"], mean["edge_case"]) > mean["obvious_fraud"]
