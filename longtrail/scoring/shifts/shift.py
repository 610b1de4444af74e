"""Shift: scores an episode of many tickets: tickets proven, dependent against independent ones, and the handover."""

from collections.abc import Callable, Iterable, Sequence

from longtrail.records.action import Finish, HandoverLine
from longtrail.records.result import Metric, TicketResult
from longtrail.records.trajectory import Trajectory
from longtrail.scoring.shifts.tickets import ShiftView
from longtrail.scoring.verdict import Verdict, share
from longtrail.tasks.shifts.shift import ShiftTask, Ticket
from longtrail.tasks.shifts.shift_site import shift_site

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
