"""The tool of a task: our actions in a real browser, each answered with the page as text."""

from functools import partial
from typing import Any

from cube.container import Container
from cube.core import ActionSchema
from cube.tool import Tool, ToolConfig, tool_action

from longtrail.environment.cases import move_of, suite_cases, tools_of
from longtrail.environment.episode import EpisodeEnded, TextEpisode
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import PlannedCase

AGENT = "cube"


class CaseTool(Tool):
    """The browser of one case. Its episode begins with `open`."""

    def __init__(self, planned: PlannedCase) -> None:
        self._planned, self._episode = planned, None
        self._tools = tools_of(planned.task)
        for tool in self._tools:
            setattr(self, tool.name, tool_action(partial(self._act, tool.name)))

    @property
    def action_set(self) -> list[ActionSchema]:
        """Our actions. `final_step` is not among them: `finish` ends a part of a task, and `decide` a decision."""
        return [ActionSchema(**tool._asdict()) for tool in self._tools]

    @property
    def ended(self) -> EpisodeEnded | None:
        """Once the episode is over."""
        return self._episode.ended if self._episode else None

    def open(self) -> str:
        """Begin the episode; what the agent is told, and the first page. Raises HarnessTrouble."""
        self.close()
        self._episode = TextEpisode(self._planned.case, self._planned.task, Contender(agent=AGENT))
        return self._episode.open()

    def close(self) -> None:
        """End the episode in any state."""
        if self._episode:
            self._episode.stop()

    def _act(self, kind: str, **fields: Any) -> str:
        if self._episode is None:
            raise RuntimeError("the task was not reset")
        return self._episode.move(move_of(kind, fields))


class CaseToolConfig(ToolConfig):
    """A case: its task, condition and variant."""

    suite: str
    task: str
    prompt: str = "raw"
    length: int = 0
    variant: int | None = None

    def make(self, container: Container | None = None) -> CaseTool:  # noqa: ARG002 (there is none)
        """The tool. Raises UsageError for a condition that does not exist."""
        cases = suite_cases(self.suite, prompt=self.prompt, length=self.length, variant=self.variant).values()
        return CaseTool(next(planned for planned in cases if planned.task.id == self.task))
