"""Parts 7 and 8 of the forum's moderation guide as rules, for the hard tasks: records that disagree, questions to
members, votes. Parts 3 to 6 apply as before, with what parts 7 and 8 add.

A task's `policy` has the form of `forum.py`. Where records disagree, the fields are lists: each fact adds what its
record says, and the rules of part 7 choose.
"""

from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise
from typing import Any, Literal

from longtrail.records.record import Record
from workshop.policies.forum import ForumPolicy, ForumUndetermined, ruling_of
from workshop.policies.forum_claims import Says, SourceClaim
from workshop.policies.forum_matters import (
    BEARS,
    LIMITS,
    BusyThread,
    Promotion,
    Question,
    ReportSays,
    Ruling,
    UnknownForumFact,
    ask,
    is_burst,
)
from workshop.policies.forum_records import (
    CALLED_VOTES,
    WAIT,
    HardReport,
    HardRuling,
    OwnPage,
    Statement,
    in_force,
    prevailing,
    silent,
)
from workshop.policies.variation import Variation


class HardPromotion(Promotion, OwnPage):
    """Part 3 with part 7."""

    stakes: tuple[Statement, ...] = ()
    """Records on whether the author gains by it."""
    told: tuple[int, ...] = ()
    """Submissions whose removal by a moderator is in the log, with a word to the member."""
    undone: tuple[int, ...] = ()
    """Submissions that a moderator restored later."""
    owed: tuple[Statement, ...] = ()
    """Records on whether somebody still pays the author for it."""
    credited: bool = False
    """A code in the posts is credited to the author."""
    planned: bool = False
    """The author wrote that an agreement would end, but not whether it did."""
    own: Literal["gap", "ratio"] = "gap"
    """What the figures of the forum's own page are about."""
    reply: Literal["told", "silent"] | None = None

    def apply(self, report: ReportSays) -> Ruling:
        sells = prevailing(self.stakes, "stakes") if self.stakes else ask(self.gains, "gains")
        paid = prevailing(self.owed, "owed") if self.owed else False
        gains = bool(sells or self.credited)
        if not gains and (paid is None or (paid and self.planned)) and silent(self.reply):
            return WAIT
        gains = gains or bool(paid)
        if not gains:
            return HardRuling(decision="APPROVE", paragraph="3.1")
        warned = bool({*self.told} - {*self.undone})
        plain_promotion = self.model_copy(update={"gains": gains, "warned": warned, "licence": self.licence or "other"})
        if not ask(self.disclosed, "disclosed"):
            return Promotion.apply(plain_promotion, report)
        if len(self.shown) < report.places:
            raise UnknownForumFact("shown")
        times = sorted(datetime.fromisoformat(moment) for moment in self.shown)
        posted = str(getattr(report, "posted", ""))
        soon = in_force(self, posted, LIMITS["gap_days"]) if self.own == "gap" else LIMITS["gap_days"]
        if is_burst(times) or any((later - earlier).days < soon for earlier, later in pairwise(times)):
            decision, paragraph = ("REMOVE_ALL_POSTS_AND_BAN_USER", "3.5") if warned else (_WARN, "3.6")
            return HardRuling(decision=decision, paragraph=paragraph)
        if plain_promotion.licence == "free":
            return HardRuling(decision="APPROVE", paragraph="3.7")
        ratio = in_force(self, posted, LIMITS["ratio"]) if self.own == "ratio" else LIMITS["ratio"]
        kept = ask(self.others, "others") >= ratio * len(times)
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

    def apply(self, report: ReportSays) -> Ruling:
        if not self.called:
            return super().apply(report)
        start = ask(self.call_at, "call_at")
        sent = len({comer.who for comer in self.comers if comer.at > start})
        return self.model_copy(update={"sent": sent, "overlap": len({*self.alike})})._called()

    def _called(self) -> Ruling:
        return BusyThread.apply(self, ReportSays(matter="thread"))


