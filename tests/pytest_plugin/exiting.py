"""An agent that ends its worker's process: at once in every case, or (option `only`) in cases of this task alone."""

import os

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome


class Exiting:
    """Leaves without a word, or finishes."""

    def __init__(self, leaves: bool) -> None:
        self._leaves = leaves

    def act(self, view: View) -> Action:
        if self._leaves:
            os._exit(5)
        return Finish(answer="done")

    def observe(self, outcome: Outcome, view: View) -> None:
        """It takes no notice."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent; `only` is a word of the prompt."""
    return Exiting(str(equipment.options.get("only", "")) in assignment.prompt)
