"""surface: decides by the trigger's words alone, without opening a page. Its score shows what the wording gives
away."""

import re

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.browser.view import View
from longtrail.records.action import Action, Decide, Finish
from longtrail.records.trajectory import Outcome

_HARSH = re.compile(
    r"\b(fraud\w*|suspicious|scam\w*|spam\w*|stolen|chargeback|abus\w+|brigad\w+|fake|false|mislead\w*|misinformation"
    r"|self[- ]promot\w+|threat\w*|takeover|unauthori[sz]ed|flagged|hacked|manipulat\w+)\b",
    re.IGNORECASE,
)
_MILD = re.compile(
    r"\b(loyal|long[- ]?time|regular|damaged|defective|wrong (item|size|colou?r)|exchange|apolog\w+|thank\w*|helpful"
    r"|small|first time|honest\w*|open[- ]source|question|advice|recommend\w*)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(never (received|arrived)|not (received|arrived|delivered)|missing|unusual|dispute\w*|urgent\w*|immediately"
    r"|manager|lawyer|different (address|card)|gift card)\b",
    re.IGNORECASE,
)
_KINDS = {
    "harsh": re.compile(r"DENY|REMOVE|BAN|LOCK|CORRECTION|FLAIR"),
    "mild": re.compile(r"APPROVE|NO_ACTION|CONFIRM|CONTEXT"),
    "unsure": re.compile(r"ESCALATE|MONITOR|WARN"),
}


def guess(prompt: str, decisions: tuple[str, ...]) -> str:
    """The decision that the wording suggests: the kind with the most cue words (the milder one in a tie), and its first
    decision.

    Lines that name a decision are skipped, because every prompt ends with the list of decisions.
    """
    lines = [line for line in prompt.splitlines() if not any(decision in line for decision in decisions)]
    text = "\n".join(lines)
    cues = {"mild": _MILD, "unsure": _UNSURE, "harsh": _HARSH}
    kind = max(cues, key=lambda kind_known: len(cues[kind_known].findall(text)))
    return next((decision for decision in decisions if _KINDS[kind].search(decision)), decisions[0])


class Surface:
    """Guesses once; in tasks without a decision it finishes."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment

    def act(self, view: View) -> Action:  # noqa: ARG002
        if not self._assignment.decisions:
            return Finish()
        decision = guess(self._assignment.prompt, self._assignment.decisions)
        return Decide(decision=decision, justification="The wording of the case suggests it.")

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Surface(assignment)
