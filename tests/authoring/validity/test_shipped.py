"""The shipped tasks follow the rules: each task, each suite as a set, and each suite's world, page by page."""

import pytest

from longtrail.authoring.validity.case_rules import CASE_RULES
from longtrail.authoring.validity.check import twins_are_twins
from longtrail.authoring.validity.finding import CaseRule, SequenceRule, SiteRule
from longtrail.authoring.validity.page_rules import PAGE_RULES, nothing_served_names_a_case
from longtrail.authoring.validity.sequence_rules import SEQUENCE_RULES, SITE_RULES
from longtrail.authoring.validity.world_pages import explore
from longtrail.scoring.measure import DECISION
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.web.site import as_shipped

TASKS = load_tasks()
SUITES = {
    suite: {n: task for n, task in TASKS.items() if isinstance(task, DecisionTask) and task.suite == suite}
    for suite in DECISION
    if any(task.suite == suite for task in TASKS.values())
}
SEQUENCES = [task for task in TASKS.values() if isinstance(task, LongContextTask)]
each_suite = pytest.mark.parametrize("suite", SUITES)


@each_suite
@pytest.mark.parametrize("rule", CASE_RULES.values(), ids=CASE_RULES)
def test_cases(suite: str, rule: CaseRule) -> None:
    assert [finding for task in SUITES[suite].values() for finding in rule(task)] == []


@each_suite
def test_twins(suite: str) -> None:
    assert list(twins_are_twins(SUITES[suite])) == []


@pytest.mark.parametrize("rule", SEQUENCE_RULES.values(), ids=SEQUENCE_RULES)
def test_sequences(rule: SequenceRule) -> None:
    assert [finding for task in SEQUENCES for finding in rule(task)] == []


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, id=name, marks=[pytest.mark.slow] if name == "second_part_cannot_be_guessed" else [])
        for name, rule in SITE_RULES.items()
    ],
)
def test_sequences_and_their_sites(rule: SiteRule) -> None:
    assert [finding for task in SEQUENCES for finding in rule(task, as_shipped)] == []


@pytest.mark.thorough
@each_suite
def test_worlds(suite: str, subtests: pytest.Subtests) -> None:
    """One test for all checks of a world, so that its pages are requested only once."""
    tasks = SUITES[suite]
    found = explore(tasks, tasks)
    with subtests.test("enough pages to get lost in"):
        assert len(found.raw) > 1500
    with subtests.test("every link leads somewhere"):
        assert found.broken == []
    with subtests.test("every page has a name"):
        assert found.nameless <= {"/trash"}
    for rule in PAGE_RULES:
        with subtests.test(rule.__name__):
            assert [finding for task in tasks.values() for finding in rule(task, found)] == []
    with subtests.test("no page names a case"):
        assert list(nothing_served_names_a_case(tasks, found)) == []
