"""The four matters of the forum's moderation guide as rules: promotion, a busy thread, a claim, a personal question.

Each has `apply(report)`, which goes through its part of the guide in order. A field that is None has no value yet;
reading it raises UnknownForumFact.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Literal, TypeVar

from longtrail.records.record import Record

LIMITS: Mapping[str, int] = {
    "ratio": 10,
    "ratio_days": 90,
    "gap_days": 14,
    "burst_forums": 3,
    "burst_hours": 72,
    "new_days": 30,
    "overlap": 3,
    "crowd": 5,
    "crowd_minutes": 30,
    "sent": 3,
    "own_days": 60,
    "young_days": 30,
}
"""All figures of the rules. The guide's pages get them from here."""
CITES: Mapping[str, tuple[str, ...]] = {
    "3.1": (),
    "3.2": ("burst_forums", "burst_hours"),
    "3.3": ("new_days",),
    "3.4": (),
    "3.5": (),
    "3.6": ("gap_days",),
    "3.7": (),
    "3.8": ("ratio", "ratio_days"),
    "4.3": ("sent", "overlap", "young_days"),
    "4.4": (),
    "4.5": ("own_days",),
    "4.6": ("crowd", "crowd_minutes", "overlap", "young_days"),
    "4.7": (),
    "5.2": (),
    "5.3": (),
    "5.4": (),
    "5.5": (),
    "5.6": (),
    "6.2": (),
    "6.3": (),
    "6.4": (),
    "6.5": (),
    "6.6": (),
}
"""The figures that each paragraph names."""
ADMINISTRATOR = "Yusuf_Lists"
"""The moderators whom paragraph 2.6 names for reports of brigading."""

Decision = Literal[
    "REMOVE_ALL_POSTS_AND_BAN_USER",
    "REMOVE_PROMOTIONAL_POSTS_AND_WARN",
    "LOCK_THREAD_AND_REPORT_BRIGADING",
    "LOCK_THREAD_AND_WARN_BRIGADERS",
    "MONITOR_AND_FLAG",
    "ADD_CORRECTION_COMMENT",
    "APPLY_MISINFORMATION_FLAIR",
    "CONFIRM_FACTUAL",
    "PROVIDE_CONTEXT_AWARE_RESPONSE",
    "ADD_WARNING_COMMENT",
    "REMOVE",
    "APPROVE",
    "NO_ACTION",
]
Subject = Literal["new credit", "caffeine", "alcohol", "medicine", "exertion", "contact", "stakes"]
Circumstance = Literal[
    "bankruptcy", "pregnancy", "heart", "blood thinner", "recovery", "court order", "gambling", "none"
]
BEARS: frozenset[tuple[Subject, Circumstance]] = frozenset(
    {
        ("new credit", "bankruptcy"),
        ("new credit", "gambling"),
        ("stakes", "gambling"),
        ("caffeine", "pregnancy"),
        ("caffeine", "heart"),
        ("alcohol", "pregnancy"),
        ("alcohol", "recovery"),
        ("medicine", "pregnancy"),
        ("medicine", "blood thinner"),
        ("medicine", "heart"),
        ("exertion", "pregnancy"),
        ("exertion", "heart"),
        ("contact", "court order"),
    }
)
"""Paragraph 6.2: which circumstance changes the answer to which kind of question."""


class Ruling(Record):
    """What the guide says, and where it says so."""

    decision: Decision
    paragraph: str
    addressed: int = 0
    """4.4: the number of accounts that followed the call; each must get a message."""
    deleted: tuple[str, ...] = ()
    """2.5: when the showings that must be deleted were posted; whoever doesn't know of one can't delete it."""

    @property
    def outcome(self) -> tuple[Decision, int, tuple[str, ...]]:
        """The decision and its actions, whichever paragraph demands them."""
        return self.decision, self.addressed, self.deleted


class UnknownForumFact(Exception):
    """A rule needs a field that has no value; the text is the field's name."""


T = TypeVar("T")


def ask(value: T | None, name: str) -> T:
    if value is None:
        raise UnknownForumFact(name)
    return value


class ReportSays(Record):
    """What the report itself is about."""

    matter: Literal["promotion", "thread", "claim", "question"]
    places: int = 0
    """Promotion: in how many places the thing was shown."""
    suspects: int = 0
    """Thread: how many commenters are under suspicion."""
    subject: Subject | None = None
    """Question: what is asked about."""
    parts: int = 0
    """Claim: the number of its statements that must be checked separately."""
    picture: Literal["place", "edit", "figures", "text"] | None = None
    """Claim: a picture is the source. It is said to be of a certain place or day; or it may have been edited; or it is
    one of figures (a chart), or of words (a sign, a label, a map)."""
    claimed: str = ""
    """Picture: the place or day, or what its words are said to tell."""
    factor: float = 0.0
    """Figures: the factor between first and last value, according to the post."""


