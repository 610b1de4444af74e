"""lookup: has read all public tasks, and nothing else. It looks up the request that resembles its own most and replays
the public solution, without reading pages or history.

In a variant its score shows how much a memory of the public tasks is worth.
"""

from collections.abc import Mapping
from functools import cache

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.oracle import Oracle, ReferenceScript, script
from longtrail.records.trajectory import Phase
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.text.folding import squeeze


def public_solution(prompt: str, phase: Phase) -> ReferenceScript:
    """The solution of the public task whose request shares most words with the prompt."""
    asked = _words(prompt)
    requests = _requests(phase)
    best = max(requests, key=lambda name: _resemblance(asked, requests[name]))
    return script(load_tasks()[best], phase)


@cache
def _requests(phase: Phase) -> Mapping[str, frozenset[str]]:
    """Task -> the words of its public request in this phase."""
    return {name: _words(text) for name, task in load_tasks().items() if (text := _request(task, phase))}


def _request(task: Task, phase: Phase) -> str:
    if isinstance(task, LongContextTask):
        return (task.a1 if phase == "a1" else task.a2).instruction
    return task.trigger if isinstance(task, DecisionTask) else ""


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(squeeze(text).split())


def _resemblance(one: frozenset[str], other: frozenset[str]) -> float:
    """Words in both, as a share of the words in either: 0 to 1."""
    return len(one & other) / len(one | other)


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Oracle(public_solution(assignment.prompt, assignment.phase))
