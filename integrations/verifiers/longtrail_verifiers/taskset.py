"""The taskset: a suite's tasks in one variant after another for training, or once as they ship for tests."""

from collections.abc import Iterator
from typing import Self

import verifiers.v1 as vf
from pydantic import model_validator

from longtrail.environment.cases import answer_rules, suite_cases
from longtrail.errors import UsageError
from longtrail.records.case import FIRST_FOR_TRAINING, HIGHEST_SEED, Split, check_split
from longtrail.tasks.cases import PlannedCase


class LongtrailConfig(vf.TasksetConfig):
    """Which tasks: `--env.taskset.suite reddit`."""

    suite: str = "shopping_admin"
    split: Split = "train"
    prompt: str = "raw"
    """Decision tasks: `raw`, `hint` or `explicit`."""
    length: int = 0
    """Long-context tasks: tokens of other trajectories between the two parts."""
    variant: int = FIRST_FOR_TRAINING
    """`train`: the first variant. The seeds go on from there."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        """Refuse what does not exist, so that vf-eval says it in one line."""
        try:
            check_split("train", self.variant)
            suite_cases(self.suite, prompt=self.prompt, length=self.length)
        except UsageError as error:
            raise ValueError(str(error)) from None
        return self


class CaseData(vf.TaskData):
    """A task under one condition, in one variant (None: as it ships)."""

    suite: str
    task: str
    condition: str
    length: int
    variant: int | None

    def planned(self) -> PlannedCase:
        """The case. The first one of a variant takes some seconds."""
        cases = suite_cases(self.suite, prompt=self.condition, length=self.length, variant=self.variant)
        return next(planned for planned in cases.values() if planned.task.id == self.task)


class CaseTask(vf.Task[CaseData]):
    """One task. Its first message is the first page, so that it has no prompt before it is played."""


class LongtrailTaskset(vf.Taskset[CaseTask, LongtrailConfig]):
    """A suite's tasks. `train` is without end: all tasks of a variant, then those of the next one."""

    def __init__(self, config: LongtrailConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.split == "train"
        self._cases = suite_cases(config.suite, prompt=config.prompt, length=config.length)

    def load(self) -> Iterator[CaseTask]:
        """The tasks. Those of one variant stand together, because each variant takes some seconds to make."""
        config = self.config
        for variant in range(config.variant, HIGHEST_SEED + 1) if self.INFINITE else (None,):
            for planned in self._cases.values():
                data = CaseData(
                    name=planned.task.id if variant is None else f"{planned.task.id}-v{variant}",
                    system_prompt=answer_rules(planned.task),
                    suite=config.suite,
                    task=planned.task.id,
                    condition=config.prompt,
                    length=config.length,
                    variant=variant,
                )
                yield CaseTask(data, config.task)
