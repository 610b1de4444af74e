"""The forum's cases and the served site: checks beyond those of all cases."""

import pytest

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.sites.forum.story import STORY
from tests.web.sites.forum.member import Member

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
