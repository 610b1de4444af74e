"""Agent specification: the value of `--agent`, parsed once, with everything that the rest needs to know about its
kind."""

import importlib
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from longtrail.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment

AgentKind = Literal["built_in", "python", "http", "cdp", "browsergym", "human"]
AgentRole = Literal["contender", "person", "oracle", "baseline"]
"""Competes; is a person, for comparison; proves the tasks solvable; or shows what an agent earns without understanding
what it reads."""
AgentTrust = Literal["in-process", "isolated", "isolated, self-attested"]
"""How well an agent is kept from the solutions and from its own record. `in-process`: Python code in the worker,
trusted. `isolated`: a separate process; only what the sites served counts as shown to it. `self-attested`: it drives
the browser itself on the real web, so we can't know what was served to it."""
AGENTS = {
    "audit": "webagent:make_audit",
    "irag": "webagent:make_irag",
    "oracle": "oracle:make",
    "webagent": "webagent:make",
}
"""The built-in agents that compete, and the oracle -> their factory, as `module:function` or `module:class` of
`longtrail.agents`. Listing agents imports none, so that `--help` stays fast."""
BASELINES = {
    "constant": "guessers:Constant",
    "lookup": "readers:make_lookup",
    "looper": "guessers:Looper",
    "nothing": "guessers:Nothing",
    "packed_notes": "readers:PackedNotes",
    "paster": "readers:Paster",
    "quoter": "readers:Quoter",
    "random": "guessers:RandomActions",
    "stuffer": "guessers:Stuffer",
    "surface": "guessers:Surface",
    "visitor": "readers:Visitor",
    "word_list": "readers:WordList",
}
"""The same for built-in agents that don't understand what they read: their scores show what a task gives away."""
BUILT_IN = AGENTS | BASELINES
PROMPTS = {"audit": ("audit",), "irag": ("summarise",), "webagent": ()}
"""The built-in agents that call a model -> their own prompt files, in addition to their profile's."""
ORACLE = "oracle"
"""The only agent that gets the reference solution of its task. (`lookup` looks one up by the prompt's words.)"""
HUMAN = "human"
"""A person plays, in a page that we serve."""
WITH_MODEL, WITHOUT_MODEL = "webagent", ORACLE
"""The agent used without `--agent`."""
_PREFIXES: tuple[tuple[str, AgentKind], ...] = (
    ("http://", "http"),
    ("https://", "http"),
    ("cdp:", "cdp"),
    ("browsergym:", "browsergym"),
)
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
OTHER_KINDS = (
    "human (a person plays, in a page)",
    "package.module:factory",
    "http://host:port of an agent in its own process",
    "browsergym:package.module:factory of an agent made for BrowserGym",
    "cdp:package.module:function (or cdp:COMMAND) of an agent that drives the browser itself",
)
"""The forms of names of agents that are not built in."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent, as `--agent` names it. Parsing imports nothing and never fails; `factory` checks the name."""

    name: str
    """The name as given and as recorded."""
    kind: AgentKind
    target: str
    """The name without the prefix of its kind; for `http`, the whole address."""

    @classmethod
    def parse(cls, name: str) -> "AgentSpec":
        """The specification of a name."""
        for prefix, kind in _PREFIXES:
            if name.startswith(prefix):
                return cls(name, kind, name if kind == "http" else name.removeprefix(prefix).strip())
        if name == HUMAN:
            return cls(name, "human", name)
        return cls(name, "python" if ":" in name else "built_in", name)

    @property
    def role(self) -> AgentRole:
        """Its role in a leaderboard. The user's own agents and unknown names compete."""
        if self.name == ORACLE:
            return "oracle"
        if self.kind == "human":
            return "person"
        return "baseline" if self.name in BASELINES else "contender"

    @property
    def built_in(self) -> bool:
        """Whether it is built in. If so, its exceptions are Longtrail's faults."""
        return self.name in BUILT_IN

    def trust(self, web: str = "embedded") -> AgentTrust:
        """Its trust class on this web."""
        if self.drives_browser and web == "live":
            return "isolated, self-attested"
        return "isolated" if self.kind in ("http", "cdp", "human") else "in-process"

    @property
    def drives_browser(self) -> bool:
        """Whether it drives its own browser and is only observed, as a person does. All other agents are asked for one
        action at a time."""
        return self.kind in ("cdp", "human")

    @property
    def reads_whole_pages(self) -> bool:
        """Whether it reads whole pages as trees and has more than the usual actions."""
        return self.kind == "browsergym"

    @property
    def knows_reference(self) -> bool:
        """Whether it gets the task's reference solution."""
        return self.role == "oracle"

    @property
    def calls_model(self) -> bool:
        """Whether it is a built-in agent that needs a `--model`."""
        return self.name in PROMPTS

    @property
    def takes_model(self) -> bool:
        """Whether it takes a `--model`. Only people and built-in agents that call no model don't."""
        return self.calls_model or self.kind not in ("built_in", "human")

    @property
    def factory(self) -> "AgentFactory":
        """The factory of the agent for a phase. For agents that drive the browser themselves, it refuses.

        Raises UsageError, in one line, for an unknown name.
        """
        if self.kind == "http":
            from longtrail.agents import remote

            return remote.at(self.target)
        if self.drives_browser:
            if self.kind == "cdp":
                command(self.target)
            return _refusing_factory(self.name)
        if self.kind == "browsergym":
            from longtrail.agents.browsergym import adapter

            return adapter.around(load_callable(self.target, f"agent {self.name!r}"))
        if self.kind == "python":
            return load_callable(self.target, f"agent {self.name!r}")
        if not self.built_in:
            agent_names = sorted(BUILT_IN)
            hint = f"{did_you_mean(self.name, agent_names)} ".lstrip()
            others = ", ".join(f"`{kind.split()[0]}`" for kind in OTHER_KINDS)
            raise UsageError(f"unknown agent {self.name!r}: {hint}known are {', '.join(agent_names)}; also {others}")
        module, _, factory = BUILT_IN[self.name].partition(":")
        return cast("AgentFactory", getattr(importlib.import_module(f"longtrail.agents.{module}"), factory))


