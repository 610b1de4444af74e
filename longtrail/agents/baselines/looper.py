"""looper: opens the same page until its steps are used up, to test the detection of loops. It never decides."""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Goto, Search
from longtrail.records.trajectory import Outcome


class Looper:
    """Opens the current page again."""

    def __init__(self) -> None:
        self._url = ""

    def act(self, view: View) -> Action:
        self._url = self._url or view.url
        return Goto(url=self._url) if self._url.startswith("http") else Search(query="the same again")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Looper()
