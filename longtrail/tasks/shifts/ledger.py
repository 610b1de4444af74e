"""Ledger: what a shift has established so far, and how that changes what is right for the next ticket.

The rules of the site decide each ticket by itself. The ledger adds the rules of the shift: memos that are in force, and
what was granted before. Tickets are counted in the order in which they come in, whatever the order of the agent's work.
"""

from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class LedgerRuling:
    """What is right in this shift."""

    truth: str
    rule: str
    memo: str = ""
    """The mail on which it rests."""
    earlier: tuple[str, ...] = ()
    """The earlier tickets on which it rests."""


@dataclass
class Ledger:
    """The state of a shift between two tickets."""

    memos: dict[str, tuple[Memo, str]] = field(default_factory=dict)
    """Number of the mail -> the memo, and the article that it names."""
    counted: dict[str, list[str]] = field(default_factory=dict)
    """What is counted -> the tickets that were granted."""

    def announce(self, mail: str, memo: Memo, article: str = "") -> None:
        """A memo comes in."""
        self.memos[mail] = (memo, article)

    def revoke(self, mail: str) -> None:
        """A memo is taken back."""
        self.memos.pop(mail, None)

    def judge(self, ticket: str, matter: Matter) -> LedgerRuling:
        """What is right for a ticket that comes in now; counts it."""
        ruling = self._by_memos(matter)
        if matter.counts and ruling.truth == matter.truth and matter.truth in LIMITED:
            granted = self.counted.setdefault(matter.counts, [])
            if len(granted) >= COURTESIES:
                return LedgerRuling(LIMITED[matter.truth], "S3", earlier=tuple(granted[:COURTESIES]))
            granted.append(ticket)
        return ruling

    def _by_memos(self, matter: Matter) -> LedgerRuling:
        ruling = LedgerRuling(matter.truth, matter.rule)
        for mail, (memo, article) in self.memos.items():
            if memo.recall and matter.claim in GOODS_CLAIMS and article == matter.article and ruling.truth == "DENY":
                ruling = LedgerRuling("APPROVE", "S2", mail)
            if memo.transit and matter.rule == "8.6" and USUAL_TRANSIT <= matter.days < memo.transit:
                ruling = LedgerRuling("DENY", "S2", mail)
            subject, _, truth = memo.matter.partition("->")
            if subject == matter.claim and article == matter.article and ruling.truth != truth:
                ruling = LedgerRuling(truth, "S2", mail)
        for mail, (memo, _) in self.memos.items():
            goods = matter.claim in GOODS_CLAIMS and ruling.truth == "APPROVE"
            if memo.limit is not None and goods and matter.amount > memo.limit:
                ruling = LedgerRuling("ESCALATE", "S2", mail)
        return ruling
