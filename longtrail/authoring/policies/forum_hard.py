"""Parts 7 and 8 of the forum's moderation guide as rules, for the hard tasks: records that disagree, questions to
members, votes. The parts 3 to 6 hold as before, with what parts 7 and 8 settle.

A task's `policy` has the form of `forum.py`. Where records disagree, the fields are lists: each fact adds what its
record says, and the rules of part 7 choose.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, Literal

from pydantic import TypeAdapter

from longtrail.authoring.policies.forum import Fields, ForumUndetermined, merged
from longtrail.authoring.policies.forum_claims import SourceClaim
from longtrail.authoring.policies.forum_matters import (
    BEARS,
    LIMITS,
    BusyThread,
    Decision,
    Promotion,
    Question,
    ReportSays,
    Ruling,
    UnknownForumFact,
    ask,
    is_burst,
)
from longtrail.authoring.policies.variation import Variation
from longtrail.records.record import Record

VOTE_LIMITS: Mapping[str, int] = {"called_votes": 20, "vote_minutes": 60}
"""The figures of part 8."""
SITE, SELF, OTHERS = 2, 1, 0
"""Ranks of records by 7.1 and 7.2."""


class HardRuling(Ruling):
    """What the guide says, with the decision that only hard tasks have."""

    decision: Decision | Literal["REQUEST_INFO"]  # type: ignore[assignment]


WAIT = HardRuling(decision="REQUEST_INFO", paragraph="7.7")


class Statement(Record):
    """What one record says about a question."""

    holds: bool
    rank: int
    """2: the site's own record; 1: the member whom it concerns; 0: somebody else."""
    at: str = ""
    """When it was written; a biography has no date."""


class Figure(Record):
    """A revision of a forum's own page with a figure."""

    value: int
    since: str


def prevailing(statements: Sequence[Statement], name: str) -> bool | None:
    """What 7.1 and 7.2 make of the records: the highest rank, then the latest. None: they leave it open."""
    if not statements:
        raise UnknownForumFact(name)
    best = max((each.rank, each.at) for each in statements)
    said = {each.holds for each in statements if (each.rank, each.at) == best}
    return said.pop() if len(said) == 1 else None


def in_force(figures: Sequence[Figure], posted: str, usual: int) -> int:
    """7.4: the figure of the forum's page when the post was made; without a page, the guide's."""
    valid = [each for each in figures if each.since <= posted]
    return max(valid, key=lambda each: each.since).value if valid else usual


class HardReport(ReportSays):
    """What the report is about, and when the reported post was made."""

    matter: Literal["promotion", "thread", "claim", "question", "votes"]  # type: ignore[assignment]
    posted: str = ""
    answers: bool | None = None
    """The member was asked (7.6): whether an answer that tells it came. None: nothing had to be asked."""


class HardPromotion(Promotion):
    """Part 3 with part 7."""

    stakes: tuple[Statement, ...] = ()
    """Records on whether the author gains by it."""
    told: tuple[int, ...] = ()
    """Submissions whose removal by a moderator is in the log, with a word to the member."""
    undone: tuple[int, ...] = ()
    """Submissions that a moderator restored later."""
    gaps: tuple[Figure, ...] = ()
    ratios: tuple[Figure, ...] = ()
    reply: Literal["told", "silent"] | None = None

    def judge(self, given: ReportSays) -> Ruling:
        gains = prevailing(self.stakes, "stakes") if self.stakes else ask(self.gains, "gains")
        if gains is None:
            return _wait(self.reply)
        if not gains:
            return HardRuling(decision="APPROVE", paragraph="3.1")
        warned = bool({*self.told} - {*self.undone})
        own = self.model_copy(update={"gains": gains, "warned": warned, "licence": self.licence or "other"})
        if not ask(self.disclosed, "disclosed"):
            return Promotion.judge(own, given)
        if len(self.shown) < given.places:
            raise UnknownForumFact("shown")
        times = sorted(datetime.fromisoformat(moment) for moment in self.shown)
        posted = str(getattr(given, "posted", ""))
        soon = in_force(self.gaps, posted, LIMITS["gap_days"])
        if is_burst(times) or any((later - earlier).days < soon for earlier, later in pairwise(times)):
            decision, paragraph = ("REMOVE_ALL_POSTS_AND_BAN_USER", "3.5") if warned else (_WARN, "3.6")
            return HardRuling(decision=decision, paragraph=paragraph)
        if own.licence == "free":
            return HardRuling(decision="APPROVE", paragraph="3.7")
        kept = ask(self.others, "others") >= in_force(self.ratios, posted, LIMITS["ratio"]) * len(times)
        return HardRuling(decision="APPROVE" if kept else _WARN, paragraph="3.8")


_WARN: Literal["REMOVE_PROMOTIONAL_POSTS_AND_WARN"] = "REMOVE_PROMOTIONAL_POSTS_AND_WARN"


class Comer(Record):
    """A commenter who answered the call, and when they commented in the thread."""

    who: str
    at: str


