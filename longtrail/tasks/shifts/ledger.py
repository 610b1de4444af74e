"""Ledger: what a shift has established so far, and how that changes what is right for the next ticket.

The rules of the site decide each ticket by itself. The ledger adds the rules of the shift: memos in force, and what was
granted before, in the order in which tickets come in. The rulings of a shift replay it after each message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType

from longtrail.errors import DataError
from longtrail.tasks.shifts.cast_family import CastFamily
from longtrail.tasks.shifts.families import SHIFTS, FamilyRuling, Memo, RulingAgain
from longtrail.tasks.shifts.shift import FIRST_NUMBER
from longtrail.tasks.shifts.shift_site import ShiftSite

COURTESIES = 2
"""S3: so many courtesies a shift may give."""
LIMITED = {"APPROVE": "ESCALATE", "ADD_WARNING_COMMENT": "REMOVE"}
"""What is granted as a courtesy (in the shop a refund, in the forum a warning) -> what is right above the limit."""
USUAL_TRANSIT = 10
"""8.6: working days until a moving parcel counts as lost."""
GOODS_CLAIMS = frozenset({"damaged", "faulty"})


@dataclass(frozen=True)
class Matter:
    """A ticket as the ledger sees it."""

    claim: str
    amount: float
    article: str
    """The shop: the sku; the forum: the forum's name."""
    truth: str
    rule: str
    days: int = 0
    """Working days since a moving parcel left."""
    counts: str = ""
    person: str = ""
    """Who gets what this ticket grants only once a shift: the account or the member; empty: it can be had again."""
    home: str = ""
    """The shop: the address, if its parcel is missing."""
    house: str = ""
    """The shop: the warehouse."""
    months: int = 0
    """The forum: months since the last gift."""
    refusal: str = "ESCALATE"
    """What is right instead of a second grant to one person, or of one above a quota."""


@dataclass(frozen=True)
class LedgerRuling:
    """What is right in this shift."""

    truth: str
    rule: str
    memo: str = ""
    """The mail on which it rests."""
    earlier: tuple[str, ...] = ()
    """The earlier tickets on which it rests."""
    rivals: tuple[str, ...] = ()
    """Memos that do not apply (any more), and by which it would be decided otherwise."""
    settled: bool = False
    """Whether the ticket's own findings decide nothing: with any others, the same would be right."""
    instead: str = ""
    """If it is settled: the mail on which it would rest with other findings."""


@dataclass
class Quota:
    """What a memo leaves to be granted."""

    mail: str
    left: float
    granted: list[str] = field(default_factory=list)
    """Tickets that took from it."""
    refused: bool = False
    """Whether anything was too much for it, or for an earlier one."""


