"""A fresh forum for each test, and the shipped cases."""

from collections.abc import Iterator

import pytest

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from tests.web.sites.forum.member import Member


@pytest.fixture
def member() -> Iterator[Member]:
    made = Member()
    yield made
    made.close()


@pytest.fixture(scope="session")
def cases() -> dict[str, DecisionTask]:
    found = load_tasks(TASKS / "reddit")
    return {name: task for name, task in found.items() if isinstance(task, DecisionTask)}
