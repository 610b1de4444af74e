"""The agent's interface. An agent gets the prompt, the history and what a page shows (`View`), but not the browser,
the Task or the solution.

An agent in our own process could still find them, so it must be trusted (`AgentSpec.trust`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol

from pydantic import BeforeValidator

from longtrail.browser.view import View
from longtrail.llm.client import ModelClient
from longtrail.records.action import Action
from longtrail.records.action_forms import forms
from longtrail.records.memory import PastTask
from longtrail.records.record import Record
from longtrail.records.trajectory import Outcome, Phase, Suite, Usage


def _forms(value: Any) -> Any:
    return value if isinstance(value, dict) else forms(value)


class Assignment(Record):
    """What an agent is told before it starts."""

    suite: Suite
    phase: Phase
    prompt: str
    """The instruction, complete (for decision tasks with the list of decisions)."""
    history: tuple[PastTask, ...] = ()
    """Tasks done earlier, oldest first, injected ones included."""
    actions: Annotated[dict[str, str], BeforeValidator(_forms)]
    """Types of actions allowed here, each with its JSON form; `decide` only in decision tasks."""
    files: tuple[str, ...] = ()
    """Names of the files that the case offers for uploads."""
    decisions: tuple[str, ...] = ()
    step_limit: int
    """Maximum number of steps from here on; in a later session of a shift, what earlier ones left of its budget."""
    seed: int = 0
    session: int = 0
    """Shift under the condition `sessions`: the number of this session, from 1. An agent that remembers by itself
    continues with what it knows of `episode`."""
    episode: str = ""
    """Shift: names the episode, the same in all of its sessions."""
    notes: tuple[str, ...] = ()
    """Shift: what the agent wrote into its notebook in earlier sessions."""


class Move(Record):
    """An agent's answer to one view. An agent may also return just the Action."""

    action: Action | None
    """None: the answer had no valid action; `raw` holds the answer."""
    thought: str = ""
    problem: str = ""
    """If there is no action: what was wrong with the answer; the next observation says so."""
    raw: str = ""
    cut_off: bool = False
    """If there is no action: the model's answer was cut off at its maximum length."""
    summary: str = ""
    refused: bool = False
    """The model refused. Ends the episode as the agent's own doing."""
    usage: Usage = Usage()
    summary_usage: Usage | None = None
    """Usage of the summary alone; `usage` includes it."""
    seconds: float = 0.0
    model: str = ""


class Reflection(Record):
    """What the agent made of the last action's outcome."""

    text: str
    usage: Usage = Usage()
    seconds: float = 0.0


class Agent(Protocol):
    """Two methods. One agent object is used for one phase of one episode, for one message of an appeal, or for one
    session of a shift."""

    def act(self, view: View) -> Action | Move:
        """Choose the next action."""

    def observe(self, outcome: Outcome, view: View) -> Reflection | None:
        """Receive the outcome of the action and the page afterwards."""


@dataclass(frozen=True, slots=True)
class Equipment:
    """What a factory may use in addition to the assignment."""

    model: ModelClient | None = None
    options: dict[str, object] = field(default_factory=dict)
    profile: str = "default"
    """Name of the web agents' settings."""


AgentFactory = Callable[[Assignment, Equipment], Agent]
"""`module:factory` given to `--agent` has this shape; so have the built-in agents that `spec.py` names."""
