"""Shift tickets: scores each ticket of a shift: what was shown before its decision, cited by it, decided, and done."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from longtrail.checks.decisions import DecisionTable, answer_of, decision_table
from longtrail.checks.site_state import StateVerdict, evaluate
from longtrail.checks.visits import trail
from longtrail.records.action import Decide
from longtrail.records.result import TicketResult
from longtrail.records.trajectory import Change, Step, Trajectory
from longtrail.scoring.citations import MOST_IRRELEVANT, Citations
from longtrail.scoring.decision import sentences
from longtrail.scoring.shown_pages import ShownPage, delivered, shown_pages
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.ledger import COURTESIES, LIMITED
from longtrail.tasks.shifts.shift import Shift, ShiftTask, Ticket

CHARACTERS_PER_TOKEN = 4
"""For distances in tokens: an estimate that needs no tokenizer."""


class ShiftView:
    """A shift and the episode in which it was played."""

    def __init__(self, task: ShiftTask, trajectory: Trajectory) -> None:
        self.task, self.trajectory = task, trajectory
        self.shift: Shift = compose(task)
        self.table: DecisionTable = decision_table(task.suite)
        self.steps: tuple[Step, ...] = trajectory.phase("main")

    @cached_property
    def decisions(self) -> Mapping[str, tuple[Step, ...]]:
        """Ticket -> the steps with its valid decisions."""
        decisions: dict[str, tuple[Step, ...]] = {}
        for step in self.steps:
            if isinstance(step.action, Decide) and step.outcome.ok and self.table.resolve(step.action.decision):
                decisions[step.action.ticket] = (*decisions.get(step.action.ticket, ()), step)
        return decisions

    @cached_property
    def pages(self) -> tuple[ShownPage, ...]:
        """What each step's observation showed."""
        return shown_pages(self.steps, trail(self.steps))

    @cached_property
    def deciding_steps(self) -> tuple[int, ...]:
        """The numbers of all steps with a valid decision, in order; 0 comes first."""
        return (0, *sorted(step.number for steps in self.decisions.values() for step in steps))

    def answers(self, number: str) -> tuple[str | None, ...]:
        """All valid decisions of a ticket, in order."""
        return tuple(self.table.resolve(answer_of(step)) for step in self.decisions.get(number, ()))

    def answer(self, number: str) -> str | None:
        """The last valid decision of a ticket."""
        return next(reversed(self.answers(number)), None)

    def changes_of(self, ticket: Ticket, *, ever: bool = False) -> tuple[Change, ...]:
        """What the agent changed in the records of a ticket; `ever`: at any step, also what it took back later."""
        changes = (change for step in self.steps for change in step.changes) if ever else self.trajectory.changes
        return tuple(change for change in changes if any(check.fits(change) for check in ticket.touches))

    def state_of(self, ticket: Ticket) -> StateVerdict:
        """Whether the decision was carried out in the site."""
        interim = ticket.first.end_state if ticket.first else ()
        return evaluate(
            ticket.end_state, (*ticket.allowed_changes, *interim), self.changes_of(ticket), self.table.never
        )

    def results(self) -> tuple[TicketResult, ...]:
        """The result of every ticket, in the order in which they came in."""
        return tuple(self._result(ticket) for ticket in self.shift.tickets)

    def _result(self, ticket: Ticket) -> TicketResult:
        steps, answer = self.decisions.get(ticket.id, ()), self.answer(ticket.id)
        at = steps[-1].number if steps else None
        pages = [page for page in self.pages if at is None or page.step <= at]
        shown = {fact.id: delivered(fact, pages) for fact in ticket.facts}
        unseen = [fact for fact in ticket.facts if shown[fact.id] is None]
        reasoned, why = self._reasoned(ticket, steps)
        state, right = self.state_of(ticket), answer == ticket.truth.optimal
        faults = [
            *([f"{answer} instead of {ticket.truth.optimal}"] if answer and not right else []),
            *(["no decision"] if answer is None else []),
            *([f"never shown: {sentences(unseen)}"] if unseen else []),
            *([why] if why else []),
            *([f"not carried out: {state.reason}"] if answer and not state.executed else []),
        ]
        before = max((n for n in self.deciding_steps if at is not None and n < at), default=0)
        return TicketResult(
            id=ticket.id,
            family=ticket.family,
            place=ticket.place,
            kinds=tuple(dict.fromkeys(need.kind for need in ticket.needs)),
            distance=max((need.distance for need in ticket.needs), default=0),
            tokens=self._tokens(ticket, shown, at),
            needs=tuple(need.ticket for need in ticket.needs),
            truth=ticket.truth.optimal,
            decision=answer,
            first=next(iter(self.answers(ticket.id)), None),
            decided_at=at,
            steps=at - before if at is not None else 0,
            right=right,
            investigated=not unseen,
            reasoned=reasoned,
            executed=answer is not None and state.executed,
            harmful=answer in ticket.truth.harmful,
            consistent=self._consistent(ticket, answer),
            reason="; ".join(faults) or "proven and carried out",
        )

    def _reasoned(self, ticket: Ticket, steps: Sequence[Step]) -> tuple[bool, str]:
        """Whether the decisions of a ticket cite all its facts, the last one not too much else; the fault. What was
        cited when the ticket was first decided need not be cited again; a decision with too much else gives nothing."""
        missing, stray = list(ticket.facts), 0
        for step in steps:
            assert isinstance(step.action, Decide)
            pages = tuple(page for page in self.pages if page.step <= step.number)
            citations = Citations(step.action, pages)
            stray = len(citations.irrelevant((*ticket.facts, *ticket.first_facts), self.table.rule_pages))
            if stray <= MOST_IRRELEVANT:
                missing = [fact for fact in missing if citations.given_by(fact) is None]
        if stray > MOST_IRRELEVANT:
            return False, f"{stray} pieces of evidence are irrelevant"
        return bool(steps) and not missing, f"not cited: {sentences(missing)}" if steps and missing else ""

    def _tokens(self, ticket: Ticket, shown: Mapping[str, int | None], at: int | None) -> int:
        """Tokens of the pages between what the ticket depends on and its decision."""
        seen = [step for need in ticket.needs for fact in need.facts if (step := shown.get(fact))]
        seen += [self.decisions[n.ticket][0].number for n in ticket.needs if not n.facts and n.ticket in self.decisions]
        if at is None or not seen:
            return 0
        texts = (len(step.observation.text) for step in self.steps if min(seen) < step.number <= at)
        return sum(texts) // CHARACTERS_PER_TOKEN

    def _consistent(self, ticket: Ticket, answer: str | None) -> bool | None:
        """Whether a decision that rests on earlier ones is right, or follows from what the agent decided itself."""
        earlier = [need.ticket for need in ticket.needs if need.kind == "decided"]
        if not earlier or answer is None:
            return None
        if answer == ticket.truth.optimal:
            return True
        if ticket.paragraph in ("S8", "S9", "S10"):
            return answer in LIMITED and not all(self.answer(number) in LIMITED for number in earlier)
        if ticket.paragraph != "S3":
            return answer == self.answer(earlier[0])
        alike = (t.id for t in self.shift.tickets if t.family == ticket.family and t.place < ticket.place)
        granted = sum(self.answer(number) in LIMITED for number in alike)
        return answer in LIMITED and granted < COURTESIES
