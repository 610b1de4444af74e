"""Misbehaving: agents that each go wrong in one known way. They see what every agent sees, and nothing else.

Those that need to get somewhere first play a part of the task's reference solution.
"""

from collections.abc import Callable, Sequence
from itertools import chain, cycle

from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment
from longtrail.agents.oracle import Oracle, ReferenceScript, script
from longtrail.browser.view import View
from longtrail.records.action import Action, Decide, Evidence, Finish, Goto, Scroll, Search
from longtrail.tasks.task import DecisionTask
from tests.agents.views import Act, Scripted


def always(act: Callable[[Assignment], Act]) -> AgentFactory:
    """A factory of agents that do the same in every phase."""

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        return Scripted(end=act(assignment))

    return make


def looper(assignment: Assignment) -> Act:
    """Repeats the same search endlessly."""
    return lambda _: Search(query="home essentials list")


def wanderer(assignment: Assignment) -> Act:
    """Never repeats an action, and does nothing that helps: it opens pages of the site, then searches."""
    places = iter(["/us/en/", "/us/en/customer-service/", "/us/en/stores/", "/us/en/rooms/", "/us/en/new/"])
    numbers = iter(range(100))

    def act(view: View) -> Action:
        place = next(places, None)
        return Goto(url=f"https://www.ikea.com{place}") if place else Search(query=f"ikea shelf no. {next(numbers)}")

    return act


def finisher(assignment: Assignment) -> Act:
    """Says at once that it is done."""
    return lambda _: Finish(answer="Done, the first three are saved.")


def lost(assignment: Assignment) -> Act:
    """Continues on the browser's current site and never returns to the task's own site."""
    numbers = iter(range(100))
    return lambda view: Search(query=f"first three items number {next(numbers)}") if next(numbers) % 2 else Scroll()


def follower(assignment: Assignment) -> Act:
    """Confuses the last task of its history with its own: it opens the addresses of that task again, and finishes."""
    last = assignment.history[-1] if assignment.history else None
    places = iter(dict.fromkeys(step.url for step in last.steps if step.url.startswith("https://")) if last else ())

    def act(view: View) -> Action:
        place = next(places, None)
        return Goto(url=place) if place else Finish(answer="I did it again.")

    return act


def decides(decision: str, justification: str, evidence: Sequence[Evidence] = ()) -> Act:
    """Decides at once."""
    return lambda _: Decide(decision=decision, justification=justification, evidence=tuple(evidence))


def reads_but_ignores(task: DecisionTask, decision: str) -> AgentFactory:
    """Walks the whole reference path, and then decides as if it had seen nothing."""

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        shown = script(task, "main")
        opened = (move for move in shown.moves if move.read is None and move.fill is None and move.decide is None)
        moves = tuple(move.model_copy(update={"why": ""}) for move in opened)
        return Oracle(ReferenceScript(moves=moves, decision=decision, justification="It looks bad to me."))

    return make


def answers(first: Act, *turns: Act) -> AgentFactory:
    """Acts by `first` in the main phase, and by one of `turns` in each turn of the appeal; the last of them repeats."""
    later = chain(turns, cycle(turns[-1:]))

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        return Scripted(end=first if assignment.phase == "main" else next(later))

    return make
