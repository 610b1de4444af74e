"""Divergence: steps on the path, near it, off it, and back on it."""

from longtrail.checks.page_trail import trail
from longtrail.clock import NOW
from longtrail.records.trajectory import Step
from longtrail.scoring.measures.delivery import delivered, shown_pages
from longtrail.scoring.measures.divergence import PathComparison, path, redundancy
from longtrail.scoring.measures.evidence import judge
from tests.made import CUSTOMER, GRID, decide, decision_task, investigation, step

TASK = decision_task()
PRODUCT = "https://shopadmin.test/admin/catalog/product/edit/id/5/"


def way(*steps: Step) -> PathComparison:
    pages = trail(steps)
    shown = shown_pages(steps, pages)
    delivery = {fact.id: delivered(fact, shown, NOW) for fact in TASK.required}
    facts = judge(TASK.required, delivery, shown, steps, None, NOW)
    return path(steps, pages, facts, TASK.critical_pages, frozenset(TASK.relevant_pages))


def test_the_reference_never_leaves_the_path() -> None:
    found = way(*investigation(), decide(4))
    assert found.places == ("relevant", "on_path", "on_path", "on_path")
    assert (found.first_divergence, found.recovered, found.redundancy) == (None, None, 0.0)
    assert found.offsets == (0, 1, 1, 1)


def test_a_detour_and_the_way_back() -> None:
    steps = (
        step(1, {"type": "goto", "url": PRODUCT}, to=PRODUCT),
        step(2, {"type": "goto", "url": CUSTOMER}, url=PRODUCT, to=CUSTOMER, text="A product"),
        step(3, {"type": "scroll"}, url=CUSTOMER, text="net: $5,879.84"),
    )
    found = way(*steps)
    assert found.places[:2] == ("diverged", "on_path")
    assert (found.first_divergence, found.recovered) == (1, True)


def test_deciding_without_the_evidence_is_off_the_path() -> None:
    found = way(decide(1, url=GRID, text="Orders"))
    assert (found.places, found.first_divergence, found.recovered) == (("diverged",), 1, False)


def test_redundancy_counts_page_states_seen_before() -> None:
    same = [step(n, {"type": "scroll"}) for n in (1, 2, 3)]
    assert redundancy(same) == 1 - 1 / 3
    assert redundancy([]) == 0.0
