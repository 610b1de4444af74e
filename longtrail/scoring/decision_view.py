"""Decision view: a decision case's trajectory up to its first valid decision, with derived values that are computed
only once."""

from dataclasses import dataclass
from functools import cached_property

from longtrail.checks.decisions import DecisionTable, decision_table
from longtrail.checks.page_trail import trail
from longtrail.clock import NOW
from longtrail.records.action import Decide
from longtrail.records.result import FactResult
from longtrail.records.trajectory import Step, Trajectory
from longtrail.scoring.measures import decision as decisions
from longtrail.scoring.measures.delivery import ShownPage, delivered, picture_seen, shown_pages
from longtrail.scoring.measures.evidence import Reasons, judge
from longtrail.tasks.task import DecisionTask


@dataclass(frozen=True)
class DecisionView:
    """A decision case: everything before and at the first valid decision."""

    task: DecisionTask
    trajectory: Trajectory
    table: DecisionTable
    through_appeal: bool = False
    """Whether to include the appeal, up to its last valid decision; otherwise only the first user turn counts."""

    @classmethod
    def of(cls, task: DecisionTask, trajectory: Trajectory) -> "DecisionView":
        """The case with the decision table of its suite."""
        return cls(task, trajectory, decision_table(task.suite))

    def after_appeal(self) -> "DecisionView":
        """The same case up to its final decision."""
        return DecisionView(self.task, self.trajectory, self.table, through_appeal=True)

    @cached_property
    def deciding(self) -> Step | None:
        first = decisions.deciding_step(self.trajectory.phase("main"), self.table)
        if not self.through_appeal:
            return first
        return decisions.deciding_step(tuple(reversed(self.trajectory.phase("appeal"))), self.table) or first

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps up to the decision, or all."""
        played = self.trajectory.phase(*(("main", "appeal") if self.through_appeal else ("main",)))
        last = next((place for place, step in enumerate(played) if step is self.deciding), len(played))
        return tuple(played[: last + 1])

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
    def noted(self) -> tuple[Step, ...]:
        """What an earlier episode left in the agent's history; counted as step 0 (`lost_evidence`)."""
        return tuple(step.model_copy(update={"number": 0}) for step in self.trajectory.phase("a1"))

    def place(self, number: int) -> int:
        """The number in the whole episode of a step of the first user turn: steps with noted evidence come first."""
        return len(self.noted) + number

    @cached_property
    def noted_trail(self) -> tuple[frozenset[str], ...]:
        return trail(self.noted)

    @cached_property
    def noted_pages(self) -> tuple[ShownPage, ...]:
        return shown_pages(self.noted, self.noted_trail)

    @cached_property
    def pages(self) -> tuple[ShownPage, ...]:
        return shown_pages(self.steps, self.trail)

    @cached_property
    def known_pages(self) -> tuple[ShownPage, ...]:
        """What was noted before the noise, then what was shown at each step."""
        return (*self.noted_pages, *self.pages)

    @cached_property
    def reasons(self) -> Reasons | None:
        return Reasons.of(self.decision, self.known_pages) if self.decision else None

    @cached_property
    def delivery(self) -> dict[str, int | None]:
        """Each fact -> number of the step that first showed it. A picture counts only for agents with images."""
        sees = self.trajectory.contender.vision
        return {
            fact.id: (
                (picture_seen(fact, self.steps, self.trail) if sees else None)
                if fact.pictured
                else delivered(fact, self.known_pages, NOW)
            )
            for fact in self.task.sought
        }

    @cached_property
    def facts(self) -> tuple[FactResult, ...]:
        return judge(self.task.required, self.delivery, self.known_pages, self.steps, self.reasons, NOW)

    @cached_property
    def supporting(self) -> tuple[FactResult, ...]:
        """The facts that the decision doesn't depend on: reported, never required."""
        found = judge(self.task.supporting, self.delivery, self.known_pages, self.steps, self.reasons, NOW)
        return tuple(fact.model_copy(update={"supporting": True}) for fact in found)

    @cached_property
    def rules(self) -> frozenset[str]:
        """Pages of the written rules."""
        return frozenset(page.casefold() for page in self.table.rules)

    @cached_property
    def critical(self) -> frozenset[str]:
        return frozenset(page.casefold() for page in self.task.critical_pages)

    @cached_property
    def relevant(self) -> frozenset[str]:
        return frozenset(page.casefold() for page in self.task.helpful_pages)
