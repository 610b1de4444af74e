"""Messages: what an agent's process receives on its standard input, and what it prints as its last line."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from longtrail.records.action import Action, Decide, Evidence, Finish
from longtrail.records.record import Record
from longtrail.records.trajectory import Usage


class TaskMessage(Record):
    """What the agent receives."""

    prompt: str
    """The complete task."""
    cdp: str
    """`http://127.0.0.1:PORT`: connect to it; the default context's first page shows where the task begins."""
    history: str = ""
    """Tasks done earlier, as text."""
    decisions: tuple[str, ...] = ()
    """In decision tasks: choose one of these."""
    step_limit: int
    """Maximum number of pages and actions, as observed from outside."""
    seconds: float
    """Time limit in seconds; then the agent is stopped."""
    options: dict[str, Any] = {}
    """`--agent-arg KEY=VALUE`."""
    model: str | None = None
    """`--model`, where one is given."""


class AgentReport(BaseModel):
    """The agent's final answer; other keys are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    answer: str = Field(default="", max_length=20_000)
    decision: str = Field(default="", max_length=80)
    justification: str = Field(default="", max_length=20_000)
    evidence: tuple[Evidence, ...] = ()
    response: str = Field(default="", max_length=20_000)
    thought: str = Field(default="", max_length=100_000)
    usage: Usage = Usage(usd=None)
    model: str = Field(default="", max_length=200)

    def action(self) -> Action:
        """The answer as the last action of the episode."""
        if self.decision:
            return Decide(
                decision=self.decision,
                justification=self.justification or self.answer,
                evidence=self.evidence,
                response=self.response,
            )
        return Finish(answer=self.answer)
