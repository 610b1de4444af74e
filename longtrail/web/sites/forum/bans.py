"""Bans: who may not post in a forum and why, the forms that ban and unban; moderators, the logs, the trash."""

from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.feeds import paged
from longtrail.web.sites.forum.forums import forum_row, sidebar
from longtrail.web.sites.forum.long_lists import ACTIONS, LOG_FILTER, ListFilter
from longtrail.web.sites.forum.moderation import log, reason_fault
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit

LONG = 100
"""A log with more lines than this can be filtered."""
LOG = """
    SELECT l.*, s.title AS title, s.user AS author FROM log l LEFT JOIN submission s ON s.id = l.submission
"""


async def forum_log(visit: ForumVisit) -> Response:
    """What moderators did in this forum, newest first."""
    row = forum_row(visit)
    log_filter = ListFilter(visit, LOG_FILTER)
    where = feeds.Where("l.forum = ?", (row["name"],)) & log_filter.where
    sql = f"{LOG} WHERE {where.sql} ORDER BY l.created DESC, l.id DESC"
    lines = paged(visit, "entries", sql, *where.values)
    total = visit.one("SELECT count(*) AS n FROM log WHERE forum = ?", row["name"])["n"]
    shown = visit.one(f"SELECT count(*) AS n FROM log l WHERE {where.sql}", *where.values)["n"]  # noqa: S608
    filtering = {"kept": log_filter if total > LONG else None, "total": total, "shown": shown, "actions": ACTIONS}
    base = f"/f/{row['name']}/moderation_log"
    return visit.page("log.html", base=base, **lines, **filtering, **sidebar(visit, row))


async def global_log(visit: ForumVisit) -> Response:
    """What moderators did in all forums, newest first."""
    lines = paged(visit, "entries", f"{LOG} ORDER BY l.created DESC, l.id DESC")
    return visit.page("log.html", **lines, base="/moderation_log", forum=None, kept=None)


async def ban_list(visit: ForumVisit) -> Response:
    """Who is banned from this forum now."""
    row = forum_row(visit)
    sql = """SELECT b.* FROM ban b WHERE b.forum = ? AND b.kind = 'ban' AND (b.expires IS NULL OR b.expires > ?)
      AND b.id = (SELECT max(x.id) FROM ban x WHERE x.forum = b.forum AND x.user = b.user) ORDER BY b.id DESC"""
    lines = paged(visit, "bans", sql, row["name"], visit.now)
    return visit.page("bans.html", **lines, base=f"/f/{row['name']}/bans", user=None, **sidebar(visit, row))


async def ban_history(visit: ForumVisit) -> Response:
    """Every ban and unban of a member in this forum."""
    row, user = forum_row(visit), _user(visit)
    sql = "SELECT * FROM ban WHERE forum = ? AND user = ? ORDER BY id DESC"
    base = f"/f/{row['name']}/bans/history/{user}"
    lines = paged(visit, "bans", sql, row["name"], user)
    return visit.page("bans.html", **lines, base=base, user=user, **sidebar(visit, row))


async def ban(visit: ForumVisit) -> Response:
    """The form that bans (`/ban/`) or unbans (`/unban/`) a member, and its action."""
    row, user = forum_row(visit), _user(visit)
    kind = "unban" if "/unban/" in visit.path else "ban"
    intent = f"forum_{kind}"
    fields = {f"{intent}[{name}]": "" for name in ("reason", "expires][date", "expires][time")}
    errors: list[str] = []
    if visit.request.method == "POST":
        fields |= await visit.form(intent)
        reason = fields[f"{intent}[reason]"]
        expires, faults = _expiry(fields, intent, visit.now)
        errors = reason_fault(reason) + faults
        if kind == "ban" and user == MODERATOR:
            errors.append("You can't ban yourself.")
        if not errors:
            sql = (
                "INSERT INTO ban (forum, user, kind, reason, moderator, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)"
            )
            visit.run(sql, row["name"], user, kind, reason, MODERATOR, visit.now, expires)
            log(visit, kind, row["name"], user, reason=reason, expires=expires)
            return visit.redirect(f"/f/{row['name']}/bans", f"The user was {kind}ned.")
    return visit.page(
        "ban.html", user=user, kind=kind, intent=intent, fields=fields, errors=errors, **sidebar(visit, row)
    )


def _user(visit: ForumVisit) -> str:
    return str(visit.one("SELECT name FROM user WHERE name = ?", visit.at("user"))["name"])


def _expiry(fields: dict[str, str], intent: str, now: int) -> tuple[int | None, list[str]]:
    """The end of the ban, and an error message if it is invalid; no date: never."""
    date, time = fields[f"{intent}[expires][date]"], fields[f"{intent}[expires][time]"]
    if not date:
        return None, []
    try:
        end = int(datetime.fromisoformat(f"{date}T{time or '00:00'}").replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None, ["Expires: this is not a date and time."]
    return (end, []) if end > now else (None, ["Expires: this must be in the future."])


async def moderators(visit: ForumVisit) -> Response:
    """Who moderates this forum, and since when."""
    row = forum_row(visit)
    sql = "SELECT * FROM moderator WHERE forum = ? ORDER BY created, id"
    lines = paged(visit, "people", sql, row["name"])
    return visit.page("moderators.html", **lines, base=f"/f/{row['name']}/moderators", **sidebar(visit, row))


async def add_moderator(visit: ForumVisit) -> Response:
    """Make a member a moderator of this forum."""
    row = forum_row(visit)
    name, errors = "", []
    if visit.request.method == "POST":
        name = (await visit.form("moderator")).get("moderator[user]", "")
        user = visit.maybe("SELECT name FROM user WHERE name = ?", name)
        if user is None:
            errors.append("User: there is no such user.")
        else:
            sql = "INSERT OR IGNORE INTO moderator (forum, user, created) VALUES (?, ?, ?)"
            visit.run(sql, row["name"], user["name"], visit.now)
            return visit.redirect(f"/f/{row['name']}/moderators", "The moderator was added.")
    return visit.page("add_moderator.html", typed=name, errors=errors, **sidebar(visit, row))


async def trash(visit: ForumVisit) -> Response:
    """What moderators deleted, in one forum or in all. It can be restored there."""
    where = "s.visibility = 'trashed'"
    values: tuple[str, ...] = ()
    context: dict[str, Any] = {"forum": None}
    if "forum" in visit.request.path_params:
        row = forum_row(visit)
        where, values, context = f"{where} AND s.forum = ?", (row["name"],), sidebar(visit, row)
    submissions = visit.all(f"{feeds.SUBMISSION} WHERE {where} ORDER BY s.id DESC LIMIT 100", *values)
    sql = f"{feeds.COMMENT} WHERE {where.replace('s.visibility', 'c.visibility')} ORDER BY c.id DESC LIMIT 100"
    comments = visit.all(sql, *values)
    return visit.page(
        "trash.html", submissions=submissions, comments=comments, flairs=feeds.flairs(visit, submissions), **context
    )