@dataclass
class Ledger:
    """The state of a shift between two tickets."""

    memos: dict[str, tuple[Memo, str]] = field(default_factory=dict)
    """Number of the mail -> the memo, and the article, forum or warehouse that it names; those in force."""
    told: dict[str, Memo] = field(default_factory=dict)
    """All memos that came in."""
    counted: dict[str, list[str]] = field(default_factory=dict)
    """What is counted -> the tickets that were granted."""
    persons: dict[str, str] = field(default_factory=dict)
    """Person -> the ticket that was granted."""
    homes: dict[str, str] = field(default_factory=dict)
    """Address -> the ticket by which a missing parcel to it was refunded."""
    quotas: dict[str, Quota] = field(default_factory=dict)
    """Request -> what is left of its quota."""

    def announce(self, mail: str, memo: Memo, article: str = "") -> None:
        """A memo comes in."""
        self.memos[mail] = (memo, article)
        self.told[mail] = memo
        if memo.quota is not None:
            old = self.quotas.get(memo.claim)
            self.quotas[memo.claim] = Quota(mail, memo.quota, refused=old is not None and old.refused)

    def revoke(self, mail: str) -> None:
        """A memo is taken back: what held before it holds again."""
        self.memos.pop(mail, None)

    def ruling_on(
        self, ticket: str, matter: Matter, *, counts: bool = True, otherwise: Sequence[Matter] = ()
    ) -> LedgerRuling:
        """What is right for a ticket that comes in now. `counts`: whether it takes from what is granted so often;
        `otherwise`: the same ticket with other findings."""
        others = [self._copy().ruling_on(ticket, other, counts=counts) for other in otherwise]
        ruling = self._ruling_on(ticket, matter, counts=counts)
        if not others or any(other.truth != ruling.truth for other in others):
            return ruling
        return replace(ruling, settled=True, instead=next((other.memo for other in others if other.memo), ""))

    def _copy(self) -> "Ledger":
        quotas = {claim: replace(quota, granted=[*quota.granted]) for claim, quota in self.quotas.items()}
        counted = {name: [*tickets] for name, tickets in self.counted.items()}
        return Ledger({**self.memos}, {**self.told}, counted, {**self.persons}, {**self.homes}, quotas)

    def _ruling_on(self, ticket: str, matter: Matter, *, counts: bool) -> LedgerRuling:
        ruling = self._by_terms(matter, self._by_memos(matter))
        if matter.counts and ruling.truth == matter.truth and matter.truth in LIMITED and counts:
            granted = self.counted.setdefault(matter.counts, [])
            if len(granted) >= COURTESIES:
                return LedgerRuling(LIMITED[matter.truth], "S3", earlier=tuple(granted[:COURTESIES]))
            granted.append(ticket)
        if ruling.truth != "APPROVE":
            return ruling
        if matter.person and (earlier := self.persons.get(matter.person)):
            return LedgerRuling(matter.refusal, "S8", earlier=(earlier,))
        if matter.home and (earlier := self.homes.get(matter.home)):
            return LedgerRuling(matter.refusal, "S10", earlier=(earlier,))
        ruling = self._by_quota(ticket, matter, ruling)
        if ruling.truth == "APPROVE":
            self.persons |= {matter.person: ticket} if matter.person else {}
            self.homes |= {matter.home: ticket} if matter.home else {}
        return ruling

    def _by_memos(self, matter: Matter) -> LedgerRuling:
        ruling = LedgerRuling(matter.truth, matter.rule)
        for mail, (memo, article) in self.memos.items():
            if memo.recall and matter.claim in GOODS_CLAIMS and article == matter.article and ruling.truth == "DENY":
                ruling = LedgerRuling("APPROVE", "S2", mail)
            if memo.transit and matter.rule == "8.6" and USUAL_TRANSIT <= matter.days < memo.transit:
                ruling = LedgerRuling("DENY", "S2", mail)
            before, _, truth = memo.matter.partition("->")
            if memo.claim == matter.claim and article == matter.article and ruling.truth == before:
                ruling = LedgerRuling(truth, "S2", mail)
        return ruling

    def _by_terms(self, matter: Matter, usual: LedgerRuling) -> LedgerRuling:
        """Memos that set a figure. One about the ticket's warehouse or forum goes before those about all; of two about
        the same, the newer one counts."""
        truths = {mail: truth for mail, memo in self.told.items() if (truth := _by_figure(memo, matter, usual.truth))}
        general = [mail for mail, (_, where) in self.memos.items() if mail in truths and not where]
        special = [
            mail
            for mail, (_, where) in self.memos.items()
            if mail in truths and where in (matter.house, matter.article) and where
        ]
        without = truths[general[-1]] if general else usual.truth
        truth = truths[special[-1]] if special else without
        rivals = tuple(mail for mail, other in truths.items() if other != truth)
        if truth == usual.truth and (not special or truth == without):
            return replace(usual, rivals=rivals)
        return LedgerRuling(truth, "S2", (special or general)[-1], rivals=rivals)

    def _by_quota(self, ticket: str, matter: Matter, ruling: LedgerRuling) -> LedgerRuling:
        quota = self.quotas.get(matter.claim)
        if quota is None:
            return ruling
        cost, granted = matter.amount or 1, tuple(quota.granted)
        if cost > quota.left + 0.001:
            quota.refused = True
            return LedgerRuling(matter.refusal, "S9", quota.mail, earlier=granted)
        quota.left -= cost
        quota.granted.append(ticket)
        return replace(ruling, earlier=granted, rivals=(quota.mail,)) if quota.refused else ruling


def _by_figure(memo: Memo, matter: Matter, usual: str) -> str:
    """What a memo's figure says about a ticket; empty if it says nothing."""
    if memo.limit is not None and matter.claim in GOODS_CLAIMS and usual == "APPROVE":
        return "ESCALATE" if matter.amount > memo.limit else "APPROVE"
    if memo.months is not None and matter.claim == "gift":
        return "APPROVE" if matter.months >= memo.months else "REMOVE"
    return ""


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


def rulings_of(events: Sequence[Event], domain: ModuleType, site: ShiftSite) -> Mapping[Key, TicketRulings]:
    """The rulings of all tickets. Raises DataError if a ticket would change twice, or money would have to come back."""
    found: dict[Key, TicketRulings] = {}
    for number, (family, name) in enumerate(events, 1):
        now = _replay(events[:number], domain, site)
        for key, before in found.items():
            again = next(f for f, _ in events if f.number == key[0]).outcome.tickets[key[1]].again
            reopened = again is not None and key[0] == family.number and again.after == name
            if now[key].truth == before.last.truth and not reopened:
                found[key] = TicketRulings(before.first, now[key], before.changed_by)
                continue
            if before.changed_by or before.last.truth in site.final:
                raise DataError(SHIFTS, f"{family.family.id}.{name}", f"changes a ticket that can't be changed: {key}")
            found[key] = TicketRulings(before.first, now[key], (family, name))
        if family.family.parts[name].about:
            ruling = now[family.number, name]
            found[family.number, name] = TicketRulings(ruling, ruling, None)
    return found


def _replay(events: Sequence[Event], domain: ModuleType, site: ShiftSite) -> dict[Key, LedgerRuling]:
    """The rulings after these events."""
    ledger, rulings = Ledger(), dict[Key, LedgerRuling]()
    mails = {(family.number, name) for family, name in events if not family.family.parts[name].about}
    for family, name in events:
        if family.family.parts[name].about:
            counts = not any(
                ticket == name and (family.number, mail) in mails for mail, ticket in family.outcome.uncounts.items()
            )
            matter = _matter(family, name, mails, domain, site.refusal)
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


def _matter(family: CastFamily, name: str, mails: set[Key], domain: ModuleType, refusal: str) -> Matter:
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
        refusal=refusal,
    )


def _where(family: CastFamily, memo: Memo) -> str:
    """The article, forum or warehouse that a memo names."""
    if memo.house:
        return str(family.roles[memo.house].house)
    named = memo.recall or memo.forum
    return str(family.roles[named].sku) if named else ""
