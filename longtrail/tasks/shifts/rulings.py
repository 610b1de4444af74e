"""Rulings: what is right for each ticket of a shift, and when a later message changes it: the ledger, replayed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from longtrail.errors import DataError
from longtrail.tasks.shifts.cast_family import CastFamily
from longtrail.tasks.shifts.families import SHIFTS, FamilyRuling, Memo, RulingAgain
from longtrail.tasks.shifts.ledger import Ledger, LedgerRuling, Matter
from longtrail.tasks.shifts.shift import FIRST_NUMBER

Event = tuple[CastFamily, str]
"""A part of a family, which comes in."""
Key = tuple[int, str]
"""Number of the family and name of its part."""


@dataclass(frozen=True)
class TicketRulings:
    """What is right for a ticket when it comes in, and in the end."""

    first: LedgerRuling
    last: LedgerRuling
    changed_by: Event | None
    """The mail that changes it; None if nothing does."""


def ticket_number(family: CastFamily, part: str) -> str:
    """The number of a ticket in the inbox."""
    return f"T{FIRST_NUMBER + family.at(part)}"


def events_of(families: Sequence[CastFamily]) -> list[Event]:
    """All parts of a shift in the order in which they come in: mails before the ticket of their place."""
    parts = [(family, name) for family in families for name in family.family.parts]
    return sorted(parts, key=lambda part: (part[0].at(part[1]), bool(part[0].family.parts[part[1]].about)))


def rulings_of(events: Sequence[Event], domain: ModuleType) -> Mapping[Key, TicketRulings]:
    """The rulings of all tickets. Raises DataError if a ticket would change twice, or money would have to come back."""
    found: dict[Key, TicketRulings] = {}
    for number, (family, name) in enumerate(events, 1):
        now = _replay(events[:number], domain)
        for key, before in found.items():
            again = next(f for f, _ in events if f.number == key[0]).outcome.tickets[key[1]].again
            reopened = again is not None and key[0] == family.number and again.after == name
            if now[key].truth == before.last.truth and not reopened:
                found[key] = TicketRulings(before.first, now[key], before.changed_by)
                continue
            if before.changed_by or before.last.truth in domain.FINAL:
                raise DataError(SHIFTS, f"{family.family.id}.{name}", f"changes a ticket that can't be changed: {key}")
            found[key] = TicketRulings(before.first, now[key], (family, name))
        if family.family.parts[name].about:
            ruling = now[family.number, name]
            found[family.number, name] = TicketRulings(ruling, ruling, None)
    return found


def _replay(events: Sequence[Event], domain: ModuleType) -> dict[Key, LedgerRuling]:
    """The rulings after these events."""
    ledger, rulings = Ledger(), dict[Key, LedgerRuling]()
    mails = {(family.number, name) for family, name in events if not family.family.parts[name].about}
    for family, name in events:
        if family.family.parts[name].about:
            counts = not any(
                ticket == name and (family.number, mail) in mails for mail, ticket in family.outcome.uncounts.items()
            )
            matter = _matter(family, name, mails, domain)
            rulings[family.number, name] = ledger.ruling_on(
                ticket_number(family, name), matter, counts=counts, otherwise=domain.otherwise(matter)
            )
            continue
        for memo in family.outcome.memos:
            if memo.part == name:
                ledger.announce(family.mails[name].id, memo, _where(family, memo))
            elif memo.ended_by == name:
                ledger.revoke(family.mails[memo.part].id)
    return rulings


def final_ruling(family: CastFamily, name: str) -> FamilyRuling | RulingAgain:
    """What the family says about a ticket in the end."""
    ruling = family.outcome.tickets[name]
    return ruling.again or ruling


def _matter(family: CastFamily, name: str, mails: set[Key], domain: ModuleType) -> Matter:
    part, ruling = family.family.parts[name], family.outcome.tickets[name]
    role = family.roles[part.about]
    is_again = ruling.again is not None and (family.number, ruling.again.after) in mails
    now = ruling.again if ruling.again is not None and is_again else ruling
    found: dict[str, int] = {}
    for each in now.found.values():
        found |= each.get("parcel", {}) | each.get("gift", {})
    return Matter(
        part.claim,
        role.amount,
        role.sku,
        now.truth,
        now.rule,
        days=found.get("days", 0),
        counts=family.family.counts,
        person=domain.person(part.claim, role),
        home=domain.home(part.claim, role),
        house=role.house,
        months=found.get("months", 0),
        refusal=domain.REFUSAL,
    )


def _where(family: CastFamily, memo: Memo) -> str:
    """The article, forum or warehouse that a memo names."""
    if memo.house:
        return str(family.roles[memo.house].house)
    named = memo.recall or memo.forum
    return str(family.roles[named].sku) if named else ""
