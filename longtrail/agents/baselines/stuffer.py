"""stuffer: opens no page and states everything: the trigger's words, typical topics, figures and dates.

Its score shows what the fact matcher gives to anybody who uses enough words.
"""

from calendar import month_name

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.surface import guess
from longtrail.browser.view import View
from longtrail.records.action import Action, Decide, Finish
from longtrail.records.trajectory import Outcome

_TALK = (
    "fraud abuse chargeback stolen card proxy address mismatch refund return pattern earlier claims carrier trace "
    "delivered signature photo damaged in transit warehouse picker error wrong item size exchange loyal customer "
    "tenure orders lifetime value top percent new account password reset verification unanswered shipping state "
    "forwarder linked accounts same phone handbook paragraph threshold manager approval spam self-promotion ratio "
    "disclosed license open source deleted warned banned account age brigading origin thread copied wording "
    "independent history source study quoted out of context correction misleading chart axis photo place pregnant "
    "allergy medication diagnosis bankruptcy discharge lease notice deadline moderator guide rule sidebar log"
)
"""Typical topics of such cases, known without opening a page."""


def stuffing(prompt: str) -> str:
    """All words that a fact could contain, in one passage and in many."""
    figures = " ".join(f"{number} ${number}.00 {number} % {number} days {number} orders" for number in range(101))
    dates = " ".join(f"{name} {day}" for name in month_name[1:] for day in range(1, 32))
    return f"{prompt}\n{_TALK}\n{_TALK} {prompt} {figures} {dates}"


class Stuffer:
    """Decides by the trigger's wording, with a justification that states everything."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment

    def act(self, view: View) -> Action:  # noqa: ARG002
        prompt, decisions = self._assignment.prompt, self._assignment.decisions
        if not decisions:
            return Finish(answer=stuffing(prompt))
        return Decide(decision=guess(prompt, decisions), justification=stuffing(prompt))

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Stuffer(assignment)
