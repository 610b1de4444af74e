"""nothing: finishes at once. Its score shows what a task gives away."""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome


class Nothing:
    """Finishes without looking at anything."""

    def act(self, view: View) -> Action:  # noqa: ARG002
        return Finish()

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Nothing()