class Promotion(Record):
    """Part 3: does the author promote something for gain?"""

    gains: bool | None = None
    """The author made it, sells it, or is paid for it."""
    tied: tuple[bool, ...] = ()
    """Other ways to gain by it that were looked into (a link that is credited, a job with the seller): is it so?"""
    disclosed: bool | None = None
    """The posts say so."""
    licence: Literal["free", "other"] | None = None
    """`free`: anybody may use and change it, and nothing is sold around it."""
    shown: tuple[str, ...] = ()
    """When it was posted, one time per place (`2026-01-16 09:12`)."""
    others: int | None = None
    """The author's other contributions in the ratio's period."""
    account_days: int | None = None
    warned: bool | None = None
    """The log has an earlier removal or warning for the same thing; false if a look into it found none."""

    def apply(self, report: ReportSays) -> Ruling:
        ruling = self._ruling(report)
        return (
            ruling if ruling.decision == "APPROVE" else ruling.model_copy(update={"deleted": tuple(sorted(self.shown))})
        )

    def _ruling(self, report: ReportSays) -> Ruling:
        """The decision and its paragraph."""
        if not (ask(self.gains, "gains") or any(self.tied)):
            return Ruling(decision="APPROVE", paragraph="3.1")
        if len(self.shown) < report.places:
            raise UnknownForumFact("shown")
        times = sorted(datetime.fromisoformat(moment) for moment in self.shown)
        burst = is_burst(times)
        if not ask(self.disclosed, "disclosed"):
            if burst:
                return Ruling(decision="REMOVE_ALL_POSTS_AND_BAN_USER", paragraph="3.2")
            if ask(self.account_days, "account_days") < LIMITS["new_days"]:
                return Ruling(decision="REMOVE_ALL_POSTS_AND_BAN_USER", paragraph="3.3")
            return Ruling(decision="REMOVE_PROMOTIONAL_POSTS_AND_WARN", paragraph="3.4")
        gaps = [(later - earlier).days for earlier, later in pairwise(times)]
        if burst or any(gap < LIMITS["gap_days"] for gap in gaps):
            if ask(self.warned, "warned"):  # whoever didn't look into the log doesn't know
                return Ruling(decision="REMOVE_ALL_POSTS_AND_BAN_USER", paragraph="3.5")
            return Ruling(decision="REMOVE_PROMOTIONAL_POSTS_AND_WARN", paragraph="3.6")
        if ask(self.licence, "licence") == "free":
            return Ruling(decision="APPROVE", paragraph="3.7")
        kept = ask(self.others, "others") >= LIMITS["ratio"] * len(times)
        return Ruling(decision="APPROVE" if kept else "REMOVE_PROMOTIONAL_POSTS_AND_WARN", paragraph="3.8")


def is_burst(times: Sequence[datetime]) -> bool:
    """Whether there are this many posts within this many hours (3.2)."""
    need, span = LIMITS["burst_forums"], LIMITS["burst_hours"] * 3600
    return any((last - first).total_seconds() <= span for first, last in zip(times, times[need - 1 :], strict=False))


class Commenter(Record):
    """One commenter under suspicion."""

    own_days: int | None = None
    """How long before the thread they last wrote about the same matter without being asked; None: never."""
    age_days: int | None = None
    """Age of the account on the day of the comment."""


class BusyThread(Record):
    """Part 4: did people come on their own initiative?"""

    called: bool | None = None
    """A post elsewhere links the thread and asks its readers to go and do something there; false if a search for the
    thread's number found none."""
    sent: int | None = None
    """How many of the commenters took part in that post."""
    overlap: int | None = None
    """How many comments share wording other than the subject's terms."""
    within: int | None = None
    """How many comments were written within the minutes that make a crowd."""
    commenters: tuple[Commenter, ...] = ()

    def apply(self, report: ReportSays) -> Ruling:
        if ask(self.called, "called"):  # whoever didn't search doesn't know that there was no call
            sent = ask(self.sent, "sent")
            alike = ask(self.overlap, "overlap") >= LIMITS["overlap"] or self._young()
            if sent >= LIMITS["sent"] and alike:
                return Ruling(decision="LOCK_THREAD_AND_REPORT_BRIGADING", paragraph="4.3")
            return Ruling(decision="LOCK_THREAD_AND_WARN_BRIGADERS", paragraph="4.4", addressed=sent)
        if len(self.commenters) < report.suspects:
            raise UnknownForumFact("commenters")
        if all((commenter.own_days or 0) >= LIMITS["own_days"] for commenter in self.commenters):
            return Ruling(decision="APPROVE", paragraph="4.5")
        together = ask(self.within, "within") >= LIMITS["crowd"]
        if together and (ask(self.overlap, "overlap") >= LIMITS["overlap"] or self._young()):
            return Ruling(decision="MONITOR_AND_FLAG", paragraph="4.6")
        return Ruling(decision="APPROVE", paragraph="4.7")

    def _young(self) -> bool:
        """More than half of the accounts are young. A case in which the age matters gives it; accounts without a given
        age count as old."""
        young = sum(
            commenter.age_days is not None and commenter.age_days < LIMITS["young_days"]
            for commenter in self.commenters
        )
        return 2 * young > len(self.commenters)


class Question(Record):
    """Part 6: does something that the member wrote earlier change the answer?"""

    circumstance: Circumstance | None = None
    current: bool | None = None
    """It is still true today."""
    cleared: bool | None = None
    """Somebody in charge of it (doctor, trustee, court) has already allowed exactly this."""
    insists: bool = False
    """The member knows the danger, and intends to do it anyway."""

    def apply(self, report: ReportSays) -> Ruling:
        if (ask(report.subject, "subject"), ask(self.circumstance, "circumstance")) not in BEARS:
            return Ruling(decision="NO_ACTION", paragraph="6.2")
        if not ask(self.current, "current"):
            return Ruling(decision="NO_ACTION", paragraph="6.3")
        if ask(self.cleared, "cleared"):
            return Ruling(decision="NO_ACTION", paragraph="6.4")
        if self.insists:
            return Ruling(decision="ADD_WARNING_COMMENT", paragraph="6.5")
        return Ruling(decision="PROVIDE_CONTEXT_AWARE_RESPONSE", paragraph="6.6")
