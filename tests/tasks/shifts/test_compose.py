"""Composed shifts: the shipped plans, their twins, and the ledger's rules."""

from collections import Counter

import pytest

from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.families import SHIFTS, Memo, families
from longtrail.tasks.shifts.ledger import Ledger, Matter
from longtrail.tasks.shifts.plans import DOMAINS, as_yaml, generate, load_shifts, shipped
from longtrail.tasks.shifts.reference import reference_of
from longtrail.tasks.shifts.shift import SIZES, Domain, ShiftTask, twin_of_shift
from longtrail.yaml_file import read_yaml


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_shipped_plans_are_those_of_the_generator(domain: Domain) -> None:
    """If it fails, write the output of `python -m longtrail.tasks.shifts.plans DOMAIN` to shifts.yaml."""
    text = (SHIFTS / domain / "shifts.yaml").read_text(encoding="utf-8")
    assert all(as_yaml(task) in text for task in shipped(domain))
    assert len(read_yaml(SHIFTS / domain / "shifts.yaml")) == 12 * len(SIZES)


@pytest.mark.parametrize("domain", DOMAINS)
def test_there_are_families_of_every_kind(domain: Domain) -> None:
    kinds = [family.kind for family in families(domain).values()]
    assert {*kinds} == {None, "seen", "decided", "told", "reversed", "promised", "alike"}
    assert len(kinds) >= 14


@pytest.mark.parametrize("task", [task for task in load_shifts().values() if task.size <= 24], ids=lambda task: task.id)
def test_a_twin_changes_only_later_decisions(task: ShiftTask) -> None:
    shift, twin = compose(task), compose(twin_of_shift(task))
    assert [(t.subject, t.text, t.sender) for t in shift.tickets] == [
        (t.subject, t.text, t.sender) for t in twin.tickets
    ]
    flipped = [a for a, b in zip(shift.tickets, twin.tickets, strict=True) if a.truth != b.truth]
    assert flipped
    assert all(ticket.dependent for ticket in flipped)
    independent = sum(not ticket.dependent for ticket in shift.tickets)
    assert 0.35 * task.size <= independent <= 0.65 * task.size
    assert len(reference_of(shift).moves) <= task.step_limit


def test_another_seed_is_another_shift() -> None:
    one, other = (compose(generate("shop", 12, seed, "shift-shop-12-x")) for seed in (901, 902))
    assert {ticket.text for ticket in one.tickets}.isdisjoint(ticket.text for ticket in other.tickets)


def damaged(amount: float) -> Matter:
    return Matter("damaged", amount, "LM-X", "APPROVE", "11.2")


def test_a_memo_holds_until_it_is_taken_back() -> None:
    ledger = Ledger()
    assert ledger.judge("T1", damaged(150)).truth == "APPROVE"
    ledger.announce("M1", Memo(part="memo", limit=100))
    assert ledger.judge("T2", damaged(150)).truth == "ESCALATE"
    assert ledger.judge("T3", damaged(90)).truth == "APPROVE"
    ledger.revoke("M1")
    assert ledger.judge("T4", damaged(150)).truth == "APPROVE"


def test_courtesies_are_counted() -> None:
    ledger = Ledger()
    courtesy = Matter("not_received", 30, "LM-X", "APPROVE", "8.3", counts="courtesy")
    refused = Matter("not_received", 30, "LM-X", "DENY", "8.5", counts="courtesy")
    truths = [ledger.judge(f"T{n}", matter).truth for n, matter in enumerate((courtesy, refused, courtesy, courtesy))]
    assert truths == ["APPROVE", "DENY", "APPROVE", "ESCALATE"]


def test_a_note_is_shown_in_its_thread_and_among_what_its_author_has_written() -> None:
    """The forum's rules say that everything counts that was read, on whichever page it was. No page tells most."""
    for task in shipped("forum"):
        facts = {fact.id: fact for ticket in compose(task).tickets for fact in (*ticket.facts, *ticket.first_facts)}
        notes = [fact.pages for fact in facts.values() if not fact.pages[0].startswith("inbox:")]
        assert all(pages[0].startswith("forum:submission/") and pages[2].endswith("/comments") for pages in notes)
        authors = Counter(pages[1] for pages in notes)
        assert max(authors.values()) <= max(4, len(notes) / 3), authors
