"""An agent that ends its worker's process: in every case, or, with the option `only`, if the prompt contains this."""

import os

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome


class Exiting:
    """Ends the process at its first step, or finishes the task."""

    def __init__(self, leaves: bool) -> None:
        self._leaves = leaves

    def act(self, view: View) -> Action:
        if self._leaves:
            os._exit(5)
        return Finish(answer="done")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent; `only` is a text in the prompt."""
    return Exiting(str(equipment.options.get("only", "")) in assignment.prompt)
