"""Curves of shifts: shares by position, distance and kind, from tickets with known results."""

from longtrail.records.result import Result, TicketResult
from longtrail.report.run.figures import shift_curves
from longtrail.scoring.score import score
from tests.made import decision_task, solved


def result() -> Result:
    return score(decision_task(), solved())


def ticket(place: int, distance: int, *, proven: bool) -> TicketResult:
    kinds = {"kinds": ("seen",), "distance": distance} if distance else {}
    return TicketResult.model_validate(
        {"id": f"T{place}", "family": "f", "place": place, "truth": "APPROVE", "right": proven, "investigated": proven}
        | {"reasoned": proven, **kinds}
    )


def test_curves_count_tickets_by_position_distance_and_kind() -> None:
    tickets = (
        ticket(0, 0, proven=True), ticket(1, 1, proven=True), ticket(2, 0, proven=False), ticket(3, 3, proven=False)
    )  # fmt: skip
    curves = shift_curves([result().model_copy(update={"tickets": tickets})])
    assert curves is not None
    assert [(point.name, point.proven, point.tickets) for point in curves.independent] == [
        ("0 to 25 %", 1, 1),
        ("50 to 75 %", 0, 1),
    ]
    assert {point.name: point.share for point in curves.distance} == {"0 to 2 tickets": 1.0, "3 to 5 tickets": 0.0}
    assert [(point.name, point.proven, point.tickets) for point in curves.kinds] == [("seen", 1, 2)]
    assert all(point.low <= point.share <= point.high for point in curves.kinds)


def test_without_shifts_there_are_no_curves() -> None:
    assert shift_curves([result()]) is None
