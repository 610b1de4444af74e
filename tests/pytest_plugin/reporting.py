"""An agent that says what its project has prepared (`PREPARED`), and finishes."""

import os

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Decide
from longtrail.records.trajectory import Outcome


class Reporting:
    """Decides at once."""

    def __init__(self, assignment: Assignment) -> None:
        self._decision = assignment.decisions[0]

    def act(self, view: View) -> Action:
        return Decide(decision=self._decision, justification=os.environ.get("PREPARED", "nothing"))

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent."""
    return Reporting(assignment)
