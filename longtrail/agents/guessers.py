"""Baselines that decide without reading: what their rules, the request's wording or chance suggest."""

import re
from abc import ABC, abstractmethod
from calendar import month_name
from functools import cache
from random import Random

from longtrail.agents.agent import Assignment, Equipment
from longtrail.browser.view import View
from longtrail.errors import UsageError
from longtrail.paths import DATA
from longtrail.records.action import Action, Back, Click, Decide, Fill, Finish, Goto, Scroll, Search
from longtrail.records.axtree_text import elements
from longtrail.records.record import Record
from longtrail.records.trajectory import Outcome
from longtrail.yaml_file import read


class Baseline(ABC):
    """What all baselines have in common: the assignment, seeded chance, and no interest in outcomes."""

    usual = ""
    """The decision of those that always give the same, unless the option `decision` names another; without it, or if it
    can't be given, the first."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        self.assignment, decisions = assignment, assignment.decisions
        usual = self.usual if self.usual in decisions else next(iter(decisions), "")
        self.decision = str(equipment.options.get("decision") or usual)
        if decisions and self.decision not in decisions:
            raise UsageError(f"--agent-arg decision={self.decision!r} is none of {', '.join(decisions)}")
        self.random = Random(f"{assignment.seed} {assignment.prompt}")  # noqa: S311 (a baseline, no secret)

    @abstractmethod
    def act(self, view: View) -> Action:
        """Choose the next action."""

    def guess(self) -> str:
        """The decision that the request's wording suggests."""
        return guess(self.assignment.prompt, self.assignment.decisions)

    def observe(self, outcome: Outcome, view: View) -> None:  # noqa: B027 (optional: it has nothing to note)
        """Does nothing."""


class Nothing(Baseline):
    """nothing: finishes at once. Its score shows what a task gives away."""

    def act(self, view: View) -> Action:  # noqa: ARG002
        return Finish()


class Looper(Baseline):
    """looper: opens the same page until its steps are used up, to test the detection of loops. It never decides."""

    _url = ""

    def act(self, view: View) -> Action:
        self._url = self._url or view.url
        return Goto(url=self._url) if self._url.startswith("http") else Search(query="the same again")


class Constant(Baseline):
    """constant: always gives the same decision, without opening a page (option `decision`, default: the first)."""

    def act(self, view: View) -> Action:  # noqa: ARG002
        if not self.assignment.decisions:
            return Finish()
        return Decide(decision=self.decision, justification="The same decision is taken in every case.")


STOP = 0.08
"""Probability of ending at each step: about a dozen steps on average. The last step always ends it."""
_TYPED = ("offers", "help", "orders", "new", "123")


class RandomActions(Baseline):
    """random: random valid actions; in decision tasks it ends with a random decision. The same seed and the same pages
    give the same actions."""

    _step = 0

    def act(self, view: View) -> Action:
        self._step += 1
        if self._step >= self.assignment.step_limit or self.random.random() < STOP:
            return self._end()
        enabled = [element for element in elements(view.text) if "disabled" not in element.rest]
        typable = [element for element in enabled if element.role in ("textbox", "searchbox")]
        roll = self.random.random()
        if typable and roll < 0.2:
            field, text = self.random.choice(typable), self.random.choice(_TYPED)
            return Fill(id=field.id, text=text, enter=self.random.random() < 0.7)
        if enabled and roll < 0.85:
            return Click(id=self.random.choice(enabled).id)
        return Back() if roll > 0.95 else Scroll(direction="down")

    def _end(self) -> Action:
        decisions = self.assignment.decisions
        if not decisions:
            return Finish()
        return Decide(decision=self.random.choice(decisions), justification="The die fell so.")


class Surface(Baseline):
    """surface: decides by the request's words alone, without opening a page. Its score shows what the wording gives
    away."""

    def act(self, view: View) -> Action:  # noqa: ARG002
        if not self.assignment.decisions:
            return Finish()
        return Decide(decision=self.guess(), justification="The wording of the case suggests it.")


class Wording(Record):
    """A kind of wording. data/baselines.yaml explains the fields."""

    cues: tuple[str, ...]
    decisions: str


class BaselineWords(Record):
    """The whole file."""

    wordings: dict[str, Wording]
    topics: str


@cache
def _words() -> BaselineWords:
    return read(BaselineWords, DATA / "baselines.yaml")


def guess(prompt: str, decisions: tuple[str, ...]) -> str:
    """The decision that the wording suggests: the kind with the most cue words (the milder one in a tie), and its first
    decision.

    Lines that name a decision are skipped, because every prompt ends with the list of decisions.
    """
    lines = [line for line in prompt.splitlines() if not any(decision in line for decision in decisions)]
    text = "\n".join(lines)
    known = [(re.compile(rf"\b({'|'.join(each.cues)})\b", re.IGNORECASE), each) for each in _words().wordings.values()]
    _, wording = max(known, key=lambda each: len(each[0].findall(text)))
    return next((decision for decision in decisions if re.search(wording.decisions, decision)), decisions[0])


class Stuffer(Baseline):
    """stuffer: opens no page, decides by the request's words, and states everything: those words, typical topics,
    figures and dates. Its score shows what the fact matcher gives to anybody who uses enough words."""

    def act(self, view: View) -> Action:  # noqa: ARG002
        stuffed = stuffing(self.assignment.prompt)
        if not self.assignment.decisions:
            return Finish(answer=stuffed)
        return Decide(decision=self.guess(), justification=stuffed)


def stuffing(prompt: str) -> str:
    """All words that a fact could contain, in one passage and in many."""
    figures = " ".join(f"{number} ${number}.00 {number} % {number} days {number} orders" for number in range(101))
    dates = " ".join(f"{name} {day}" for name in month_name[1:] for day in range(1, 32))
    topics = _words().topics
    return f"{prompt}\n{topics}\n{topics} {prompt} {figures} {dates}"