class HardClaim(SourceClaim, OwnPage):
    """Part 5 with part 7: what the source says follows from records that disagree, or from a list of votes."""

    statements: tuple[Statement, ...] = ()
    """What the source wrote at different times; `holds`: it says what the post says."""
    second: tuple[Statement, ...] = ()
    third: tuple[Statement, ...] = ()
    """The same for further statements of the post."""
    opened: str | None = None
    """Poll: when it was opened."""
    ayes: int | None = None
    noes: int | None = None
    """Poll: all votes for and against."""
    members_for: int | None = None
    members_against: int | None = None
    """Poll: votes for and against by accounts from before it. The figures of the forum's page: 1, only these count; 0,
    all do."""
    reply: Literal["told", "silent"] | None = None

    def apply(self, report: ReportSays) -> Ruling:
        if report.claimed in ("for", "against"):
            return self.model_copy(update={"source": self._poll(report)})._base(report)
        if not self.statements:
            return super().apply(report)
        results = [
            prevailing(statements, "statements")
            for statements in (self.statements, self.second, self.third)[: report.parts or 1]
        ]
        if None in results:
            return WAIT if silent(self.reply) else HardRuling(decision="NO_ACTION", paragraph="5.6")
        whole: Says = "partly" if len({*results}) > 1 else "same" if results[0] else "opposite"
        return self.model_copy(update={"source": whole})._base(report)

    def _base(self, report: ReportSays) -> Ruling:
        return SourceClaim.apply(self, report.model_copy(update={"parts": 0}))

    def _poll(self, report: ReportSays) -> Literal["same", "opposite"]:
        restricted = in_force(self, ask(self.opened, "opened"), 0)
        if restricted:
            ayes, noes = ask(self.members_for, "members_for"), ask(self.members_against, "members_against")
        else:
            ayes, noes = ask(self.ayes, "ayes"), ask(self.noes, "noes")
        return "same" if (ayes > noes) == (report.claimed == "for") else "opposite"


class HardQuestion(Question):
    """Part 6 with part 7."""

    holding: tuple[Statement, ...] = ()
    """Records on whether the circumstance still holds."""
    allowed: tuple[Statement, ...] = ()
    """Records on whether somebody in charge has allowed it."""
    in_charge: str = ""
    """Who may allow it; permissions by others don't count."""
    planned: bool = False
    """It was going to end on a day that has passed, and no record says whether it did."""
    reply: Literal["told", "silent"] | None = None

    def apply(self, report: ReportSays) -> Ruling:
        current = prevailing(self.holding, "holding") if self.holding else self.current
        valid = [permission for permission in self.allowed if not permission.by or permission.by == self.in_charge]
        cleared = prevailing(valid, "allowed") if self.allowed else self.cleared
        bears = (report.subject, self.circumstance) in BEARS
        if bears and self.planned and current and cleared is not True and silent(self.reply):
            return WAIT
        return Question.apply(self.model_copy(update={"current": current, "cleared": cleared}), report)


class Votes(OwnPage):
    """Part 8: votes that somebody asked for."""

    suspected: bool = False
    """What the report takes for a call is one."""
    called: bool | None = None
    """A submission, comment or message links the submission and asks for votes; false if a search for the submission's
    number found none."""
    call_at: str = ""
    """When; empty without a call."""
    after: str | None = None
    """The start of the hour with the votes."""
    young: int | None = None
    """How many votes of young accounts came in that hour."""

    def apply(self, report: ReportSays) -> Ruling:
        called = self.suspected or ask(self.called, "called")
        if called and self.call_at != ask(self.after, "after"):
            raise UnknownForumFact("votes of that hour")
        limit = in_force(self, str(getattr(report, "posted", "")), CALLED_VOTES)
        many = ask(self.young, "young") >= limit
        if called:
            if many:
                return HardRuling(decision="LOCK_THREAD_AND_REPORT_BRIGADING", paragraph="8.3")
            return HardRuling(decision="LOCK_THREAD_AND_WARN_BRIGADERS", paragraph="8.4", addressed=1)
        return HardRuling(decision="MONITOR_AND_FLAG" if many else "APPROVE", paragraph="8.5" if many else "8.6")


class HardFindings(Record):
    """All that is known about a hard case, section by section."""

    promotion: HardPromotion = HardPromotion()
    thread: HardThread = HardThread()
    claim: HardClaim = HardClaim()
    question: HardQuestion = HardQuestion()
    votes: Votes = Votes()


class HardForumPolicy(ForumPolicy):
    """The `policy` field of a hard task."""

    given: HardReport


def decide(policy: Mapping[str, Any]) -> Ruling | ForumUndetermined:
    """The decision that the guide with parts 7 and 8 demands. Raises ValidationError on unknown fields."""
    return ruling_of(HardForumPolicy.model_validate(policy), HardFindings)


def needless(policy: Mapping[str, Any]) -> list[str]:
    """The facts that can't change the decision, whatever their values."""
    return Variation(decide, HardFindings).needless(policy)
