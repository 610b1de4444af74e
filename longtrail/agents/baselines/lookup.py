"""lookup: knows the published answer of every task, and recognises a task by the wording of its request. It opens pages
in a fixed order and quotes what it finds there. Its score shows what a memory of the published tasks earns.
"""

import re
from functools import cache
from random import Random

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.walk import Walker
from longtrail.records.action import MAX_PIECES, MAX_QUOTE, Decide, Evidence
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

_FEWEST_WORDS = 5
_WORD = re.compile(r"[a-z]{4,}")


@cache
def published() -> tuple[tuple[frozenset[str], str], ...]:
    """The words of each published request, and the right decision."""
    tasks = (task for task in load_tasks().values() if isinstance(task, DecisionTask))
    return tuple((_words(task.trigger), task.truth.optimal) for task in tasks)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def remembered(prompt: str, decisions: tuple[str, ...]) -> str:
    """The decision of the published request that shares most of its words with a prompt."""
    words = _words(prompt)
    known = [(len(words & request) / len(request), answer) for request, answer in published() if answer in decisions]
    return max(known)[1] if known else decisions[0]


class Lookup(Walker):
    """Decides from memory and quotes random passages."""

    def __init__(self, assignment: Assignment) -> None:
        super().__init__(assignment)
        self._random = Random(f"{assignment.seed} {assignment.prompt}")  # noqa: S311 (a baseline, no secret)

    def _decide(self) -> Decide:
        passages = [
            Evidence(source=url, quote=line[:MAX_QUOTE])
            for url, lines in self._walk.pages.items()
            for line in lines
            if len(line.split()) >= _FEWEST_WORDS
        ]
        return Decide(
            decision=remembered(self._assignment.prompt, tuple(self._assignment.decisions)),
            justification="I know this case.",
            evidence=tuple(self._random.sample(passages, min(MAX_PIECES, len(passages)))),
        )


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Lookup(assignment)
