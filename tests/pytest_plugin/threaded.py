"""An agent that needs parallel episodes: it acts only when three such agents are asked at the same time."""

import threading

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Finish
from longtrail.records.trajectory import Outcome

THREAD_SAFE = True
TOGETHER = threading.Barrier(3)


class Threaded:
    """Waits for two other agents, then finishes."""

    def act(self, view: View) -> Action:
        TOGETHER.wait(300)
        return Finish(answer="done")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent."""
    return Threaded()
