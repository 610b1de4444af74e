"""Long lists: the votes on a submission, the report on a member's contributions, and the filters of these and of a
forum's log."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from longtrail.web.sites.forum.feeds import Where, containing, paged
from longtrail.web.sites.forum.submissions import frame as submission_frame
from longtrail.web.sites.forum.submissions import submission_row
from longtrail.web.sites.forum.users import frame as user_frame
from longtrail.web.sites.forum.users import user_row
from longtrail.web.sites.forum.visit import ForumVisit

ACTIONS = {
    "submission_deletion": "deleted submission",
    "submission_restored": "restored submission",
    "submission_lock": "locked submission",
    "submission_unlock": "unlocked submission",
    "comment_deletion": "deleted comment",
    "comment_restored": "restored comment",
    "ban": "banned",
    "unban": "unbanned",
}
_NAME_PREFIX = re.compile(r"^/?[uf]/")
FilterKind = Literal["is", "name", "contains", "from", "to"]


class FilterField(NamedTuple):
    """How one field narrows a list: equal to its column, a name (ignoring case), a part of it, or a bound of a time."""

    column: str
    kind: FilterKind
    label: str = ""


LOG_FILTER = {
    "user": FilterField("l.user", "name"),
    "moderator": FilterField("l.moderator", "name"),
    "action": FilterField("l.action", "is"),
    "reason": FilterField("l.reason", "contains"),
    "from": FilterField("l.created", "from", "From"),
    "to": FilterField("l.created", "to", "To"),
}
VOTE_FILTER = {
    "user": FilterField("b.user", "contains"),
    "choice": FilterField("b.choice", "is"),
    "from": FilterField("b.created", "from", "Voted from"),
    "to": FilterField("b.created", "to", "Voted to"),
    "registered_from": FilterField("b.registered", "from", "Registered from"),
    "registered_to": FilterField("b.registered", "to", "Registered to"),
}
ACTIVITY_FILTER = {
    "from": FilterField("a.created", "from", "From"),
    "to": FilterField("a.created", "to", "To"),
    "kind": FilterField("a.kind", "is"),
    "forum": FilterField("a.forum", "name"),
}


class ListFilter:
    """The fields of a list's filter as sent, what is wrong with them, and the condition that they make."""

    def __init__(self, visit: ForumVisit, fields: Mapping[str, FilterField]) -> None:
        self.given = {name: visit.query(name).strip() for name in fields}
        self.errors: list[str] = []
        self.where = Where("1")
        for name, value in self.given.items():
            if value:
                self._narrow(fields[name], value)

    @property
    def asked(self) -> bool:
        """Whether any field was filled in."""
        return any(self.given.values())

    @property
    def query(self) -> str:
        """The filter as the end of an address; empty if nothing is filtered."""
        params = {name: value for name, value in self.given.items() if value}
        return f"?{urlencode(params)}" if params else ""

    def _narrow(self, field: FilterField, value: str) -> None:
        """Add the condition of a field that was filled in."""
        column = field.column
        match field.kind:
            case "is":
                self.where &= Where(f"{column} = ?", (value,))
            case "name":
                self.where &= Where(f"{column} = ? COLLATE NOCASE", (_NAME_PREFIX.sub("", value),))
            case "contains":
                self.where &= Where(f"{column} LIKE ? ESCAPE '\\'", (containing(value),))
            case "from":
                if at := self._moment(field.label, value):
                    self.where &= Where(f"{column} >= ?", (int(at.timestamp()),))
            case "to":
                if at := self._moment(field.label, value):  # up to the end of the day or minute that is named
                    end = at + (timedelta(days=1) if len(value) == 10 else timedelta(minutes=1))
                    self.where &= Where(f"{column} < ?", (int(end.timestamp()),))

    def _moment(self, label: str, value: str) -> datetime | None:
        try:
            at = datetime.fromisoformat(value).replace(tzinfo=UTC)
            at + timedelta(days=1)  # the end of the last day of all can't be told
            return at
        except (ValueError, OverflowError):
            self.errors.append(f"{label}: write a date as 2026-03-01, or a moment as 2026-03-01 18:30.")
            return None


PER_PAGE = 50
ACTIVITY = """
    SELECT user, forum, kind, about, created FROM archive
    UNION ALL SELECT user, forum, 'submission', title, created FROM submission
    UNION ALL SELECT c.user, s.forum, 'comment', s.title, c.created FROM comment c
      JOIN submission s ON s.id = c.submission
"""


async def votes(visit: ForumVisit) -> Response:
    """Who voted on a submission, when, and since when they are members; newest first."""
    row = submission_row(visit)
    vote_filter = ListFilter(visit, VOTE_FILTER)
    sql = f"FROM ballot b WHERE b.submission = ? AND {vote_filter.where.sql}"
    values = (row["id"], *vote_filter.where.values)
    newest = f"SELECT b.* {sql} ORDER BY b.created DESC, b.id DESC"
    context = paged(visit, "votes", newest, *values, size=PER_PAGE) | submission_frame(visit, row)
    counts = visit.one(f"SELECT count(*) AS n, coalesce(sum(b.choice = 'up'), 0) AS up {sql}", *values)
    total = visit.one("SELECT count(*) AS n FROM ballot WHERE submission = ?", row["id"])["n"]
    base = f"/f/{row['forum']}/{row['id']}/-/votes"
    return visit.page("votes.html", kept=vote_filter, counts=counts, total=total, base=base, **context)


async def activity(visit: ForumVisit) -> Response:
    """The report on a member's contributions. It is empty until a period is given."""
    user = user_row(visit)
    activity_filter = ListFilter(visit, ACTIVITY_FILTER)
    ready = bool(activity_filter.given["from"] and activity_filter.given["to"]) and not activity_filter.errors
    if activity_filter.asked and not ready and not activity_filter.errors:
        activity_filter.errors.append("Give both days of the period.")
    report = {}
    if ready:
        sql = f"FROM ({ACTIVITY}) a WHERE a.user = ? AND {activity_filter.where.sql}"
        values = (user["name"], *activity_filter.where.values)
        newest = f"SELECT a.* {sql} ORDER BY a.created DESC, a.about"
        counts = visit.all(
            f"SELECT a.forum, sum(a.kind = 'submission') AS submissions, sum(a.kind = 'comment') AS comments {sql} "
            "GROUP BY lower(a.forum) ORDER BY lower(a.forum)",
            *values,
        )
        report = {"counts": counts, **paged(visit, "lines", newest, *values, size=PER_PAGE)}
    base = f"/user/{user['name']}/activity"
    return visit.page("activity.html", kept=activity_filter, report=report, base=base, **user_frame(visit, user))
