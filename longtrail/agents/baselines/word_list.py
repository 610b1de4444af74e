"""word_list: opens pages in a fixed order, quotes twelve common words as evidence, and always gives the same decision
(option `decision`, default: the first). Its score shows what evidence without content earns.
"""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.walk import Walker
from longtrail.records.action import Decide, Evidence

WORDS = ("the", "of", "and", "to", "a", "in", "for", "on", "is", "with", "at", "by")


class WordList(Walker):
    """Quotes a list of words."""

    def __init__(self, assignment: Assignment, decision: str) -> None:
        super().__init__(assignment)
        self._decision = decision

    def _decide(self) -> Decide:
        urls = list(self._walk.pages)
        return Decide(
            decision=self._decision,
            justification="The pages bear it out.",
            evidence=tuple(Evidence(source=urls[n % len(urls)], quote=word) for n, word in enumerate(WORDS)),
        )


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    default = assignment.decisions[0] if assignment.decisions else ""
    return WordList(assignment, str(equipment.options.get("decision", default)))
