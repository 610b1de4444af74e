"""The forum's cases as a set, beyond the common checks: false alarms, kinds of pages, decisions in each category."""

from collections import Counter

import pytest

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.sites.forum.story import STORY
from tests.web.sites.forum.member import Member

CASES = {k: v for k, v in load_tasks(TASKS / "reddit").items() if isinstance(v, DecisionTask)}
CATEGORIES = sorted({task.category for task in CASES.values()})
LEAVE = frozenset({"APPROVE", "NO_ACTION", "CONFIRM_FACTUAL"})
"""The decisions that change nothing."""


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_does_not_tell_the_decision(category: str) -> None:
    found = Counter(task.truth.optimal for task in CASES.values() if task.category == category)
    assert len(found) >= 3
    assert max(found.values()) <= 0.5 * found.total()


def test_more_than_a_quarter_are_false_alarms() -> None:
    alarms = [task for task in CASES.values() if task.false_alarm]
    assert len(alarms) > len(CASES) / 4
    assert {task.id for task in alarms} == {task.id for task in CASES.values() if task.truth.optimal in LEAVE}


def _kind(page: str) -> str:
    """The kind of a page: `forum:user/comments` for `forum:user/NAME/comments`, `forum:log` for `forum:log/NAME`."""
    head, _, rest = page.partition("/")
    tab = rest.partition("/")[2] if head == "forum:user" else ""
    return f"{head}/{tab}" if tab else head


def test_evidence_lives_on_different_kinds_of_pages() -> None:
    kinds = {_kind(page) for task in CASES.values() for page in task.critical_pages}
    pages = {"forum:user", "forum:user/comments", "forum:user/submissions", "forum:submission", "forum:wiki"}
    assert kinds >= {*pages, "forum:log"}
    spread = [len({fact.pages for fact in task.required}) for task in CASES.values()]
    assert sum(places >= 2 for places in spread) >= 0.5 * len(CASES)
    assert {task.hops for task in CASES.values()} >= {2, 3}


IDS = sorted(load_tasks(TASKS / "reddit"))
every_case = pytest.mark.parametrize("name", IDS)


@every_case
def test_the_start_is_a_page_of_the_site(name: str, cases: dict[str, DecisionTask], member: Member) -> None:
    path = cases[name].start.removeprefix("https://forum.test")
    answer = member.get(path)
    assert answer.status_code == 200
    assert member.get("/" + path.split("/")[3]).headers["location"] == path


def test_actors_of_a_case_have_a_life_besides_it(cases: dict[str, DecisionTask]) -> None:
    """The submissions that a case adds are in two forums or more, so some are unrelated to the case."""
    for name, task in cases.items():
        story = STORY.validate_python(task.story)
        forums = {item.forum for item in story.submissions}
        assert len(forums) >= 2, name
