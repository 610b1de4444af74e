"""The cases that other tools play: each task of a suite once, under one condition, in one variant."""

from collections.abc import Mapping
from typing import get_args

from longtrail.errors import UsageError, did_you_mean
from longtrail.records.case import LONG, PATHWAYS, Prompt, Suite
from longtrail.records.split import check_split, split_of
from longtrail.tasks.briefing import case_prompt
from longtrail.tasks.cases import Conditions, PlannedCase, plan
from longtrail.tasks.task import LongContextTask
from longtrail.variants import shipped_tasks

SUITES: tuple[Suite, ...] = (*PATHWAYS, *LONG)
"""The suites that other tools play. (Shifts and the hard tier are played with pytest.)"""


def suite_cases(
    suite: str, *, prompt: str = "raw", length: int = 0, variant: int | None = None
) -> Mapping[str, PlannedCase]:
    """The cases of a suite by id. `prompt` is the condition of decision tasks, `length` the tokens of other
    trajectories between the parts of long-context tasks. Raises UsageError."""
    if suite not in SUITES:
        raise UsageError(f"suite {suite!r}: {did_you_mean(suite, SUITES)} expected one of {', '.join(SUITES)}")
    if prompt not in get_args(Prompt):
        raise UsageError(f"prompt {prompt!r}: expected one of {', '.join(get_args(Prompt))}")
    check_split(split_of(variant), variant)
    if length < 0:
        raise UsageError(f"length {length}: expected a number of tokens, 0 or more")
    tasks = {name: task for name, task in shipped_tasks(variant).items() if task.suite == suite}
    conditions = Conditions(lengths=(length,), prompts=(prompt,), relocated=False, variant=variant)
    return {planned.case.id: planned for planned in plan(tasks, conditions)}


def first_prompt(planned: PlannedCase) -> str:
    """What the agent is told first."""
    task = planned.task
    return task.a1.instruction if isinstance(task, LongContextTask) else case_prompt(task, planned.case)
