"""Part 7 of the forum's moderation guide as rules: which of several records counts, which revision of a forum's own
page is valid, and when a member must be asked first."""

from collections.abc import Sequence
from typing import Literal

from longtrail.records.record import Record
from workshop.policies.forum_matters import Decision, ReportSays, Ruling, UnknownForumFact, ask

CALLED_VOTES = 20
"""8.3 and 8.5: the minimum number of votes of young accounts within an hour."""


class HardRuling(Ruling):
    """The guide's ruling, including the decision that only hard tasks have."""

    decision: Decision | Literal["REQUEST_INFO"]  # type: ignore[assignment]


WAIT = HardRuling(decision="REQUEST_INFO", paragraph="7.7")


class Statement(Record):
    """What one record says about a question."""

    holds: bool
    rank: int
    """2: the site's own record; 1: the member whom it concerns; 0: somebody else."""
    at: str = ""
    """When it was written; a biography has no date."""
    by: str = ""
    """Permissions: who gave it."""


class Figure(Record):
    """A figure in a revision of a forum's own page."""

    revision: int
    value: int


class Dated(Record):
    """When a revision of that page was made."""

    revision: int
    since: str


class OwnPage(Record):
    """A section's fields about the forum's own page (7.4)."""

    own_figures: tuple[Figure, ...] = ()
    own_dates: tuple[Dated, ...] = ()


def prevailing(statements: Sequence[Statement], name: str) -> bool | None:
    """The record that prevails by 7.1 and 7.2: the highest rank, then the latest. None: they don't decide it."""
    if not statements:
        raise UnknownForumFact(name)
    best = max((statement.rank, statement.at) for statement in statements)
    values = {statement.holds for statement in statements if (statement.rank, statement.at) == best}
    return values.pop() if len(values) == 1 else None


def in_force(page: "OwnPage", posted: str, usual: int) -> int:
    """7.4: the figure of the forum's page when the post was made; without a page, the guide's. A revision without a
    day, or the one of that day without a figure, leaves the case open."""
    if unknown := {entry.revision for entry in page.own_figures} - {entry.revision for entry in page.own_dates}:
        raise UnknownForumFact(f"dates of {min(unknown)}")
    valid = [entry for entry in page.own_dates if entry.since <= posted]
    if not valid:
        return usual
    latest = max(valid, key=lambda entry: entry.since).revision
    applying = [entry.value for entry in page.own_figures if entry.revision == latest]
    if not applying:
        raise UnknownForumFact(f"figures of {latest}")
    return applying[0]


def silent(reply: str | None) -> bool:
    """7.6 and 7.7: the records leave it open, so the member must be asked; whether no answer tells it."""
    return ask(reply, "reply") == "silent"


class HardReport(ReportSays):
    """What the report is about, and when the reported post was made."""

    matter: Literal["promotion", "thread", "claim", "question", "votes"]  # type: ignore[assignment]
    posted: str = ""