def command(target: str) -> list[str]:
    """The words that start the agent (`package.module:function` or a command line, what follows `cdp:`).

    Raises UsageError, in one line, if it can't be started.
    """
    if _FUNCTION.fullmatch(target):
        load_callable(target, f"agent 'cdp:{target}'")
        return [sys.executable, "-m", "longtrail.agents.cdp", target]
    words = shlex.split(target)
    if not words:
        raise UsageError(f"agent 'cdp:{target}': expected cdp:package.module:function or cdp:COMMAND")
    return words


def _refusing_factory(name: str) -> "AgentFactory":
    """The agent made here always refuses to act."""

    def make(assignment: "Assignment", equipment: "Equipment") -> "Agent":  # noqa: ARG001
        raise UsageError(f"agent {name!r} drives the browser itself: it can't give one action at a time")

    return make


def agents_help() -> str:
    """The values of `--agent`, for a help text."""
    defaults = {WITH_MODEL: " (default with --model)", WITHOUT_MODEL: " (default without --model)"}
    agent_names = ", ".join(f"{name}{defaults.get(name, '')}" for name in AGENTS)
    return f"{agent_names}, a baseline ({', '.join(BASELINES)}), {', '.join(OTHER_KINDS[:-1])}, or {OTHER_KINDS[-1]}"


def load_callable(path: str, subject: str) -> Callable[..., Any]:
    """Import what `package.module:attribute` names; the current directory comes before all other places, also before
    the folders of tests, which pytest puts first.

    Raises UsageError, in one line that begins with `subject`, if it can't be imported or called.
    """
    module, _, attribute = path.partition(":")
    current_folder = str(Path.cwd())
    if sys.path[0] not in ("", current_folder):
        sys.path.insert(0, current_folder)
    top = module.partition(".")[0]
    loaded, nearest = _file(top), PathFinder.find_spec(top, [current_folder])
    if loaded and nearest and nearest.origin and loaded != Path(nearest.origin).resolve():
        raise UsageError(
            f"{subject}: {nearest.origin} has the name of {loaded}, which is loaded already: rename one of them"
        )
    try:
        target: Any = importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"{subject}: can't import {module!r}: {error}") from error
    for part in attribute.split("."):
        target = getattr(target, part, None)
    if not callable(target):
        raise UsageError(f"{subject}: {module!r} has no callable {attribute!r}")
    return target  # type: ignore[no-any-return]


def source_file(name: str) -> Path | None:
    """The file of an agent of the user's own that was loaded, or the program of `cdp:COMMAND`; None: unknown."""
    target = name.removeprefix("cdp:").removeprefix("browsergym:")
    if (file := _file(target.partition(":")[0])) is not None:
        return file
    files = [Path(word).resolve() for word in target.split() if Path(word).is_file()] if target != name else []
    return files[-1] if files else None


def _file(module: str) -> Path | None:
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file).resolve() if file else None
