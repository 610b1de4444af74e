"""The shipped tasks follow the rules: each task, each suite as a set, and each suite's world, page by page."""

import re

import pytest

from longtrail.authoring.validity import CaseRule, LongContextRule, SiteRule
from longtrail.authoring.validity.case_rules import CASE_RULES
from longtrail.authoring.validity.crawl import explore, read
from longtrail.authoring.validity.long_context_rules import (
    LONG_CONTEXT_RULES,
    SITE_RULES,
    second_part_cannot_be_guessed,
)
from longtrail.authoring.validity.page_rules import PAGE_RULES, nothing_served_names_a_case
from longtrail.records.case import DECISION
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.tasks.twins import load_twins
from longtrail.web.site import as_shipped
from workshop.validity.policy_rules import POLICY_RULES

TASKS = load_tasks()
SUITES = {
    suite: {n: task for n, task in TASKS.items() if isinstance(task, DecisionTask) and task.suite == suite}
    for suite in DECISION
    if any(task.suite == suite for task in TASKS.values())
}
SEQUENCES = [task for task in TASKS.values() if isinstance(task, LongContextTask)]
each_suite = pytest.mark.parametrize("suite", SUITES)


@each_suite
@pytest.mark.parametrize("rule", [*CASE_RULES, *POLICY_RULES])
def test_cases(suite: str, rule: CaseRule) -> None:
    assert [finding for task in SUITES[suite].values() for finding in rule(task)] == []


@pytest.mark.parametrize("rule", LONG_CONTEXT_RULES)
def test_sequences(rule: LongContextRule) -> None:
    assert [finding for task in SEQUENCES for finding in rule(task)] == []


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param(rule, marks=[pytest.mark.thorough] if rule is second_part_cannot_be_guessed else [])
        for rule in SITE_RULES
    ],
)
def test_sequences_and_their_sites(rule: SiteRule) -> None:
    assert [finding for task in SEQUENCES for finding in rule(task, as_shipped)] == []


@pytest.mark.thorough
@each_suite
def test_worlds_of_twins(suite: str, subtests: pytest.Subtests) -> None:
    """Every task has a twin, whose records stand where the rules want them, and the same start page, but for numbers:
    the totals of a world differ."""
    tasks = SUITES[suite]
    twins = {twin.twin: twin.model_copy(update={"counterfactual": False}) for twin in load_twins().values()}
    twins = {name: twin for name, twin in twins.items() if twin.suite == suite}
    assert twins.keys() == tasks.keys()
    plain, changed = explore(tasks, tasks), explore(twins, twins)
    for rule in PAGE_RULES:
        with subtests.test(rule.__name__):
            assert [finding for twin in twins.values() for finding in rule(twin, changed)] == []
    with subtests.test("the same start page"):
        starts = {name: "/" + task.start.split("/", 3)[3] for name, task in tasks.items()}
        pages = {name: (str(read(world.raw[start])) for world in (plain, changed)) for name, start in starts.items()}
        masked = {name: [re.sub(r"\d+", "0", text) for text in texts] for name, texts in pages.items()}
        assert [name for name, (first, second) in masked.items() if first != second] == []


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
