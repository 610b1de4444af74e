"""Run figures: what a run's page shows about a line besides its row: heat maps, evidence, claims, paths, endings, and
the tickets of shifts that are proven by position and by distance to what they depend on.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import get_args

from longtrail.gate.pairing import condition, in_order
from longtrail.records.case import LONG, NoiseKind
from longtrail.records.grouping import grouped
from longtrail.records.record import Record
from longtrail.records.result import ClaimKind, Result, TicketResult
from longtrail.report.leaderboard.board_row import BoardRow
from longtrail.statistics.aggregate import DEPTHS, Rate, needle_third, rate
from longtrail.statistics.rates import wilson

CLAIM_KINDS: tuple[ClaimKind, ...] = get_args(ClaimKind)
KINDS_OF_NOISE: tuple[NoiseKind, ...] = get_args(NoiseKind)
KEPT, CAME_BACK, LEFT = "kept", "came_back", "left"
"""Whether a case followed the reference's path."""


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """The facts and the claims of one category's cases."""

    category: str
    facts: int
    seen: int
    used: int
    supporting: int
    supporting_seen: int
    claims: Mapping[str, int]
    """Kind of claim -> number of claims."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a line's cases."""

    step: int
    left: int
    """Number of cases that left the reference's path at this step."""
    back: int
    """Number of these cases that returned later."""
    on: int
    """Number of cases that have not left the path yet."""


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


@dataclass(frozen=True)
class LineFigures:
    """Figures of one contender in one suite of a run."""

    line: BoardRow
    results: Sequence[Result]
    """All of its results in the suite."""

    @cached_property
    def main(self) -> list[Result]:
        """The results behind the headline."""
        return [result for result in self.results if not result.case.appeal and not result.case.relocated]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Conditions of the heat map, in their natural order."""
        if self.line.row.suite in LONG:
            control = ("relocated",) if self.line.row.relocated else ()
            lengths = [self.line.at_length(length) for length in sorted(self.line.row.by_length)]
            return (*lengths[:1], *control, *lengths[1:]) if lengths else control
        return in_order([result.case for result in self.main])

    @cached_property
    def heat(self) -> Mapping[str, Mapping[str, Rate]]:
        """Rates of the headline's measure. Long context: tasks x lengths. Decision tasks: categories x prompts."""
        long = self.line.row.suite in LONG
        taken = [result for result in self.results if not result.case.appeal]
        rows = grouped(taken, (lambda case: case.case.task) if long else (lambda case: case.category))
        return {name: self._cells(results) for name, results in sorted(rows.items())}

    @cached_property
    def needle_rows(self) -> Mapping[tuple[NoiseKind, str], Mapping[str, Rate]]:
        """Long context: kind of noise and place of the first part x lengths, of the headline's measure. Empty in the
        paper's setting, whose one row is the curve by length."""
        if not any(result.case.setting for result in self.main if result.case.suite in LONG):
            return {}
        rows = grouped(self.main, lambda case: (case.case.noise, needle_third(case)))
        return {key: self._cells(rows[key]) for key in product(KINDS_OF_NOISE, DEPTHS) if key in rows}

    @cached_property
    def needle_columns(self) -> tuple[str, ...]:
        """The conditions of that map: those with noise."""
        return tuple(name for name in self.columns if any(name in cells for cells in self.needle_rows.values()))

    def _cells(self, results: Sequence[Result]) -> dict[str, Rate]:
        split = grouped(results, lambda result: condition(result.case))
        rates = {name: rate(group, self.line.row.primary) for name, group in split.items()}
        return {name: value for name, value in rates.items() if value is not None}

    @cached_property
    def curves(self) -> ShiftCurves | None:
        """Shifts: tickets proven by position, distance and kind."""
        return shift_curves(self.main)

    @cached_property
    def endings(self) -> dict[str, dict[str, int]]:
        """Long context: condition -> error category -> number of cases."""
        return {
            name: dict(Counter(result.word("error_category") for result in results))
            for name, results in grouped(self.main, lambda case: condition(case.case)).items()
        }

    @cached_property
    def evidence(self) -> tuple[EvidenceRow, ...]:
        """Decision tasks: what was seen, used and claimed, by category; a last row for all."""
        split = grouped([result for result in self.main if result.outcome != "invalid"], lambda result: result.category)
        rows = [_evidence(name, results) for name, results in sorted(split.items())]
        return (*rows, _evidence("", [result for results in split.values() for result in results])) if rows else ()

    @cached_property
    def paths(self) -> tuple[PathStep, ...]:
        """How many cases leave the reference's path at each step, from step 1 to the last such step."""
        ways: dict[int, list[str]] = {}
        for result in self._walked:
            if (step := result.number("first_divergence")) is not None:
                ways.setdefault(round(step), []).append(path_outcome(result))
        leavings, left = [], self.walked
        for step in range(1, max(ways, default=0) + 1):
            ways_at_step = ways.get(step, [])
            left -= len(ways_at_step)
            leavings.append(PathStep(step, len(ways_at_step), ways_at_step.count(CAME_BACK), left))
        return tuple(leavings)

    @cached_property
    def _walked(self) -> list[Result]:
        """Valid cases for which it is known whether they left the path."""
        return [result for result in self.main if result.outcome != "invalid" and "first_divergence" in result.metrics]

    @property
    def walked(self) -> int:
        """The number of these cases."""
        return len(self._walked)

    @property
    def never_left(self) -> int:
        """Number of cases that stayed on the reference's path."""
        return sum(path_outcome(result) == KEPT for result in self._walked)

    @property
    def recovered(self) -> int:
        """Number of cases that left it and returned."""
        return sum(path_outcome(result) == CAME_BACK for result in self._walked)


def path_outcome(result: Result) -> str:
    """How a case followed the reference's path; empty if unknown."""
    if result.outcome == "invalid" or "first_divergence" not in result.metrics:
        return ""
    if result.number("first_divergence") is None:
        return KEPT
    return CAME_BACK if result.number("recovered") == 1.0 else LEFT


def _evidence(category: str, results: Sequence[Result]) -> EvidenceRow:
    facts = [fact for result in results for fact in result.facts]
    needed = [fact for fact in facts if not fact.supporting]
    extra = [fact for fact in facts if fact.supporting]
    return EvidenceRow(
        category,
        len(needed),
        sum(fact.delivered is not None for fact in needed),
        sum(fact.counted for fact in needed),
        len(extra),
        sum(fact.delivered is not None for fact in extra),
        Counter(claim.kind for result in results for claim in result.claims),
    )


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
