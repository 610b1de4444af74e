"""Inspect's tasks, found through the entry point `inspect_ai`: a suite each, a sample for each of our tasks.

    inspect eval longtrail/shopping_admin -T condition=hint -T sample=12 --model openai/gpt-4.1 --epochs 3

The browser's page is text; our actions are the tools. To play with an agent of Inspect's, give it the sample's tools:
`react(tools=...)` gets them from the state that the setup has prepared (`state.tools`). Each sample's episode is played
in a thread of its own.
"""

import asyncio
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams

from longtrail.agents.agent import Move
from longtrail.environment.actions import ActionTool, move_of, tools_of
from longtrail.environment.cases import first_prompt, suite_cases
from longtrail.environment.episode import TextEpisode
from longtrail.errors import UsageError
from longtrail.records.result import Result
from longtrail.records.split import split_of
from longtrail.records.trajectory import Contender, Suite
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


_RUNNING: dict[str, SampleEpisode] = {}
"""Sample's uuid -> its episode. Inspect copies what is in a sample's store, and an episode can't be copied."""


@task
def shopping_admin(condition: Literal["raw", "hint", "explicit"] = "raw", sample: int = 0, variant: int = 0) -> Task:
    """Decisions in the shop's back office (PATHWAYS). `sample`: so many tasks, 0: all; `variant`: a seed, 0: the
    tasks as they ship."""
    return _task("shopping_admin", sample, variant, prompt=condition)


@task
def reddit(condition: Literal["raw", "hint", "explicit"] = "raw", sample: int = 0, variant: int = 0) -> Task:
    """Decisions in the forum's moderation (PATHWAYS)."""
    return _task("reddit", sample, variant, prompt=condition)


@task
def long_context(length: int = 0, sample: int = 0, variant: int = 0) -> Task:
    """Two-part tasks with `length` tokens of other trajectories between the parts."""
    return _task("long_context", sample, variant, length=length)


@task
def discovered(length: int = 0, sample: int = 0, variant: int = 0) -> Task:
    """Two-part tasks of our own, whose second part needs what the agent found in the first one."""
    return _task("discovered", sample, variant, length=length)


def _task(suite: Suite, sample: int, variant: int, **condition: Any) -> Task:
    for name, value in {"sample": sample, "variant": variant, "length": condition.get("length", 0)}.items():
        if not isinstance(value, int) or value < 0:
            raise UsageError(f"-T {name}={value}: expected a whole number, 0 or more")
    cases = list(suite_cases(suite, variant=variant or None, **condition).items())
    planned = dict(cases[:: max(1, len(cases) // sample)][:sample] if sample else cases)
    about = {"suite": suite, "split": split_of(variant or None)}
    samples = [Sample(id=name, input=first_prompt(case), metadata=about) for name, case in planned.items()]
    return Task(
        dataset=MemoryDataset(samples, name=f"longtrail/{suite}"),
        setup=opened(planned),
        solver=played(),
        cleanup=_closed,
        scorer=scored(),
        name=f"longtrail/{suite}",
    )


@solver
def opened(planned: dict[str, PlannedCase]) -> Solver:
    """Opens the sample's episode, shows its first page, and gives the model its tools."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        case = planned[str(state.sample_id)]
        episode = _RUNNING[state.uuid] = SampleEpisode(case, state.epoch - 1, str(state.model))
        state.messages = [ChatMessageUser(content=await episode.begin())]
        state.tools = episode.tools()
        return state

    return solve


@solver
def played() -> Solver:
    """Asks the model for one action after another, until the episode is over."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _RUNNING[state.uuid]
        while episode.result is None and not state.completed:
            state = await generate(state, tool_calls="single")
            if episode.result is None and not state.output.message.tool_calls:
                shown = await episode.no_call(state.output.completion)
                state.messages.append(ChatMessageUser(content=shown))
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def scored() -> Scorer:
    """Our score of the episode: 1 if the case passed, with every measure in the metadata."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        result = _RUNNING[state.uuid].result
        if result is None:
            return Score(value=0, explanation="the episode did not end: a limit of Inspect was reached")
        return Score(value=int(result.outcome == "passed"), explanation=result.reason, metadata=result.values)

    return score


async def _closed(state: TaskState) -> None:
    """End the sample's episode."""
    if episode := _RUNNING.pop(state.uuid, None):
        await episode.end()
