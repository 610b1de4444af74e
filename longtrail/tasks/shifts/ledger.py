"""Ledger: what a shift has established so far, and how that changes what is right for the next ticket.

The rules of the site decide each ticket by itself. The ledger adds the rules of the shift: memos that are in force, and
what was granted before. Tickets are counted in the order in which they come in, whatever the order of the agent's work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from longtrail.tasks.shifts.families import Memo

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
