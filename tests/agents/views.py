"""Views and assignments for tests of agents, as an episode would pass them, and a model and an
agent that do what they were made for."""

from collections.abc import Callable
from json import dumps
from typing import Any

from longtrail.agents.agent import Assignment
from longtrail.browser.view import View
from longtrail.llm.client import Message, Reply
from longtrail.records import axtree_text as axtree
from longtrail.records.action import Action, Click, Fill, Finish
from longtrail.records.memory import PastTask
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Outcome, Usage

BROWSING = ("goto", "click", "fill", "select", "search", "back", "scroll", "finish")
DECISIONS = ("APPROVE", "DENY", "ESCALATE")


class Model:
    """Gives the answers that it was made with, and records what it was asked."""

    name, vision = "a-model", False

    def __init__(self, *answers: object) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[Message, ...]] = []
        self.limits: list[int] = []

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        self.asked.append(messages)
        self.limits.append(max_tokens)
        answer = self.answers.pop(0)
        usage = Usage(calls=1, prompt_tokens=100, completion_tokens=10, usd=0.5)
        return Reply(text=answer if isinstance(answer, str) else dumps(answer), usage=usage, model="m", seconds=1.0)


Act = Action | Callable[[View], Any]
FINISH = Finish()


class Scripted:
    """An agent that takes these actions one after the other, then `end`. A function is called with the view."""

    def __init__(self, *moves: Act, end: Act = FINISH, views: list[View] | None = None) -> None:
        self.moves, self.end, self.views = list(moves), end, [] if views is None else views

    def act(self, view: View) -> Any:
        self.views.append(view)
        move = self.moves.pop(0) if self.moves else self.end
        return move(view) if callable(move) else move

    def observe(self, outcome: Outcome, view: View) -> None:
        """It ignores outcomes."""


def click(role: str, name: str) -> Act:
    """Click on the first such element in view."""
    return lambda view: Click(id=next(axtree.find(view.text, role, name)))


def enter(name: str, text: str) -> Act:
    """Enter a text in the field with this name."""
    return lambda view: Fill(id=next(axtree.find(view.text, "textbox", name)), text=text)


def view(text: str, url: str = "https://www.ikea.com/us/en/", title: str = "IKEA", **more: str) -> View:
    """A page."""
    return View(Observation(url=url, title=title, text=text, error=more.get("error", ""), note=more.get("note", "")))


def task(prompt: str = "Find the home essentials under $10.", history: tuple[PastTask, ...] = ()) -> Assignment:
    """A part of a long-context task."""
    phase = "a2" if history else "a1"
    return Assignment(
        suite="long_context", phase=phase, prompt=prompt, history=history, actions=BROWSING, step_limit=10
    )


def case(prompt: str = "Decide on the refund for order 635.") -> Assignment:
    """A case to decide."""
    return Assignment(
        suite="shopping_admin",
        phase="main",
        prompt=prompt,
        actions=(*BROWSING, "decide"),
        decisions=DECISIONS,
        step_limit=25,
    )
