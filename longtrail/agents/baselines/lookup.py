"""lookup: knows the published answer of every task, and recognises a task by the wording of its request. In decision
tasks it opens pages in a fixed order and quotes what it finds there; in long-context tasks it replays the published
reference of the part and reads no history. Its score shows what a memory of the published tasks earns.
"""

import re
from functools import cache

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.readers import Walker
from longtrail.agents.oracle import Oracle, ReferenceScript, script
from longtrail.records.action import Decide
from longtrail.records.trajectory import Phase
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask

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
    answers = [(len(words & request) / len(request), answer) for request, answer in published() if answer in decisions]
    return max(answers)[1] if answers else decisions[0]


def published_route(prompt: str, phase: Phase) -> ReferenceScript:
    """The reference of the published long-context part whose request shares most words with a prompt."""
    words = _words(prompt)
    requests = _published_requests(phase)
    name = max(requests, key=lambda name_known: len(words & requests[name_known]) / len(words | requests[name_known]))
    return script(load_tasks()[name], phase)


@cache
def _published_requests(phase: Phase) -> dict[str, frozenset[str]]:
    """Long-context task -> the words of its published request in this phase."""
    tasks = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}
    return {name: _words((task.a1 if phase == "a1" else task.a2).instruction) for name, task in tasks.items()}


class Lookup(Walker):
    """Decides from memory and quotes random passages."""

    def decide(self) -> Decide:
        decision = remembered(self.assignment.prompt, self.assignment.decisions)
        return Decide(decision=decision, justification="I know this case.", evidence=self.random_passages())


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    if assignment.suite in ("long_context", "discovered"):
        return Oracle(published_route(assignment.prompt, assignment.phase))
    return Lookup(assignment, equipment)
