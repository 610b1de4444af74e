"""The shipped selections and published numbers are complete: the papers' tables, the crossed tasks, the twins."""

from collections import Counter

import pytest

from longtrail.report.leaderboard.papers import decision_paper, long_context_paper
from longtrail.tasks.loading import crossed_selection, load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.tasks.twins import GIVEN, load_twins
from longtrail.web.site import Edition, Site
from longtrail.web.sites.forum import forum_site
from longtrail.web.sites.shopadmin import back_office
from longtrail.web.world import Templates

TASKS = load_tasks()
TWINS = load_twins()


def test_long_context_shares_add_up() -> None:
    paper = long_context_paper()
    for errors in paper.errors:
        parts = (errors.success, errors.false_end, errors.inefficient_progress, errors.loop, errors.other)
        assert abs(sum(value for value, _ in parts) - 100) < 0.1
    for row in paper.retrieval:
        assert row.ts_rf == (0, 0)
        assert abs(row.ts_rs[0] + row.tf_rs[0] + row.tf_rf[0] - 100) < 0.2


def test_every_table_of_pathways_is_there() -> None:
    rows = decision_paper().rows
    assert Counter(row.table for row in rows) == {
        1: 14, 2: 16, 3: 4, 4: 4, 5: 4, 6: 6, 7: 7, 8: 5, 9: 5, 10: 5, 11: 5, 12: 8, 13: 8, 14: 8, 15: 8,
    }  # fmt: skip
    assert all(row.averaged == (row.table <= 5) for row in rows)


def test_categories_are_ours_or_named_as_printed() -> None:
    for suite in ("shopping_admin", "reddit"):
        for row in decision_paper().by_category(suite):
            assert bool(row.category) != bool(row.as_printed)


def chosen() -> list[DecisionTask]:
    found = [TASKS[name] for name in sorted(crossed_selection())]
    return [task for task in found if isinstance(task, DecisionTask)]


def test_forty_tasks_spread_over_suites_categories_and_decisions() -> None:
    assert Counter(task.suite for task in chosen()) == {"shopping_admin": 20, "reddit": 20}
    categories = {task.category for task in TASKS.values() if isinstance(task, DecisionTask) and not task.hard}
    assert {task.category for task in chosen()} >= categories
    for suite in ("shopping_admin", "reddit"):
        decisions = Counter(task.truth.optimal for task in chosen() if task.suite == suite)
        assert max(decisions.values()) <= 10, "no decision is right in most of them"


def test_half_of_the_evidence_can_come_before_the_noise() -> None:
    for task in chosen():
        assert len(task.required) >= 2
        assert sum(not fact.pictured for fact in task.required) >= len(task.required) // 2


@pytest.mark.parametrize("edition", ["twins", "hard twins"])
@pytest.mark.parametrize("site", [forum_site.make(), back_office.make()], ids=["forum", "shop"])
def test_the_records_of_all_fit_into_one_world(site: Site, edition: Edition) -> None:
    """No two use the same number."""
    Templates([site]).of(site.name, edition)


def test_agents_are_given_the_same_as_in_the_task() -> None:
    for twin in TWINS.values():
        task = TASKS[twin.twin]
        assert {name: getattr(twin, name) for name in GIVEN - {"id"}} == {
            name: getattr(task, name) for name in GIVEN - {"id"}
        }
