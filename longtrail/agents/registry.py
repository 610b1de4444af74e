"""Registry: the built-in agents. Each is a module here or in `baselines/` that defines `make`; its name is the agent's.

Listing them reads the folders and imports no agent, so that `--help` stays fast.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent
_MAKES = re.compile(r"^(?:def make\(|make\b\s*[:=])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class BuiltInAgent:
    """One agent that ships."""

    name: str
    module: str
    baseline: bool
    """A baseline doesn't investigate: its score shows what a task gives away."""


@cache
def built_in_agents() -> dict[str, BuiltInAgent]:
    """The built-in agents by name, in the order of names."""
    found = [
        BuiltInAgent(path.stem, ".".join(("longtrail.agents", *folder, path.stem)), baseline=bool(folder))
        for folder in ((), ("baselines",))
        for path in _HERE.joinpath(*folder).glob("*.py")
        if _MAKES.search(path.read_text(encoding="utf-8"))
    ]
    return {agent.name: agent for agent in sorted(found, key=lambda agent: agent.name)}


def names(*, baselines: bool) -> tuple[str, ...]:
    """Names of the baselines, or of the other built-in agents."""
    return tuple(agent.name for agent in built_in_agents().values() if agent.baseline == baselines)
