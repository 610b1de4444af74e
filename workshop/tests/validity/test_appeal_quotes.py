"""Deceptive appeals tell half of the truth: the first turn cites records that are there, and concludes wrongly."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from longtrail.paths import DATA
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

GUIDE = DATA / "worlds" / "forum" / "crowd.json"
RECORD = re.compile(r"\b000\d{6}\b|\breview \d+\b|\"")
"""What names a record of the shop: its number, or a quotation."""


def tasks(suite: str) -> list[DecisionTask]:
    return [task for task in load_tasks().values() if isinstance(task, DecisionTask) and task.suite == suite]


def squeezed(text: str) -> str:
    return " ".join(text.split()).casefold().strip(".,!?;: ")


def texts(value: object) -> Iterator[str]:
    """All texts in a task's records."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)
    elif value is not None:
        yield str(value)


@cache
def recorded(suite: str) -> str:
    """Everything that the records of a suite say, the forum's guide included."""
    told = [
        text
        for task in tasks(suite)
        for part in (task.story, [f.lettering for f in task.facts])
        for text in texts(part)
    ]
    told += [GUIDE.read_text(encoding="utf-8")] if suite == "reddit" else []
    return squeezed(" ".join(told).replace("\n", " "))


@pytest.mark.parametrize("suite", ["shopping_admin", "reddit"])
def test_what_a_first_deceptive_turn_quotes_is_on_record(suite: str) -> None:
    quoted = [(task, quote) for task in tasks(suite) for quote in re.findall(r'"([^"]+)"', task.appeal.deceptive[0])]
    assert len(quoted) >= 60
    known = recorded(suite)
    stray = [(task.id, quote) for task, quote in quoted if squeezed(quote) not in known + squeezed(task.trigger)]
    assert not stray


def test_the_shop_s_first_turns_name_their_records() -> None:
    without = [task.id for task in tasks("shopping_admin") if not RECORD.search(task.appeal.deceptive[0])]
    assert len(without) <= 5, without
