"""paster: opens pages in a fixed order, pastes their text disguised (an invisible character in every fourth word) and
always gives the same decision (option `decision`, default: ESCALATE, or the first).

Its score shows what copying everything without understanding earns.
"""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.walk import Walker
from longtrail.records.action import MAX_JUSTIFICATION, MAX_PIECES, MAX_QUOTE, Decide, Evidence

_INVISIBLE = "\u200b"


class Paster(Walker):
    """Pastes the pages read last into the justification, and the notes on records into the evidence."""

    def __init__(self, assignment: Assignment, decision: str) -> None:
        super().__init__(assignment)
        self._decision = decision

    def _decide(self) -> Decide:
        pages = self._walk.pages.items()
        stories = sorted(((len(line), line, url) for url, lines in pages for line in lines), reverse=True)
        return Decide(
            decision=self._decision,
            justification=disguised("\n".join(line for _, line, _ in stories))[: 2 * MAX_JUSTIFICATION],
            evidence=tuple(
                Evidence(source=url, quote=disguised(line)[:MAX_QUOTE]) for _, line, url in stories[:MAX_PIECES]
            ),
        )


def disguised(text: str) -> str:
    """The text with an invisible character in every fourth word of each line."""
    return "\n".join(
        " ".join(
            f"{word[:1]}{_INVISIBLE}{word[1:]}" if number % 4 == 0 else word for number, word in enumerate(line.split())
        )
        for line in text.splitlines()
    )


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    decisions = assignment.decisions
    default = "ESCALATE" if "ESCALATE" in decisions else decisions[0] if decisions else ""
    return Paster(assignment, str(equipment.options.get("decision", default)))
