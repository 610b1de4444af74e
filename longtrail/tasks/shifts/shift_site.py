"""Shift site: where the records of a ticket are in its site, and how a decision is carried out there (`site.yaml`).

Also the reference: the moves of a careful person through a whole shift, with the decisions and the handover.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from longtrail.checks.site_state import StateCheck
from longtrail.records.action import HandoverLine
from longtrail.records.record import Record
from longtrail.records.trajectory import Change
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.shifts.families import SHIFTS, SITE
from longtrail.tasks.shifts.shift import Domain, Shift, Ticket
from longtrail.yaml_file import read


class Deed(Record):
    """How a decision is carried out."""

    changes: tuple[dict[str, Any], ...]
    """`StateCheck`s without their site."""
    moves: tuple[dict[str, Any], ...]
    """The reference's steps; `{rule}` and `{note}` are the paragraph that decides and what is written to somebody."""
    undo: tuple[dict[str, Any], ...] = ()
    """The steps that take it back."""


class ShiftSite(Record):
    """One domain's site. The key `""` stands for all that is not named."""

    site: str
    message: str
    """The page of a message in the inbox."""
    addresses: dict[str, str]
    """Kind of place -> the page with its texts."""
    pages: dict[str, tuple[str, ...]]
    """Kind of place -> keys of the pages that show a text of it; `{author}` is whoever wrote it."""
    refusal: str
    """What is right instead of a second grant to one person, or of one above a quota."""
    final: tuple[str, ...] = ()
    """Decisions that can't be taken back."""
    harmful: dict[str, tuple[str, ...]]
    """Right decision -> those that do harm."""
    leads: dict[str, tuple[str, str]] = {"": ("", "")}
    """Section of the rules -> first name and surname of who gets its escalations: `{lead}` and `{surname}`."""
    touches: dict[str, dict[str, Any]]
    """Table -> which of its rows belong to a ticket."""
    allowed: dict[str, tuple[str, ...]]
    """Decision -> the tables that may change besides."""
    asks: dict[str, Any]
    """The question to which an answer comes."""
    deeds: dict[str, str]
    """Table of a change -> what was done, in the words of the handover."""
    undone: tuple[str, ...] = ()
    """Words for what takes something back."""
    by_itself: str = "\0"
    """How a comment begins that another deed brings with it."""
    paid: dict[str, str] = {}
    """Table -> the column with the money that its rows give back."""
    decisions: dict[str, Deed]
    """Decision, or decision and rule; others change nothing."""

    def harmful_to(self, truth: str) -> tuple[str, ...]:
        """The decisions that do harm where this one is right."""
        return self.harmful.get(truth, self.harmful[""])

    def pages_of(self, place: str, role: SimpleNamespace, author: str) -> tuple[str, ...]:
        """Keys of the pages that show a text at this place."""
        return tuple(key.format(author=author.lower(), **vars(role)) for key in self.pages[place])

    def touched(self, role: SimpleNamespace) -> tuple[StateCheck, ...]:
        """The changes of the site that belong to a role's ticket."""
        return tuple(self.check({"table": table, "match": match}, vars(role)) for table, match in self.touches.items())

    def allowed_changes(self, role: SimpleNamespace, truth: str) -> tuple[StateCheck, ...]:
        """What may change besides."""
        tables = self.allowed.get(truth, self.allowed[""])
        return tuple(check for check in self.touched(role) if check.table in tables)

    def end_state(self, role: SimpleNamespace, truth: str, rule: str) -> tuple[StateCheck, ...]:
        """The changes that carrying out a decision makes."""
        fields = self._fields(role, rule)
        return tuple(self.check(change, fields) for change in self._deed(truth, rule).changes)

    def acting(self, role: SimpleNamespace, truth: str, rule: str, note: str) -> tuple[ReferenceStep, ...]:
        """The moves that carry a decision out."""
        return _steps(self._deed(truth, rule).moves, {**self._fields(role, rule), "note": note})

    def undoing(self, role: SimpleNamespace, before: str) -> tuple[ReferenceStep, ...]:
        """The moves that take an earlier decision back."""
        return _steps(self._deed(before, "").undo, vars(role))

    def check(self, entry: dict[str, Any], fields: dict[str, Any]) -> StateCheck:
        """A change of the site, with its fields filled in."""
        return StateCheck.model_validate({"site": self.site, **_filled(entry, fields)})

    def deeds_of(self, changes: Sequence[Change]) -> set[str]:
        """What these changes are, in the words of the handover."""
        rows = ((self.deeds.get(change.table), str((change.after or {}).get("comment", ""))) for change in changes)
        return {deed for deed, comment in rows if deed and not comment.startswith(self.by_itself)}

    def paid_by(self, changes: Sequence[Change]) -> float:
        """The money that these changes give back, in dollars."""
        rows = ((self.paid.get(change.table), change.after) for change in changes)
        return float(sum(row[column] for column, row in rows if column and row))

    def _deed(self, truth: str, rule: str) -> Deed:
        return self.decisions.get(f"{truth} {rule}") or self.decisions.get(truth) or Deed(changes=(), moves=())

    def _fields(self, role: SimpleNamespace, rule: str) -> dict[str, Any]:
        lead, surname = self.leads.get(rule.partition(".")[0], self.leads[""])
        return {**vars(role), "rule": rule, "lead": lead, "surname": surname}


@cache
def shift_site(domain: Domain) -> ShiftSite:
    """A domain's site. Raises DataError."""
    return read(ShiftSite, SHIFTS / domain / SITE)


def _steps(moves: Sequence[dict[str, Any]], fields: dict[str, Any]) -> tuple[ReferenceStep, ...]:
    return tuple(ReferenceStep.model_validate(_filled(move, fields)) for move in moves)


def _filled(part: Any, fields: dict[str, Any]) -> Any:
    """A tree with its fields filled in; a text that is one field becomes the field's value."""
    if isinstance(part, dict):
        return {key: _filled(value, fields) for key, value in part.items()}
    if isinstance(part, list):
        return [_filled(each, fields) for each in part]
    alone = re.fullmatch(r"\{(\w+)\}", str(part))
    return fields[alone[1]] if alone else part.format(**fields) if isinstance(part, str) else part


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
