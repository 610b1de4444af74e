"""The texts of a task, with names and figures masked: texts that are then alike count as copies."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from longtrail.clock import NOW
from longtrail.tasks.task import DecisionTask
from longtrail.text.matcher import find

_ADDRESS = re.compile(r"https?://\S+|/?\b[fuw]/\w+")
_SCAN = re.compile(r"^(?:UPS|FedEx|USPS): [A-Z]{4,}\b")
"""A line of a carrier's system (`UPS: DELIVERED Mar 6, 18:50. Porch.`): a template, the same for all parcels."""
_FIGURE = re.compile(r"[\d$.,:%#]*\d[\d$.,:%#]*")
_SENTENCE = re.compile(r"(?<=[.?!:])\s+|\n")
_STEP = re.compile(r"^\d+\. ")
WRITTEN = frozenset({"text", "body", "title", "reason"})
"""Fields of a story that contain prose, in any record."""
NAMING = frozenset({"name", "by", "forum"})
"""Fields of a story that contain a name."""


def _strings(value: Any, wanted: frozenset[str], field: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from _strings(part, wanted, name)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part, wanted, field)
    elif isinstance(value, str) and field in wanted:
        yield value


def names(task: DecisionTask) -> set[str]:
    """The names of people and places in a task's story, word by word, in lower case."""
    return {word.lower() for name in _strings(task.story, NAMING) for word in name.split()}


def masked(text: str, hidden: set[str]) -> str:
    """A text in lower case without addresses, names and figures."""
    text = _FIGURE.sub("0", _ADDRESS.sub("", text.lower()))
    return " ".join("name" if word.strip(".,:;'\"!?s") in hidden else word for word in text.split())


def evidence(task: DecisionTask) -> list[str]:
    """The passages of a story that state a required fact (of the shop's records, all notes)."""
    lines = (part for text in _strings(task.story, WRITTEN) for part in text.split("\n"))
    passages = [line for line in lines if line.strip() and not _SCAN.match(line)]
    if task.base_suite == "shopping_admin":
        return list(dict.fromkeys(passages))
    ways = [way for fact in task.required for way in fact.shown]
    return [text for text in dict.fromkeys(passages) if find(ways, text, NOW)]


def prose(task: DecisionTask) -> Iterator[str]:
    """All texts of a task."""
    yield from (task.trigger, task.prompts.hint, task.reference.justification)
    yield from (*task.appeal.deceptive, *task.appeal.valid, task.reference.response)
    yield from _strings(task.story, WRITTEN)


def sentences(task: DecisionTask) -> set[str]:
    """The sentences of four or more words in all texts of a task, in lower case."""
    parts = (part.strip().lower() for text in prose(task) for part in _SENTENCE.split(text))
    return {_STEP.sub("", part) for part in parts if len(part.split()) >= 4}
