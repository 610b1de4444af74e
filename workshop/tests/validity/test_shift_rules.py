"""Rules for fair shifts: generated shifts pass, and a shift with a fault is found."""

from datetime import timedelta

import pytest

from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.plans import DOMAINS, load_shifts
from longtrail.tasks.shifts.shift import Domain, Shift, ShiftTask, Ticket
from workshop.validity import shift_rules
from workshop.validity.shift_rules import generated, shift_findings


@pytest.mark.parametrize("domain", DOMAINS)
def test_generated_shifts_are_fair(domain: Domain) -> None:
    assert [finding for task in generated(domain, 8) for finding in shift_findings(task)] == []


@pytest.mark.parametrize("task", load_shifts().values(), ids=lambda task: task.id)
@pytest.mark.thorough
def test_shipped_shifts_are_fair(task: ShiftTask) -> None:
    assert [*shift_findings(task)] == []


def first_dependent(shift: Shift) -> Ticket:
    return next(ticket for ticket in shift.tickets if any(need.facts for need in ticket.needs))


def test_a_parcel_that_is_packed_after_it_left_is_found() -> None:
    task = load_shifts()["shift-shop-12-08"]
    shift = compose(task)
    assert [*shift_rules.parcels_are_logged_in_order(task, shift)] == []
    parcel = shift.story["orders"][0]["shipments"][0]
    packed = next(entry for entry in parcel["comments"] if entry["text"].startswith("Packed"))
    late = {**packed, "at": parcel["at"] + timedelta(days=9)}
    parcel = {**parcel, "comments": [*(entry for entry in parcel["comments"] if entry is not packed), late]}
    order = {**shift.story["orders"][0], "shipments": [parcel]}
    wrong = shift.model_copy(update={"story": {**shift.story, "orders": [order]}})
    assert any("is logged" in message for message in shift_rules.parcels_are_logged_in_order(task, wrong))


def test_evidence_that_is_told_twice_is_found() -> None:
    shift = compose(load_shifts()["shift-forum-12-01"])
    ticket = first_dependent(shift)
    fact = next(fact for fact in ticket.facts if fact.id in ticket.needs[0].facts)
    mail = shift.mails[0].model_copy(update={"text": f"By the way: {fact.shown[0].words[0]}", "message": 99})  # type: ignore[union-attr]
    leaking = shift.model_copy(update={"mails": (*shift.mails, mail)})
    assert any("is also told on" in message for message in shift_rules.earlier_facts_are_told_once(ticket, leaking))
