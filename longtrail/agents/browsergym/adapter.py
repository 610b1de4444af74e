"""browsergym: an agent made for BrowserGym or AgentLab, unchanged (`--agent browsergym:package.module:factory`).

The factory gives an object with `get_action(obs) -> (text, info)`, or arguments of one (with `make_agent()`). `obs`
has BrowserGym's keys; element ids are the same as in the record's text, as decimal strings. Each call in an answer is
one step. A message to the user ends the task; in decision tasks it holds the decision.
"""

import copy
import io
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment, Move
from longtrail.agents.browsergym.calls import UnreadableCall, actions
from longtrail.browser.view import Trees, View
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action
from longtrail.records.memory import render_history
from longtrail.records.trajectory import Outcome, Usage

GREETING = "Hi! I am your UI assistant, I can perform web tasks for you. What can I help you with?"
DECIDING = (
    'To decide, call send_msg_to_user with one JSON object: {"decision": "...", "justification": "...", '
    '"evidence": [{"source": "...", "quote": "...", "shows": "...", "use": "for"}], '
    '"response": "..."}. It ends the task.'
)
FINISHING = "When you are done, call send_msg_to_user with your answer. It ends the task."


class BrowserGymAgent(Protocol):
    """BrowserGym's agent."""

    def get_action(self, obs: Any) -> tuple[str | None, Any]:
        """The next action as text, and further information about it."""


class BrowserGymAdapter:
    """One phase of one episode, played by an agent made for BrowserGym."""

    def __init__(self, foreign: BrowserGymAgent, assignment: Assignment) -> None:
        self._foreign, self._assignment = foreign, assignment
        self._prepare: Callable[[Any], Any] = getattr(foreign, "obs_preprocessor", None) or (lambda obs: obs)
        self._start = time.time()
        self._waiting: list[Action] = []
        self._said, self._error = "", ""
        self._messages = chat(assignment, self._start)

    def act(self, view: View) -> Move:
        if self._waiting:
            return Move(action=self._waiting.pop(0))
        if view.trees is None:
            raise HarnessTrouble("harness_bug", "the page can't be read as trees")
        trees, start = view.trees(), time.monotonic()
        obs = self._prepare(observation(view, trees, self._messages, self._said, self._error, self._start))
        answer, info = self._foreign.get_action(obs)
        seconds = time.monotonic() - start
        self._said, self._error = answer or "", ""
        agent_info = _shown_info(info)
        if answer is None:
            return Move(action=None, refused=True, raw="the agent gave up", seconds=seconds, **agent_info)
        try:
            first, *self._waiting = actions(answer, trees.places, self._assignment.decisions, trees.tabs)
        except UnreadableCall as error:
            self._error = str(error)
            return Move(action=None, raw=answer, seconds=seconds, **agent_info)
        return Move(action=first, seconds=seconds, **agent_info)

    def observe(self, outcome: Outcome, view: View) -> None:  # noqa: ARG002 (the agent sees it with the next view)
        if not outcome.ok:
            self._waiting.clear()
            self._error = self._error or outcome.error


def _shown_info(info: Any) -> dict[str, Any]:
    """The parts of an agent's info that are recorded."""
    fields = info if isinstance(info, Mapping) else vars(info) if hasattr(info, "__dict__") else {}
    stats = fields.get("stats") or {}
    tokens = {
        "prompt_tokens": int(stats.get("input_tokens", stats.get("n_token_in", 0)) or 0),
        "completion_tokens": int(stats.get("output_tokens", stats.get("n_token_out", 0)) or 0),
    }
    usage = Usage(calls=1, usd=stats.get("cost"), **tokens) if any(tokens.values()) else Usage()
    return {"thought": str(fields.get("think") or "")[:20_000], "usage": usage}


def goal(assignment: Assignment) -> str:
    """The task, after the earlier tasks."""
    earlier = render_history(assignment.history)
    before = f"# Tasks done earlier\n\n{earlier}\n# The task now\n\n" if earlier else ""
    return f"{before}{assignment.prompt}\n\n{DECIDING if assignment.decisions else FINISHING}"


def chat(assignment: Assignment, at: float) -> tuple[dict[str, Any], ...]:
    """The conversation as BrowserGym keeps it."""
    words = (("assistant", GREETING), ("user", goal(assignment)))
    return tuple({"role": role, "timestamp": at, "message": message} for role, message in words)


def observation(
    view: View, trees: Trees, messages: Iterable[Mapping[str, Any]], last_action: str, error: str, start: float
) -> dict[str, Any]:
    """A view under BrowserGym's keys, in its forms."""
    import numpy as np
    from PIL import Image

    messages = [dict(message) for message in messages]
    goal = messages[-1]["message"]
    picture = Image.open(io.BytesIO(trees.picture)).convert("RGB") if trees.picture else Image.new("RGB", (1, 1))
    return {
        "chat_messages": tuple(copy.deepcopy(messages)),
        "goal": goal,
        "goal_object": ({"type": "text", "text": goal},),
        "open_pages_urls": trees.urls,
        "open_pages_titles": trees.titles,
        "active_page_index": np.asarray([len(trees.urls) - 1]),
        "url": view.url,
        "screenshot": np.asarray(picture),
        "dom_object": trees.dom,
        "axtree_object": trees.axtree,
        "extra_element_properties": trees.places,
        "focused_element_bid": trees.focused,
        "last_action": last_action,
        "last_action_error": error or view.observation.error,
        "elapsed_time": np.asarray([time.time() - start]),
    }


def around(factory: Any) -> AgentFactory:
    """The factory of agents made for BrowserGym: a new one for each phase."""

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        try:
            foreign = factory(**equipment.options)
        except TypeError as error:
            raise HarnessTrouble("harness_bug", f"the agent's factory does not take its options: {error}") from error
        return BrowserGymAdapter(foreign.make_agent() if hasattr(foreign, "make_agent") else foreign, assignment)

    return make
