"""A task: reset opens a fresh browser in a fresh world, evaluate is Longtrail's score."""

from typing import Any

from cube.core import Observation
from cube.task import RuntimeContext, Task, TaskConfig, TaskMetadata

from longtrail.records.case import split_of
from longtrail_cube.tool import CaseTool, CaseToolConfig


class CaseMetadata(TaskMetadata):
    """What is known of a task before it is played."""

    suite: str


class CaseTask(Task[CaseMetadata, CaseTool]):
    """One task under one condition, in one variant."""

    tool_config: CaseToolConfig

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Start from the initial state. Raises HarnessTrouble."""
        variant = self.tool_config.variant
        return Observation.from_text(self.tool.open()), {"variant": variant, "split": split_of(variant)}

    def finished(self, obs: Observation | None = None) -> bool:  # noqa: ARG002 (the episode says so)
        """Whether the episode is over."""
        return self.tool.ended is not None

    def evaluate(self, obs: Observation | None = None) -> tuple[float, dict[str, Any]]:  # noqa: ARG002
        """The suite's headline measure, with all measures. Raises HarnessTrouble for an invalid episode."""
        ended = self.tool.ended
        if ended is None:
            return 0.0, {"outcome": "failed", "reason": "the agent did not end the task"}
        ended.check()
        return ended.reward, {
            "outcome": ended.result.outcome,
            "reason": ended.result.reason,
            "measures": ended.measures,
        }


class CaseConfig(TaskConfig[CaseMetadata]):
    """A task that can be sent to a worker. `seed` is the seed of the variant; None: the task as it ships."""

    prompt: str = "raw"
    length: int = 0

    def make(self, runtime_context: RuntimeContext | None = None) -> CaseTask:
        """The task. Raises UsageError for a condition that does not exist."""
        tool = CaseToolConfig(
            suite=self.metadata.suite,
            task=self.metadata.id,
            prompt=self.prompt,
            length=self.length,
            variant=self.seed,
        )
        return CaseTask(metadata=self.metadata, tool_config=tool, runtime_context=runtime_context)
