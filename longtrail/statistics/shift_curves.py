"""Shift curves: tickets proven by position in the shift and by distance to what they depend on, with intervals."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from longtrail.records.record import Record
from longtrail.records.result import Result, TicketResult
from longtrail.statistics.rates import wilson

POSITIONS = 4
"""A shift is cut into so many parts of equal size."""
DISTANCES = (2, 5, 11, 23)
"""Upper ends of the groups of distances, in tickets; a last group has all greater ones."""


class CurvePoint(Record):
    """The tickets of one group."""

    name: str
    proven: int
    tickets: int
    low: float
    high: float
    tokens: int = 0
    """Mean distance in tokens."""

    @property
    def share(self) -> float:
        """Tickets proven / tickets."""
        return self.proven / self.tickets


class ShiftCurves(Record):
    """Tickets of all shifts of one contender and suite."""

    independent: tuple[CurvePoint, ...]
    """By position, those that depend on nothing."""
    dependent: tuple[CurvePoint, ...]
    """By position, the others."""
    distance: tuple[CurvePoint, ...]
    """The dependent ones by distance."""
    kinds: tuple[CurvePoint, ...]
    """The dependent ones by kind."""


def shift_curves(results: Iterable[Result]) -> ShiftCurves | None:
    """The curves of these results; None if no shift is among them. Invalid cases have no tickets and do not count."""
    independent, dependent, distance, kinds = (defaultdict[str, list[TicketResult]](list) for _ in range(4))
    for result in results:
        for ticket in result.tickets:
            part = POSITIONS * ticket.place // len(result.tickets)
            position = f"{100 * part // POSITIONS} to {100 * (part + 1) // POSITIONS} %"
            (dependent if ticket.kinds else independent)[position].append(ticket)
            if ticket.kinds:
                distance[_distance(ticket.distance)].append(ticket)
            for kind in ticket.kinds:
                kinds[kind].append(ticket)
    if not independent and not dependent:
        return None
    ends = [_distance(end) for end in (*DISTANCES, DISTANCES[-1] + 1)]
    return ShiftCurves(
        independent=_points(independent, sorted(independent)),
        dependent=_points(dependent, sorted(dependent)),
        distance=_points(distance, [name for name in ends if name in distance]),
        kinds=_points(kinds, sorted(kinds)),
    )


def _distance(tickets: int) -> str:
    start = 0
    for end in DISTANCES:
        if tickets <= end:
            return f"{start} to {end} tickets"
        start = end + 1
    return f"{start} tickets and more"


def _points(groups: Mapping[str, list[TicketResult]], names: Iterable[str]) -> tuple[CurvePoint, ...]:
    return tuple(_point(name, groups[name]) for name in names)


def _point(name: str, tickets: list[TicketResult]) -> CurvePoint:
    proven = sum(ticket.proven for ticket in tickets)
    low, high = wilson(proven / len(tickets), len(tickets))
    tokens = sum(ticket.tokens for ticket in tickets) // len(tickets)
    return CurvePoint(name=name, proven=proven, tickets=len(tickets), low=low, high=high, tokens=tokens)
