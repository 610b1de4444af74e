"""Shift: scores an episode of many tickets: each ticket, dependent against independent ones, and the handover."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from longtrail.checks.decisions import DecisionTable, answer_of, decision_table
from longtrail.checks.site_state import StateVerdict, evaluate
from longtrail.checks.visits import trail
from longtrail.records.action import Decide, Finish, HandoverLine
from longtrail.records.result import Metric, TicketResult
from longtrail.records.trajectory import Change, Step, Trajectory
from longtrail.scoring.citations import MOST_IRRELEVANT, Citations
from longtrail.scoring.decision import sentences
from longtrail.scoring.shown_pages import ShownPage, delivered, shown_pages
from longtrail.scoring.verdict import Verdict, share
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.ledger import COURTESIES, LIMITED
from longtrail.tasks.shifts.shift import Shift, ShiftTask, Ticket
from longtrail.tasks.shifts.shift_site import shift_site

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


KINDS = ("seen", "decided", "told", "reversed", "promised", "alike")


def shift_verdict(task: ShiftTask, trajectory: Trajectory) -> Verdict:
    """The verdict on a shift. It passes if every ticket is proven and the agent did not fail by itself."""
    view = ShiftView(task, trajectory)
    tickets = view.results()
    metrics = {**_shares(tickets), **_reversals(view, tickets), **_handover(view), **_costs(tickets, trajectory)}
    failed = [ticket for ticket in tickets if not ticket.proven]
    reason = "; ".join(f"{ticket.id}: {ticket.reason}" for ticket in failed[:3]) or "every ticket is proven"
    broken = next((end for end in trajectory.ends if end.reason == "agent_error"), None)
    if broken is not None:
        reason = f"agent_error: {broken.detail}"
        metrics["shift_perfect"] = Metric(value=False, reason=reason)
    return Verdict(
        passed=not failed and broken is None,
        reason=reason,
        category=task.category,
        stage="proven" if not failed else "decision" if all(ticket.decision for ticket in tickets) else "investigation",
        metrics=metrics,
        tickets=tickets,
    )


def _shares(tickets: Sequence[TicketResult]) -> dict[str, Metric]:
    proven, done = (lambda t: t.proven), [ticket for ticket in tickets if ticket.decision]
    free, bound = ([t for t in tickets if bool(t.kinds) is wanted] for wanted in (False, True))
    rested = [ticket for ticket in tickets if ticket.consistent is not None]
    return {
        "tickets_proven": _share(tickets, proven, "proven"),
        "shift_perfect": _share(tickets, proven, "proven").model_copy(update={"value": all(map(proven, tickets))}),
        "independent_proven": _share(free, proven, "proven"),
        "dependent_proven": _share(bound, proven, "proven"),
        **{f"{kind}_proven": _share([t for t in tickets if kind in t.kinds], proven, "proven") for kind in KINDS},
        "tickets_decided": _share(tickets, lambda t: t.decision is not None, "decided"),
        "tickets_right": _share(tickets, lambda t: t.right, "right"),
        "tickets_executed": _share(tickets, lambda t: t.executed, "carried out"),
        "tickets_harmful": _share(done, lambda t: t.harmful, "harmful"),
        "consistent": _share(rested, lambda t: bool(t.consistent), "consistent"),
    }  # fmt: skip


def _share(tickets: Sequence[TicketResult], is_so: Callable[[TicketResult], bool], word: str) -> Metric:
    return share(sum(map(is_so, tickets)), len(tickets), f"tickets {word}", "there are no such tickets")


def _reversals(view: ShiftView, tickets: Iterable[TicketResult]) -> dict[str, Metric]:
    changed = {
        ticket.id
        for ticket in view.shift.tickets
        if ticket.first
        and ticket.first.truth != ticket.truth.optimal
        and any(n.kind == "reversed" for n in ticket.needs)
    }
    due = [ticket for ticket in tickets if ticket.id in changed]
    return {"reversals": _share(due, lambda ticket: ticket.right and ticket.executed, "set right")}


def _costs(tickets: Sequence[TicketResult], trajectory: Trajectory) -> dict[str, Metric]:
    done, steps, usage = sum(ticket.decision is not None for ticket in tickets), len(trajectory.steps), trajectory.usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    reason = f"{steps} steps and {tokens} tokens for {done} decided tickets"
    return {
        "steps_per_ticket": Metric(value=steps / done if done else None, reason=reason),
        "tokens_per_ticket": Metric(value=tokens / done if done else None, reason=reason),
    }


# the handover


def _handover(view: ShiftView) -> dict[str, Metric]:
    """The cells of the report: decision, amount, done, open, rests_on of each ticket. Bounds [0, 1]."""
    last = view.steps[-1].action if view.steps else None
    lines = {line.ticket: line for line in last.handover} if isinstance(last, Finish) else {}
    if not lines:
        reason = "there is no handover"
        return {"handover": Metric(value=0.0, reason=reason), "handover_invented": Metric(value=None, reason=reason)}
    cells = {ticket.id: _cells(view, ticket, lines.get(ticket.id)) for ticket in view.shift.tickets}
    number, right = sum(map(len, cells.values())), sum(sum(row.values()) for row in cells.values())
    wrong = [f"{ticket} {name}" for ticket, row in cells.items() for name, is_right in row.items() if not is_right]
    invented = [name for name in lines if view.table.resolve(lines[name].decision) not in view.answers(name)]
    return {
        "handover": Metric(value=right / number, reason=f"wrong: {', '.join(wrong[:8])}" if wrong else "all agree"),
        "handover_invented": Metric(value=len(invented) / len(lines), reason=f"{len(invented)} of {len(lines)} lines"),
    }  # fmt: skip


def _cells(view: ShiftView, ticket: Ticket, line: HandoverLine | None) -> dict[str, bool]:
    """Cell -> whether it agrees with what the agent decided and did."""
    if line is None:
        return dict.fromkeys(("decision", "amount", "done", "open", "rests_on"), False)
    site, answer, changes = shift_site(view.shift.domain), view.answer(ticket.id), view.changes_of(ticket)
    said = {word.strip().lower().rstrip("s") for word in line.done} - {"", "none", "nothing"}
    needed = {need.ticket for need in ticket.needs} - {ticket.id}
    return {
        "decision": answer is not None and view.table.resolve(line.decision) == answer,
        "amount": abs(line.amount - site.paid_by(changes)) < 0.01,
        "done": site.deeds_of(changes) <= said <= site.deeds_of(view.changes_of(ticket, ever=True)) | {*site.undone},
        "open": line.open == (answer in (None, "REQUEST_INFO")),
        "rests_on": needed <= set(line.rests_on),
    }
