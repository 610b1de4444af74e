"""Path: efficiency with known answers and bounds; steps on the path, near it, off it, and back on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.records.trajectory import Step
from longtrail.scoring.catalog import MEASURES
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.path import efficiency, paper_efficiency_cumulative, path_metrics, path_relations
from tests.made import CUSTOMER, GRID, SHOP, decide, decision_task, investigation, step, trajectory

CRITICAL, RELEVANT = frozenset({"order:600"}), frozenset({"orders"})
C, R, X = CRITICAL, RELEVANT, frozenset({"dashboard"})
TRAILS = st.lists(st.sampled_from([C, R, X, C | R, frozenset()]), max_size=30)


def ours(*trail: frozenset[str]) -> float:
    return efficiency(trail, CRITICAL, RELEVANT)


def papers(*trail: frozenset[str], start: str | None = "dashboard") -> float:
    return paper_efficiency_cumulative(trail, CRITICAL, RELEVANT, start)


def test_known_answers() -> None:
    assert ours(C) == 0.95
    assert ours(X, X, X) == 0.0
    assert ours() == 0.0
    assert ours(X, C) == pytest.approx(0.95**2 / 2)
    assert ours(R) == pytest.approx(0.095)
    assert ours(C | R) == 0.95


def test_known_answers_of_the_papers_tables() -> None:
    assert papers(C) == 1.0
    assert papers(X, C) == pytest.approx(0.1 + 0.95)
    assert papers(X, R, C) == pytest.approx(0.1 + 0.95 * 0.5 + 0.95**2)
    assert papers(X, X, start=None) == 0.0
    assert papers() == 0.0
    assert papers(*[C] * 40) == papers(*[C] * 25) == pytest.approx((1 - 0.95**25) / 0.05)


@given(TRAILS)
def test_bounds(trail: list[frozenset[str]]) -> None:
    assert MEASURES["efficiency"].admits(ours(*trail))
    assert MEASURES["paper_efficiency_cumulative"].admits(papers(*trail))


@given(TRAILS, st.integers(0, 30))
def test_one_more_irrelevant_step_never_raises_it(trail: list[frozenset[str]], place: int) -> None:
    place = min(place, len(trail))
    assert ours(*trail[:place], X, *trail[place:]) <= ours(*trail) + 1e-12


TASK = decision_task()
PRODUCT = f"{SHOP}/catalog/product/edit/id/5/"
HANDBOOK = f"{SHOP}/cms/page/edit/page_id/6/"


def way(*steps: Step) -> tuple[tuple[str, ...], object, object]:
    """The steps' relations to the path, the first divergence, and whether the path was reached again."""
    view = DecisionView(TASK, trajectory(steps))
    metrics = path_metrics(view)
    return path_relations(view), metrics["first_divergence"].value, metrics["recovered"].value


def test_the_reference_never_leaves_the_path() -> None:
    relations, *divergence = way(*investigation(), decide(4))
    assert relations == ("relevant", "on_path", "on_path", "on_path")
    assert divergence == [None, None]


def test_a_detour_and_the_way_back() -> None:
    steps = (
        step(1, {"type": "goto", "url": PRODUCT}, to=PRODUCT),
        step(2, {"type": "goto", "url": CUSTOMER}, url=PRODUCT, to=CUSTOMER, text="A product"),
        step(3, {"type": "scroll"}, url=CUSTOMER, text="net: $5,879.84"),
    )
    relations, *divergence = way(*steps)
    assert relations[:2] == ("diverged", "on_path")
    assert divergence == [1, True]


def test_deciding_without_the_evidence_is_off_the_path() -> None:
    assert way(decide(1, url=GRID, text="Orders")) == (("diverged",), 1, False)


def test_reading_the_rules_is_on_the_path() -> None:
    steps = (
        step(1, {"type": "goto", "url": HANDBOOK}, to=HANDBOOK),
        step(2, {"type": "goto", "url": CUSTOMER}, url=HANDBOOK, to=CUSTOMER, text="8.2 Approve."),
        step(3, {"type": "scroll"}, url=CUSTOMER, text="net: $5,879.84"),
    )
    assert way(*steps)[0][:2] == ("on_path", "on_path")
