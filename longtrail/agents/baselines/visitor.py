"""visitor: opens as many pages as it may, pastes them all into its answer, and decides by the trigger's wording.

Its score shows what opening every page without understanding earns.
"""

from collections import deque

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.surface import guess
from longtrail.browser.view import View
from longtrail.records import axtree_text as axtree
from longtrail.records.action import Action, Back, Click, Decide, Finish
from longtrail.records.trajectory import Outcome

LONGEST = 20_000
"""Maximum characters of a justification."""


class Visitor:
    """Follows each link once, starting from the bottom of a page (navigation is at the top)."""

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        self._step = 0
        self._followed: set[str] = set()
        self._pages: deque[str] = deque(maxlen=30)

    def act(self, view: View) -> Action:
        self._step += 1
        self._pages.append(axtree.words(view.text))
        if self._step >= self._assignment.step_limit:
            return self._end()
        links = [element for element in axtree.elements(view.text) if element.role in ("link", "tab")]
        for link in reversed(links):
            if link.name and link.name not in self._followed:
                self._followed.add(link.name)
                return Click(id=link.id)
        return Back()

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""

    def _end(self) -> Action:
        prompt, decisions = self._assignment.prompt, self._assignment.decisions
        if not decisions:
            return Finish()
        return Decide(decision=guess(prompt, decisions), justification="\n".join(self._pages)[-LONGEST:])


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return Visitor(assignment)
