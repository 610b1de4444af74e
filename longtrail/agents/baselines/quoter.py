"""quoter: opens as many pages as it may, quotes twelve random passages as evidence, and decides by the trigger's
wording. Its score shows what quoting without understanding earns.
"""

from random import Random

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.surface import guess
from longtrail.agents.baselines.walk import Walker
from longtrail.records.action import MAX_PIECES, MAX_QUOTE, Decide, Evidence

_LEAST = 5
"""Minimum words of a quoted passage."""


class Quoter(Walker):
    """The same seed and the same pages give the same quotes."""

    def __init__(self, assignment: Assignment) -> None:
        super().__init__(assignment)
        self._die = Random(f"{assignment.seed} {assignment.prompt}")  # noqa: S311 (a baseline, no secret)

    def _decide(self) -> Decide:
        passages = [
            Evidence(source=url, quote=line[:MAX_QUOTE], shows="This bears the decision out.")
            for url, lines in self._walk.pages.items()
            for line in lines
            if len(line.split()) >= _LEAST
        ]
        return Decide(
            decision=guess(self._assignment.prompt, self._assignment.decisions),
            justification="The pages quoted bear it out.",
            evidence=tuple(self._die.sample(passages, min(MAX_PIECES, len(passages)))),
        )


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Quoter(assignment)
