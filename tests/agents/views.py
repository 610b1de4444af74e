"""Views and assignments for tests of agents, as an episode would pass them."""

from longtrail.agents.agent import Assignment
from longtrail.browser.view import View
from longtrail.records.memory import PastTask
from longtrail.records.observation import Observation

BROWSING = ("goto", "click", "fill", "select", "search", "back", "scroll", "finish")
DECISIONS = ("APPROVE", "DENY", "ESCALATE")


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
