"""constant: always gives the same decision, without opening a page (option `decision`, default: the first)."""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.errors import UsageError
from longtrail.records.action import Action, Decide, Finish
from longtrail.records.trajectory import Outcome


class Constant:
    """Gives one decision; in tasks without a decision it finishes."""

    def __init__(self, decision: str) -> None:
        self._decision = decision

    def act(self, view: View) -> Action:  # noqa: ARG002
        if not self._decision:
            return Finish()
        return Decide(decision=self._decision, justification="The same decision is taken in every case.")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    if not assignment.decisions:
        return Constant("")
    decision = str(equipment.options.get("decision") or assignment.decisions[0])
    if decision not in assignment.decisions:
        raise UsageError(f"agent constant: decision {decision!r} is none of {', '.join(assignment.decisions)}")
    return Constant(decision)
