"""Inspect's tasks, found through the entry point `inspect_ai`: a suite each, a sample for each of our tasks.

    inspect eval longtrail/shopping_admin -T condition=hint -T sample=12 --model openai/gpt-4.1 --epochs 3

The browser's page is text; our actions are the tools. To play with an agent of Inspect's, give it the sample's tools:
`react(tools=...)` gets them from the state that the setup has prepared (`state.tools`).
"""

from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from longtrail.environment.cases import first_prompt, suite_cases
from longtrail.errors import UsageError
from longtrail.inspect_bridge.episode import SampleEpisode
from longtrail.records.split import split_of
from longtrail.records.trajectory import Suite
from longtrail.tasks.cases import PlannedCase

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

    async def judge(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        result = _RUNNING[state.uuid].result
        if result is None:
            return Score(value=0, explanation="the episode did not end: a limit of Inspect was reached")
        return Score(value=int(result.outcome == "passed"), explanation=result.reason, metadata=result.values)

    return judge


async def _closed(state: TaskState) -> None:
    """End the sample's episode."""
    if episode := _RUNNING.pop(state.uuid, None):
        await episode.end()
