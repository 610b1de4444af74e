"""The episode of one of Inspect's samples, in a thread of its own; our actions are Inspect's tools."""

import asyncio
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams

from longtrail.agents.agent import Move
from longtrail.environment.actions import ActionTool, move_of, tools_of
from longtrail.environment.episode import TextEpisode
from longtrail.records.result import Result
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import PlannedCase

AGENT = "inspect"


class SampleEpisode:
    """The episode of one sample."""

    def __init__(self, planned: PlannedCase, repeat: int, model: str) -> None:
        case = planned.case.model_copy(update={"repeat": repeat})
        self._episode = TextEpisode(case, planned.task, Contender(agent=AGENT, model=model))
        self._tools = tools_of(planned.task)

    @property
    def result(self) -> Result | None:
        """Once the episode is over."""
        return self._episode.ended.result if self._episode.ended else None

    async def begin(self) -> str:
        """What the model is told, and the first page as text."""
        return await asyncio.to_thread(self._episode.open)

    async def move(self, move: Move) -> str:
        """Make a move; the page afterwards. Raises ToolError if the episode is over."""
        if self.result is not None:
            raise ToolError("the task is over")
        return await asyncio.to_thread(self._episode.move, move)

    async def no_call(self, text: str) -> str:
        """An answer that called no tool takes a step, too."""
        problem = f"call one of the tools: {', '.join(tool.name for tool in self._tools)}"
        return await self.move(Move(action=None, problem=problem, raw=text))

    async def end(self) -> None:
        """End the episode in any state."""
        await asyncio.to_thread(self._episode.stop)

    def tools(self) -> list[Tool]:
        """Our actions as tools that play this episode."""
        return [self._tool(tool) for tool in self._tools]

    def _tool(self, tool: ActionTool) -> Tool:
        async def act(**fields: Any) -> str:
            return await self.move(move_of(tool.name, fields))

        parameters = ToolParams.model_validate(tool.parameters)
        return ToolDef(act, name=tool.name, description=tool.description, parameters=parameters).as_tool()
