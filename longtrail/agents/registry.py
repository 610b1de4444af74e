"""Registry: the built-in agents. Listing them imports no agent, so that `--help` stays fast."""

from dataclasses import dataclass

_AGENTS = ("audit", "irag", "oracle", "webagent")
_BASELINES = (
    *("constant", "lookup", "looper", "nothing", "packed_notes", "paster", "quoter", "random", "stuffer", "surface"),
    *("visitor", "word_list"),
)


@dataclass(frozen=True, slots=True)
class BuiltInAgent:
    """One agent that ships."""

    name: str
    module: str
    """Defines `make(assignment, equipment)`."""
    baseline: bool
    """A baseline doesn't investigate: its score shows what a task gives away."""


def built_in_agents() -> dict[str, BuiltInAgent]:
    """The built-in agents by name, in the order of names."""
    agents = [BuiltInAgent(name, f"longtrail.agents.{name}", baseline=False) for name in _AGENTS]
    agents += [BuiltInAgent(name, f"longtrail.agents.baselines.{name}", baseline=True) for name in _BASELINES]
    return {agent.name: agent for agent in sorted(agents, key=lambda agent: agent.name)}


def names(*, baselines: bool) -> tuple[str, ...]:
    """Names of the baselines, or of the other built-in agents."""
    return tuple(agent.name for agent in built_in_agents().values() if agent.baseline == baselines)
