"""Message schema: JSON Schema of the messages between the harness and agents in their own processes."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter

from longtrail.agents.agent import Assignment
from longtrail.agents.cdp.messages import AgentReport, TaskMessage
from longtrail.records.action import Action
from longtrail.records.observation import Observation
from longtrail.records.record import Record
from longtrail.records.trajectory import Outcome, Usage

Words = Annotated[str, Field(max_length=100_000)]


class ActRequest(Record):
    """POST /act: what does the agent do next?"""

    episode: str
    """Names one phase of one episode."""
    step: int
    assignment: Assignment
    observation: Observation
    screenshot: str | None = None
    """JPEG in base64, element ids drawn in."""


class ActAnswer(BaseModel):
    """The answer to POST /act; other keys are ignored."""

    action: Action
    thought: Words = ""
    summary: Words = ""
    refused: bool = False
    usage: Usage = Usage()
    model: Annotated[str, Field(max_length=200)] = ""


class ObserveRequest(Record):
    """POST /observe: what the action did, and the page afterwards."""

    episode: str
    step: int
    outcome: Outcome
    observation: Observation
    screenshot: str | None = None


class ObserveAnswer(BaseModel):
    """The answer to POST /observe."""

    reflection: Words = ""
    usage: Usage = Usage()


MESSAGES: tuple[type[BaseModel], ...] = (ActRequest, ActAnswer, ObserveRequest, ObserveAnswer, TaskMessage, AgentReport)
"""Of agents over HTTP (the first four), and of agents that drive the browser themselves."""


def schema() -> dict[str, Any]:
    """One JSON Schema with a definition for each message, by its name."""
    kind: Literal["validation"] = "validation"
    _, definitions = TypeAdapter.json_schemas([(message, kind, TypeAdapter(message)) for message in MESSAGES])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages between Longtrail and agents in processes of their own",
        **definitions,
    }
