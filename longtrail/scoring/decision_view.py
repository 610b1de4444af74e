"""Decision view: a decision case's trajectory up to its first valid decision, with derived values that are computed
only once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from longtrail.checks.decisions import DecisionTable, decision_table
from longtrail.checks.facts import Fact
from longtrail.checks.site_state import StateVerdict, evaluate
from longtrail.checks.visits import seen, trail
from longtrail.records.action import Decide
from longtrail.records.result import FactResult
from longtrail.records.trajectory import Change, Step, Trajectory
from longtrail.scoring.citations import Citations
from longtrail.scoring.paper_reasoning import first_said
from longtrail.scoring.shown_pages import ShownPage, delivered, shown_pages
from longtrail.tasks.task import DecisionTask


@dataclass(frozen=True)
class DecisionView:
    """A decision case: everything before and at the first valid decision."""

    task: DecisionTask
    trajectory: Trajectory
    through_appeal: bool = False
    """Whether to include the appeal, up to its last valid decision; otherwise only the first user turn counts."""

    @cached_property
    def table(self) -> DecisionTable:
        return decision_table(self.task.suite)

    @cached_property
    def deciding(self) -> Step | None:
        """The step with the decision: the first valid one, or the last one of an appeal."""
        first = self.table.deciding_step(self.trajectory.phase("main"))
        if not self.through_appeal:
            return first
        return self.table.deciding_step(tuple(reversed(self.trajectory.phase("appeal")))) or first

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps up to the decision, or all."""
        played = self.trajectory.phase(*(("main", "appeal") if self.through_appeal else ("main",)))
        last = next((index for index, step in enumerate(played) if step is self.deciding), len(played))
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

    @cached_property
    def noted_pages(self) -> tuple[ShownPage, ...]:
        return shown_pages(self.noted, trail(self.noted))

    @cached_property
    def pages(self) -> tuple[ShownPage, ...]:
        return shown_pages(self.steps, self.trail)

    @cached_property
    def known_pages(self) -> tuple[ShownPage, ...]:
        """What was noted before the noise, then what was shown at each step."""
        return (*self.noted_pages, *self.pages)

    @cached_property
    def delivery(self) -> dict[str, int | None]:
        """Each fact -> number of the step that first showed it. A picture counts only for agents with images."""
        return {fact.id: self._delivered(fact) for fact in self.task.investigation_facts}

    def _delivered(self, fact: Fact) -> int | None:
        if fact.pictured:
            return seen(fact.pages, self.steps, self.trail) if self.trajectory.contender.vision else None
        return delivered(fact, self.known_pages)

    @cached_property
    def pictured(self) -> tuple[Fact, ...]:
        """The facts in pictures that the agent has looked at."""
        facts = (fact for fact in self.task.investigation_facts if fact.pictured)
        return tuple(fact for fact in facts if self.delivery[fact.id] is not None)

    @cached_property
    def citations(self) -> Citations | None:
        """The evidence of the decision, and the pages that it may cite; None: there is no decision."""
        pictures = frozenset(key.casefold() for fact in self.pictured for key in fact.pages)
        return Citations(self.decision, self.known_pages, pictures) if self.decision else None

    @cached_property
    def facts(self) -> tuple[FactResult, ...]:
        """The required facts: when each was shown, and whether the decision cites it."""
        return tuple(self._fact_result(fact) for fact in self.task.required)

    @cached_property
    def supporting(self) -> tuple[FactResult, ...]:
        """The facts that the decision doesn't depend on: reported, never required."""
        return tuple(self._fact_result(fact) for fact in self.task.supporting)

    def _fact_result(self, fact: Fact) -> FactResult:
        shown = self.delivery[fact.id]
        piece = self.citations.given_by(fact) if self.citations else None
        return fact_result(fact, shown, first_said(fact, self.steps), f"cited by piece {piece}" if piece else "")

    def site_after(self, changes: Sequence[Change]) -> StateVerdict:
        """Whether these changes are what carrying out the right decision makes."""
        return evaluate(self.task.end_state, self.task.allowed_changes, changes, self.table.never)

    @cached_property
    def critical(self) -> frozenset[str]:
        return frozenset(page.casefold() for page in self.task.critical_pages)

    @cached_property
    def helpful(self) -> frozenset[str]:
        return frozenset(page.casefold() for page in self.task.helpful_pages)


def fact_result(fact: Fact, shown: int | None, said: int | None, given: str) -> FactResult:
    """A fact that was shown and said at these steps (None: never); `given`: how it was given, empty if it was not."""
    if shown is None:
        reason = "never shown" + (f", though said at step {said}" if said else "")
    else:
        when = f"shown at step {shown}" if shown else "noted before the noise"
        reason = f"{when}, {given or 'but no piece of evidence cites it'}"
    return FactResult(
        id=fact.id,
        says=fact.says,
        supporting=fact.supporting,
        delivered=shown,
        said=said is not None,
        said_at=said,
        counted=shown is not None and bool(given),
        reason=reason,
    )
