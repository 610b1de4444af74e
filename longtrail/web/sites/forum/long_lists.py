"""Long lists: a forum's log, the votes on a submission, the report on a member's contributions; all can be filtered."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response

from longtrail.web.sites.forum.feeds import containing, paged
from longtrail.web.sites.forum.pages import find
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
PER_PAGE = 50
LONG = 100
"""A log with more lines than this can be filtered."""
_NAME_PREFIX = re.compile(r"^/?[uf]/")


def _moment(text: str) -> int:
    """Raises ValueError, OverflowError."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _end(text: str) -> int:
    """The end of the day or minute that is named. Raises ValueError, OverflowError."""
    day = timedelta(days=1) if len(text) == 10 else timedelta(minutes=1)
    return int((datetime.fromisoformat(text).replace(tzinfo=UTC) + day).timestamp())


class FilterField(NamedTuple):
    """How one field narrows a list."""

    condition: str
    """SQL; `{}` stands for the field's value."""
    value: Callable[[str], object] = str
    label: str = ""
    """Of a moment."""


def _name(column: str) -> FilterField:
    return FilterField(f"{column} = {{}} COLLATE NOCASE", lambda text: _NAME_PREFIX.sub("", text))


def _part(column: str) -> FilterField:
    return FilterField(f"{column} LIKE {{}} ESCAPE '\\'", containing)


def _from(column: str, label: str = "From") -> FilterField:
    return FilterField(f"{column} >= {{}}", _moment, label)


def _to(column: str, label: str = "To") -> FilterField:
    return FilterField(f"{column} < {{}}", _end, label)


LOG_FILTER = {
    "user": _name("user"),
    "moderator": _name("moderator"),
    "action": FilterField("action = {}"),
    "reason": _part("reason"),
    "from": _from("created"),
    "to": _to("created"),
}
VOTE_FILTER = {
    "user": _part("user"),
    "choice": FilterField("choice = {}"),
    "from": _from("created", "Voted from"),
    "to": _to("created", "Voted to"),
    "registered_from": _from("registered", "Registered from"),
    "registered_to": _to("registered", "Registered to"),
}
ACTIVITY_FILTER = {
    "from": _from("created"),
    "to": _to("created"),
    "kind": FilterField("kind = {}"),
    "forum": _name("forum"),
}


class ListFilter:
    """The fields of a list's filter as sent, what is wrong with them, and the condition that they make."""

    def __init__(self, visit: ForumVisit, fields: Mapping[str, FilterField]) -> None:
        self.given = {name: visit.query(name).strip() for name in fields}
        self.errors: list[str] = []
        self.where = "1"
        self.values: dict[str, Any] = {}
        for name, text in self.given.items():
            field = fields[name]
            try:
                if text:
                    self.values[f"filter_{name}"] = field.value(text)
                    self.where += f" AND {field.condition.format(f':filter_{name}')}"
            except (ValueError, OverflowError):
                self.errors.append(f"{field.label}: write a date as 2026-03-01, or a moment as 2026-03-01 18:30.")

    @property
    def asked(self) -> bool:
        """Whether any field was filled in."""
        return any(self.given.values())

    @property
    def query(self) -> str:
        """The filter as the end of an address; empty if nothing is filtered."""
        params = {name: value for name, value in self.given.items() if value}
        return f"?{urlencode(params)}" if params else ""


async def forum_log(visit: ForumVisit) -> Response:
    """What moderators did in this forum, newest first."""
    return _log(visit, ListFilter(visit, LOG_FILTER), "forum = :forum_name", LONG, **find(visit, "forum"))


async def whole_log(visit: ForumVisit) -> Response:
    """What moderators did in all forums, newest first. The filter by member also says that there is nothing."""
    return _log(visit, ListFilter(visit, {"user": LOG_FILTER["user"]}), "1", 0, forum="")


def _log(visit: ForumVisit, kept: ListFilter, where: str, short: int, **found: Any) -> Response:
    """A log. One with `short` entries or fewer has no filter."""
    sql = f"FROM logged WHERE {where} AND {kept.where}"
    lines = paged(visit, "entries", f"SELECT * {sql} ORDER BY created DESC, id DESC", **kept.values)
    total = visit.one(f"SELECT count(*) FROM log WHERE {where}")[0]  # noqa: S608 (constant SQL)
    shown = visit.one(f"SELECT count(*) {sql}", **kept.values)[0]
    filtering = {"kept": kept if total > short else None, "total": total, "shown": shown, "actions": ACTIONS}
    return visit.page("log.html", **lines, **filtering, **found)


async def votes(visit: ForumVisit) -> Response:
    """Who voted on a submission, when, and since when they are members; newest first."""
    found = find(visit, "submission")
    kept = ListFilter(visit, VOTE_FILTER)
    sql = f"FROM ballot WHERE submission = :submission_id AND {kept.where}"
    lines = paged(visit, "votes", f"SELECT * {sql} ORDER BY created DESC, id DESC", size=PER_PAGE, **kept.values)
    counts = visit.one(f"SELECT count(*) AS n, coalesce(sum(choice = 'up'), 0) AS up {sql}", **kept.values)
    total = visit.one("SELECT count(*) FROM ballot WHERE submission = :submission_id")[0]
    lines["base"] = f"/f/{found['forum']['name']}/{found['submission']['id']}/-/votes"
    return visit.page("votes.html", kept=kept, counts=counts, total=total, **lines, **found)


async def activity(visit: ForumVisit) -> Response:
    """The report on a member's contributions. It is empty until a period is given."""
    found = find(visit, "user")
    kept = ListFilter(visit, ACTIVITY_FILTER)
    ready = bool(kept.given["from"] and kept.given["to"]) and not kept.errors
    if kept.asked and not ready and not kept.errors:
        kept.errors.append("Give both days of the period.")
    report: dict[str, Any] = {}
    if ready:
        sql = f"FROM contribution WHERE user = :user_name AND {kept.where}"
        report = paged(visit, "lines", f"SELECT * {sql} ORDER BY created DESC, about", size=PER_PAGE, **kept.values)
        report["counts"] = visit.all(
            f"SELECT forum, sum(kind = 'submission') AS submissions, sum(kind = 'comment') AS comments {sql} "
            "GROUP BY lower(forum) ORDER BY lower(forum)",
            **kept.values,
        )
    base = f"/user/{found['user']['name']}/activity"
    return visit.page("activity.html", kept=kept, report=report, base=base, **found)
