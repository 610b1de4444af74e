"""An agent built with LangGraph: a graph that takes notes of each page, then follows a link or answers.

PYTHONPATH=examples/langgraph pytest evals -m shopping_admin --agent my_agent:make
"""

import re
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from longtrail.api import Action, Assignment, Click, Decide, Equipment, Evidence, Finish, Move, Outcome, View

LINK = re.compile(r'\[(\d+)\] link "([^"]+)"')
PAGES = 5


class State(TypedDict):
    """The state that the graph's nodes pass on: one turn of the agent."""

    view: View
    best: tuple[str, str] | None
    move: Move | None


class GraphAgent:
    """One phase. Each `act` is one run of the graph; you would call your model in its nodes."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        self.assignment = assignment
        self.model = equipment.model  # `--model`, with retries, limits and costs; LangChain's own models work as well
        self.wanted = words(assignment.prompt)
        self.notes: list[tuple[str, str]] = []
        self.clicked: set[str] = set()
        graph = StateGraph(State)
        graph.add_node("read", self.read)
        graph.add_node("follow", self.follow)
        graph.add_node("answer", self.answer)
        graph.add_edge(START, "read")
        graph.add_conditional_edges("read", lambda state: "follow" if state["best"] else "answer")
        graph.add_edge("follow", END)
        graph.add_edge("answer", END)
        self.graph = graph.compile()

    def act(self, view: View) -> Move:
        """The next action."""
        move: Move = self.graph.invoke({"view": view, "best": None, "move": None})["move"]
        return move

    def observe(self, outcome: Outcome, view: View) -> None:
        """What the action did, and the page afterwards."""

    def read(self, state: State) -> dict[str, Any]:
        """Note the page's best line, and choose a link."""
        view = state["view"]
        line = max(view.text.splitlines(), key=lambda each: len(words(each) & self.wanted), default="")
        self.notes.append((view.url, line.strip()[:300]))
        links = [(len(words(name) & self.wanted), id, name) for id, name in LINK.findall(view.text)]
        fits, id, name = max((each for each in links if each[2] not in self.clicked), default=(0, "", ""))
        return {"best": (id, name) if fits and len(self.notes) < PAGES else None}

    def follow(self, state: State) -> dict[str, Any]:
        """Click the chosen link."""
        assert state["best"] is not None
        id, name = state["best"]
        self.clicked.add(name)
        return {"move": Move(action=Click(id=id), thought=f"{name!r} fits the task.")}

    def answer(self, state: State) -> dict[str, Any]:  # noqa: ARG002 (a node takes the state)
        """Answer with what was noted."""
        said = "; ".join(f"{url}: {line}" for url, line in self.notes)
        action: Action = Finish(answer=said)
        if self.assignment.decisions:
            evidence = tuple(Evidence(source=url, quote=line) for url, line in self.notes)
            action = Decide(decision=self.assignment.decisions[0], justification=said, evidence=evidence)
        return {"move": Move(action=action, thought=f"I have read {len(self.notes)} pages.")}


def words(text: str) -> set[str]:
    """Words of four letters and more, and numbers."""
    return set(re.findall(r"[a-z]{4,}|\d+", text.lower()))


def make(assignment: Assignment, equipment: Equipment) -> GraphAgent:
    """Called for each phase of each case."""
    return GraphAgent(assignment, equipment)
