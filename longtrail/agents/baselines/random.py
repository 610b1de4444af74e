"""random: seeded random valid actions; in decision tasks it ends with a random decision."""

from random import Random

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Back, Click, Decide, Fill, Finish, Scroll
from longtrail.records.axtree_text import elements
from longtrail.records.trajectory import Outcome

STOP = 0.08
"""Probability of ending at each step: about a dozen steps on average. The last step always ends it."""
_TYPED = ("offers", "help", "orders", "new", "123")


class RandomAgent:
    """The same seed and the same pages give the same actions."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._die = Random(f"{assignment.seed} {assignment.prompt}")  # noqa: S311 (a baseline, no secret)
        self._step = 0

    def act(self, view: View) -> Action:
        self._step += 1
        if self._step >= self._assignment.step_limit or self._die.random() < STOP:
            return self._end()
        enabled = [element for element in elements(view.text) if "disabled" not in element.rest]
        typable = [element for element in enabled if element.role in ("textbox", "searchbox")]
        roll = self._die.random()
        if typable and roll < 0.2:
            return Fill(id=self._die.choice(typable).id, text=self._die.choice(_TYPED), enter=self._die.random() < 0.7)
        if enabled and roll < 0.85:
            return Click(id=self._die.choice(enabled).id)
        return Back() if roll > 0.95 else Scroll(direction="down")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""

    def _end(self) -> Action:
        decisions = self._assignment.decisions
        if not decisions:
            return Finish()
        return Decide(decision=self._die.choice(decisions), justification="The die fell so.")


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return RandomAgent(assignment)
