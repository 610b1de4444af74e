"""Shift timeline: the tickets of a shift in the order in which they came in, with an arc for each dependency."""

from longtrail.records.record import Record
from longtrail.records.result import Result, TicketResult

STEP, MARGIN, HEIGHT, FLOOR = 34, 20, 120, 100
"""Pixels between two tickets, at the ends, of the drawing, and of the line on which the tickets lie."""


class TimelineArc(Record):
    """A dependency, as an SVG path from the earlier ticket to the later one."""

    path: str
    kind: str
    proven: bool


class TimelineTicket(Record):
    """A ticket on the line."""

    x: int
    ticket: TicketResult


class ShiftTimeline(Record):
    """The drawing and its parts."""

    width: int
    tickets: tuple[TimelineTicket, ...]
    arcs: tuple[TimelineArc, ...]
    height: int = HEIGHT
    floor: int = FLOOR


def shift_timeline(result: Result) -> ShiftTimeline | None:
    """The timeline of a shift; None for other cases."""
    if not result.tickets:
        return None
    tickets = tuple(TimelineTicket(x=MARGIN + STEP * at, ticket=ticket) for at, ticket in enumerate(result.tickets))
    arcs = []
    for each in tickets:
        ticket = each.ticket
        if ticket.kinds and ticket.distance:
            start = each.x - STEP * min(ticket.distance, ticket.place)
            if start == each.x:  # a ticket that a later mail reopens: the arc goes forward
                start = min(each.x + STEP * ticket.distance, tickets[-1].x)
            top = max(6, FLOOR - abs(each.x - start) // 2)
            path = f"M {start} {FLOOR} Q {(start + each.x) // 2} {2 * top - FLOOR} {each.x} {FLOOR}"
            arcs.append(TimelineArc(path=path, kind=", ".join(ticket.kinds), proven=ticket.proven))
    return ShiftTimeline(width=2 * MARGIN + STEP * (len(tickets) - 1), tickets=tickets, arcs=tuple(arcs))
