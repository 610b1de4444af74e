"""Taken apart: a decision case's trajectory up to its first valid decision, and what is derived from it only once."""

from dataclasses import dataclass
from functools import cached_property

from trailmark.action import Decide
from trailmark.checks.decisions import DecisionTable, decision_table
from trailmark.checks.trail import trail
from trailmark.clock import NOW
from trailmark.metrics import decision as decisions
from trailmark.metrics.evidence import judge
from trailmark.result import FactResult
from trailmark.spec.task import DecisionTask
from trailmark.trajectory import Step, Trajectory


@dataclass(frozen=True)
class TakenApart:
    """A decision case: everything before and at the first valid decision."""

    task: DecisionTask
    trajectory: Trajectory
    table: DecisionTable

    @classmethod
    def of(cls, task: DecisionTask, trajectory: Trajectory) -> "TakenApart":
        """By the decisions that its suite knows."""
        return cls(task, trajectory, decision_table(task.suite))

    @cached_property
    def deciding(self) -> Step | None:
        return decisions.deciding_step(self.trajectory.phase("main"), self.table)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Up to the decision, or all."""
        return tuple(s for s in self.trajectory.phase("main") if not self.deciding or s.number <= self.deciding.number)

    @cached_property
    def decision(self) -> Decide | None:
        return self.deciding.action if self.deciding and isinstance(self.deciding.action, Decide) else None

    @cached_property
    def answer(self) -> str | None:
        return self.table.resolve(self.decision.decision) if self.decision else None

    @cached_property
    def trail(self) -> tuple[frozenset[str], ...]:
        return trail(self.steps)

    @cached_property
    def facts(self) -> tuple[FactResult, ...]:
        return judge(self.task.required, self.steps, self.trail, NOW, sees=self.trajectory.contender.vision)

    @cached_property
    def critical(self) -> frozenset[str]:
        return frozenset(page.casefold() for page in self.task.critical_pages)

    @cached_property
    def relevant(self) -> frozenset[str]:
        return frozenset(page.casefold() for page in self.task.relevant_pages)