class HardThread(BusyThread):
    """Part 4 with 8.7: who came from the call follows from the times."""

    call_at: str | None = None
    comers: tuple[Comer, ...] = ()
    alike: tuple[str, ...] = ()
    """The commenters whose comments share wording."""

    def judge(self, given: ReportSays) -> Ruling:
        if not self.called:
            return super().judge(given)
        start = ask(self.call_at, "call_at")
        sent = len({each.who for each in self.comers if each.at > start})
        return self.model_copy(update={"sent": sent, "overlap": len({*self.alike})})._called()

    def _called(self) -> Ruling:
        return BusyThread.judge(self, ReportSays(matter="thread"))


class HardClaim(SourceClaim):
    """Part 5 with part 7: what the source says follows from records that disagree, or from a list of votes."""

    statements: tuple[Statement, ...] = ()
    """What the source wrote at different times; `holds`: it says what the post says."""
    only_members: tuple[Figure, ...] = ()
    """Poll: revisions of the forum's rule; 1: only accounts from before the poll count, 0: all do."""
    opened: str | None = None
    """Poll: when it was opened."""
    every: tuple[int, int] | None = None
    """Poll: all votes for and against."""
    tally: tuple[int, int] | None = None
    """Poll: votes for and against by accounts from before it."""
    reply: Literal["told", "silent"] | None = None

    def judge(self, given: ReportSays) -> Ruling:
        if given.claimed in ("for", "against"):
            return self.model_copy(update={"source": self._poll(given)})._base(given)
        if not self.statements:
            return super().judge(given)
        agrees = prevailing(self.statements, "statements")
        if agrees is None:
            return _wait(self.reply)
        return self.model_copy(update={"source": "same" if agrees else "opposite"})._base(given)

    def _base(self, given: ReportSays) -> Ruling:
        return SourceClaim.judge(self, given)

    def _poll(self, given: ReportSays) -> Literal["same", "opposite"]:
        restricted = in_force(self.only_members, ask(self.opened, "opened"), 0)
        ayes, noes = ask(self.tally, "tally") if restricted else ask(self.every, "every")
        return "same" if (ayes > noes) == (given.claimed == "for") else "opposite"


class HardQuestion(Question):
    """Part 6 with part 7."""

    holding: tuple[Statement, ...] = ()
    """Records on whether the circumstance still holds."""
    allowed: tuple[Statement, ...] = ()
    """Records on whether somebody in charge has allowed it."""
    reply: Literal["told", "silent"] | None = None

    def judge(self, given: ReportSays) -> Ruling:
        current = prevailing(self.holding, "holding") if self.holding else self.current
        cleared = prevailing(self.allowed, "allowed") if self.allowed else self.cleared
        if (given.subject, self.circumstance) in BEARS:
            opened = self.holding and current is None
            opened = opened or (current and self.allowed and cleared is None)
            if opened:
                return _wait(self.reply)
        return Question.judge(self.model_copy(update={"current": current, "cleared": cleared}), given)


class Votes(Record):
    """Part 8: votes that did not come by themselves."""

    called: bool | None = None
    """A submission, comment or message links the submission and asks for votes."""
    young: int | None = None
    """The most votes within an hour by accounts that were young then; with a call, in the hour after it."""
    limits: tuple[Figure, ...] = ()

    def judge(self, given: ReportSays) -> Ruling:
        limit = in_force(self.limits, str(getattr(given, "posted", "")), VOTE_LIMITS["called_votes"])
        many = ask(self.young, "young") >= limit
        if ask(self.called, "called"):
            if many:
                return HardRuling(decision="LOCK_THREAD_AND_REPORT_BRIGADING", paragraph="8.3")
            return HardRuling(decision="LOCK_THREAD_AND_WARN_BRIGADERS", paragraph="8.4", addressed=1)
        return HardRuling(decision="MONITOR_AND_FLAG" if many else "APPROVE", paragraph="8.5" if many else "8.6")


def _wait(reply: str | None) -> Ruling:
    """7.6 and 7.7: the records leave it open, so the member must be asked."""
    if ask(reply, "reply") == "silent":
        return WAIT
    raise UnknownForumFact("reply")


class HardFindings(Record):
    """All that is known about a hard case, section by section."""

    promotion: HardPromotion = HardPromotion()
    thread: HardThread = HardThread()
    claim: HardClaim = HardClaim()
    question: HardQuestion = HardQuestion()
    votes: Votes = Votes()


class HardForumPolicy(Record):
    """The `policy` field of a hard task."""

    given: HardReport
    start: Fields = {}
    found: dict[str, Fields]


POLICY: TypeAdapter[HardForumPolicy] = TypeAdapter(HardForumPolicy)


def decide(policy: Mapping[str, Any]) -> Ruling | ForumUndetermined:
    """The decision that the guide with parts 7 and 8 demands. Raises ValidationError on unknown fields."""
    case = POLICY.validate_python(policy)
    known = HardFindings.model_validate(merged((case.start, *case.found.values())))
    try:
        ruling: Ruling = getattr(known, case.given.matter).judge(case.given)
    except UnknownForumFact as unknown:
        return ForumUndetermined(missing=f"{case.given.matter}.{unknown}")
    return ruling


def needless(policy: Mapping[str, Any]) -> list[str]:
    """The facts that can't change the decision, whatever their values."""
    return Variation(decide, HardFindings).needless(policy)
