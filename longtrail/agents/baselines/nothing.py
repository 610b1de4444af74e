"""nothing: finishes at once. What it scores, a task gives away for free."""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome


class Nothing:
    """Says that it is done without having looked."""

    def act(self, view: View) -> Action:  # noqa: ARG002
        return Finish()

    def observe(self, outcome: Outcome, view: View) -> None:
        """Nothing to take note of."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Nothing()
