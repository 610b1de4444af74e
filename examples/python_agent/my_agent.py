"""An agent of your own as a Python object: it follows links that share words with the task, then answers.

PYTHONPATH=examples/python_agent pytest -m shopping_admin --agent my_agent:make
"""

import re

from longtrail.api import Action, Assignment, Click, Decide, Equipment, Evidence, Finish, Move, Outcome, View

LINK = re.compile(r'\[(\d+)\] link "([^"]+)"')
MAX_CLICKS = 5


class Reader:
    """Reads a few pages and remembers the line of each that fits the task best."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self.wanted = words(assignment.prompt)
        self.clicked: set[str] = set()
        self.notes: list[tuple[str, str]] = []

    def act(self, view: View) -> Move:
        """The next link, or the answer. `view.text` is the page as numbered lines."""
        line = max(view.text.splitlines(), key=lambda each: len(words(each) & self.wanted), default="")
        self.notes.append((view.url, line.strip()[:300]))
        links = [(len(words(name) & self.wanted), id, name) for id, name in LINK.findall(view.text)]
        fits, id, name = max((each for each in links if each[2] not in self.clicked), default=(0, "", ""))
        if fits and len(self.clicked) < MAX_CLICKS:
            self.clicked.add(name)
            return Move(action=Click(id=id), thought=f"{name!r} shares {fits} words with the task.")
        return Move(action=self.answer(), thought=f"I have read {len(self.notes)} pages.")

    def observe(self, outcome: Outcome, view: View) -> None:
        """What the action did, and the page afterwards; this agent has no use for it."""

    def answer(self) -> Action:
        said = "; ".join(f"{url}: {line}" for url, line in self.notes)
        if not self.assignment.decisions:
            return Finish(answer=said)
        evidence = tuple(Evidence(source=url, quote=line) for url, line in self.notes)
        return Decide(decision=self.assignment.decisions[0], justification=said, evidence=evidence)


def words(text: str) -> set[str]:
    """Words of four letters and more, and numbers."""
    return set(re.findall(r"[a-z]{4,}|\d+", text.lower()))


def make(assignment: Assignment, equipment: Equipment) -> Reader:  # noqa: ARG001 (it needs no model)
    """Called for each phase of each episode. `equipment.model` is the model of --model, `.options` hold --agent-arg."""
    return Reader(assignment)
