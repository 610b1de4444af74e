"""Steps: what every export says of an episode's steps."""

from typing import Any

from longtrail.records.observation import Observation
from longtrail.records.trajectory import Step


def page_text(observation: Observation) -> str:
    """What the agent was shown, as one text: errors and notes, the address and title, the page."""
    heading = f"{observation.url} {observation.title}"
    return "\n".join(filter(None, (observation.error, observation.note, heading, observation.text)))


def arguments(step: Step) -> dict[str, Any]:
    """The action's fields that differ from their defaults, without its type; empty without an action."""
    return step.action.model_dump(mode="json", exclude={"type"}, exclude_defaults=True) if step.action else {}
