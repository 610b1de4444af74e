"""Reference: the moves of a careful person through a whole shift, with the decisions and the handover."""

from collections.abc import Iterator

from longtrail.records.action import HandoverLine
from longtrail.records.record import Record
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.shifts.shift import Shift, Ticket
from longtrail.tasks.shifts.shift_site import shift_site


class ReferenceDecision(Record):
    """One decision of the reference."""

    ticket: str
    truth: str
    justification: str
    facts: tuple[str, ...]
    """Ids of the facts that it cites."""


class ShiftReference(Record):
    """The reference of a shift."""

    moves: tuple[ReferenceStep, ...]
    decisions: tuple[ReferenceDecision, ...]
    handover: tuple[HandoverLine, ...]


def reference_of(shift: Shift) -> ShiftReference:
    """Works the tickets in the order in which they come in; every mail is read when it is there."""
    site = shift_site(shift.domain)
    moves: list[ReferenceStep] = []
    decisions: list[ReferenceDecision] = []
    for message in shift.messages:
        moves.append(ReferenceStep(goto=site.message.format(message=message.message)))
        if isinstance(message, Ticket):
            moves += [*message.readings, *message.acting, ReferenceStep(decide=True)]
            decisions.append(_decision(message, first=message.first is not None))
        elif message.phrase:
            moves.append(ReferenceStep(read=message.phrase))
            for ticket in shift.tickets:
                if ticket.first is not None and ticket.first.mail == message.id:
                    moves += [*ticket.acting_again, ReferenceStep(decide=True)]
                    decisions.append(_decision(ticket, first=False))
    moves.append(ReferenceStep(finish="The shift is over."))
    handover = tuple(_line(ticket, shift) for ticket in shift.tickets)
    return ShiftReference(moves=tuple(moves), decisions=tuple(decisions), handover=handover)


def _decision(ticket: Ticket, *, first: bool) -> ReferenceDecision:
    facts = ticket.first_facts if first else ticket.facts
    truth = ticket.first.truth if first and ticket.first else ticket.truth.optimal
    says = " ".join(fact.says for fact in facts) or "Nothing else is known."
    text = f"{says} So {truth} ({ticket.paragraph if not first else 'for now'})."
    return ReferenceDecision(ticket=ticket.id, truth=truth, justification=text, facts=tuple(fact.id for fact in facts))


def _line(ticket: Ticket, shift: Shift) -> HandoverLine:
    return HandoverLine(
        ticket=ticket.id,
        decision=ticket.truth.optimal,
        amount=ticket.amount,
        done=tuple(_deeds(ticket, shift)),
        rests_on=tuple(need.ticket for need in ticket.needs if need.ticket != ticket.id),
    )


def _deeds(ticket: Ticket, shift: Shift) -> Iterator[str]:
    """What the decisions do in the site, in the words of the handover."""
    checks = (*(ticket.first.end_state if ticket.first else ()), *ticket.end_state)
    yield from dict.fromkeys(deed for check in checks if (deed := shift_site(shift.domain).deeds.get(check.table)))
