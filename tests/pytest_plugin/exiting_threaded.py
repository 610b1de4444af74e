"""`exiting.py`, for several episodes at once: the agent ends its process when three others are being asked, too, or if
it is played again."""

import os
import threading

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome

THREAD_SAFE = True
TOGETHER = threading.Barrier(4)
PATIENCE = 60
"""Seconds for the others to come, in the first worker. In a replay none comes, and there is no need to wait."""


class Exiting:
    """Ends the process at its first step, or finishes the task."""

    def __init__(self, leaves: bool, waits: bool) -> None:
        self._leaves, self._waits = leaves, waits

    def act(self, view: View) -> Action:
        if self._waits:
            TOGETHER.wait(PATIENCE)
        if self._leaves:
            os._exit(5)
        threading.Event().wait(PATIENCE if self._waits else 0)
        return Finish(answer="done")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent; `only` is a text in the prompt of the one that ends the process."""
    first = os.environ["PYTEST_XDIST_WORKER"] == "gw0"
    return Exiting(str(equipment.options.get("only", "")) in assignment.prompt, first)
