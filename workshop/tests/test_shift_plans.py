"""The shipped plans of shifts are those of the generator, and what they are composed to is fair."""

import re
from collections import Counter

import pytest

from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.families import SHIFTS, families
from longtrail.tasks.shifts.plans import DOMAINS, load_shifts
from longtrail.tasks.shifts.shift import SIZES, Domain, ShiftTask
from longtrail.yaml_file import read_yaml
from workshop.shift_plans import SHIPPED, as_yaml, shipped_plan


@pytest.mark.sampled(12)
@pytest.mark.parametrize("number", range(1, SHIPPED + 1))
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_shipped_plan_is_that_of_the_generator(domain: Domain, size: int, number: int) -> None:
    """If it fails, write the output of `python -m workshop.shift_plans DOMAIN` to shifts.yaml."""
    text = (SHIFTS / domain / "shifts.yaml").read_text(encoding="utf-8")
    assert as_yaml(shipped_plan(domain, size, number)) in text


@pytest.mark.parametrize("domain", DOMAINS)
def test_there_are_families_of_every_kind(domain: Domain) -> None:
    assert len(read_yaml(SHIFTS / domain / "shifts.yaml")) == SHIPPED * len(SIZES)
    kinds = [family.kind for family in families(domain).values()]
    assert {*kinds} == {None, "seen", "decided", "told", "reversed", "promised", "alike"}
    assert len(kinds) >= 14


def in_domain(domain: str) -> list[ShiftTask]:
    return [task for task in load_shifts().values() if task.domain == domain]


def test_a_newcomer_is_asked_for_only_where_a_warning_is_left() -> None:
    tickets = [t for task in in_domain("forum") for t in compose(task).tickets if t.family == "rude_newcomer"]
    asked = {(t.truth.optimal, bool(t.facts)) for t in tickets if t.paragraph == "S3"}
    assert asked == {("REMOVE", False)}
    assert {bool(t.facts) for t in tickets if t.truth.optimal == "ADD_WARNING_COMMENT"} == {True}


def test_drivers_and_lots_have_different_numbers() -> None:
    for task in in_domain("shop"):
        texts = [
            c["text"] for o in compose(task).story["orders"] for c in (*o["comments"], *o["shipments"][0]["comments"])
        ]
        drivers, lots = (set(re.findall(rf"\b{word} (\d+)", " ".join(texts))) for word in ("driver", "lot"))
        assert lots
        assert not drivers & lots


def test_what_no_longer_counts_leaves_its_place_to_an_earlier_refusal() -> None:
    """A mail that names one ticket changes another one, which was decided before."""
    tasks = (task for task in load_shifts().values() if task.hard and task.size == 48)
    shifts = (compose(task) for task in tasks)
    changed = [
        (shift, t) for shift in shifts for t in shift.tickets if t.first and t.family in ("courtesy", "rude_newcomer")
    ]
    assert changed
    for shift, ticket in changed:
        assert ticket.first is not None
        mail = next(mail for mail in shift.mails if mail.id == ticket.first.mail)
        assert mail.family in ("courtesy_off", "warning_off")
        assert mail.message > ticket.message
        assert (ticket.first.truth, ticket.truth.optimal) in (
            ("ESCALATE", "APPROVE"),
            ("REMOVE", "ADD_WARNING_COMMENT"),
        )
        assert any(need.kind == "reversed" and need.ticket == mail.id for need in ticket.needs)


def test_hard_shifts_are_half_of_each_size_but_the_smallest() -> None:
    assert Counter(task.size for task in load_shifts().values() if task.hard) == {12: 12, 24: 12, 48: 12}


def test_a_note_is_shown_in_its_thread_and_among_what_its_author_has_written() -> None:
    """The forum's rules say that everything counts that was read, on whichever page it was. No page tells most."""
    for task in in_domain("forum"):
        facts = {fact.id: fact for ticket in compose(task).tickets for fact in (*ticket.facts, *ticket.first_facts)}
        notes = [fact.pages for fact in facts.values() if not fact.pages[0].startswith("inbox:")]
        assert all(pages[0].startswith("forum:submission/") and pages[2].endswith("/comments") for pages in notes)
        authors = Counter(pages[1] for pages in notes)
        assert max(authors.values()) <= max(4, len(notes) / 2), authors
