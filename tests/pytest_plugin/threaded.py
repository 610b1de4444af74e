"""An agent that plays only together: its first move comes when three of its kind are asked at the same time."""

import threading

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome

THREAD_SAFE = True
TOGETHER = threading.Barrier(3)


class Threaded:
    """Waits for two others, and finishes."""

    def act(self, view: View) -> Action:
        TOGETHER.wait(300)
        return Finish(answer="done")

    def observe(self, outcome: Outcome, view: View) -> None:
        """It takes no notice."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent."""
    return Threaded()
