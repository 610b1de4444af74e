"""Moderation: forms that delete with a reason, ban, add moderators and flairs."""

from datetime import UTC, datetime

from starlette.responses import Response

from longtrail.web.request_values import whole_number
from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.pages import find, log
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url

MAX_REASON = 300
MAX_FLAIRS, MAX_FLAIR = 3, 30


def _wrong_reason(reason: str) -> list[str]:
    return [] if 0 < len(reason) <= MAX_REASON else ["Reason: this must have 1 to 300 characters."]


async def add_moderator(visit: ForumVisit) -> Response:
    """Make a member a moderator of this forum."""
    found = find(visit, "forum")
    fields = await visit.fields("moderator", user="")
    errors: list[str] = []
    if visit.posted:
        user = visit.maybe("SELECT name FROM user WHERE name = :name", name=fields["user"])
        if user is not None:
            visit.run(
                "INSERT OR IGNORE INTO moderator (forum, user, created) VALUES (:forum_name, :name, :now)",
                name=user["name"],
            )
            return visit.redirect(f"/f/{found['forum']['name']}/moderators", "The moderator was added.")
        errors.append("User: there is no such user.")
    return visit.page("add_moderator.html", typed=fields["user"], errors=errors, **found)


async def ban(visit: ForumVisit) -> Response:
    """The form that bans (`/ban/`) or unbans (`/unban/`) a member."""
    found = find(visit, "forum")
    user = visit.one("SELECT name FROM user WHERE name = :user")["name"]
    forum, kind = found["forum"]["name"], "unban" if "/unban/" in visit.path else "ban"
    date, time = "expires][date", "expires][time"
    fields = await visit.fields(f"forum_{kind}", **{"reason": "", date: "", time: ""})
    errors: list[str] = []
    if visit.posted:
        expires, faults = _expiry(fields[date], fields[time], visit.now)
        errors = _wrong_reason(fields["reason"]) + faults
        if kind == "ban" and user == MODERATOR:
            errors.append("You can't ban yourself.")
        if not errors:
            about = {"forum": forum, "user": user, "reason": fields["reason"], "expires": expires}
            visit.insert("ban", kind=kind, moderator=MODERATOR, created=visit.now, **about)
            log(visit, kind, **about)
            return visit.redirect(f"/f/{forum}/bans", f"The user was {kind}ned.")
    return visit.page("ban.html", user=user, kind=kind, fields=fields, errors=errors, **found)


def _expiry(date: str, time: str, now: int) -> tuple[int | None, list[str]]:
    """The end of the ban, and an error message if it is invalid; no date: never."""
    if not date:
        return None, []
    try:
        end = int(datetime.fromisoformat(f"{date}T{time or '00:00'}").replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None, ["Expires: this is not a date and time."]
    return (end, []) if end > now else (None, ["Expires: this must be in the future."])


async def delete_submission(visit: ForumVisit) -> Response:
    """The form that deletes somebody's submission."""
    found = find(visit, "submission")
    row, reason = found["submission"], (await visit.fields("delete_reason", reason=""))["reason"]
    errors = _wrong_reason(reason) if visit.posted else []
    if visit.posted and not errors:
        visit.run("UPDATE submission SET visibility = 'trashed' WHERE id = :id")
        log(visit, "submission_deletion", row["forum"], row["user"], submission=row["id"], reason=reason)
        return visit.redirect(f"/f/{row['forum']}", "The submission was deleted.")
    return visit.page("delete.html", comment=None, thread=False, errors=errors, **found)


async def delete_comment(visit: ForumVisit) -> Response:
    """The form that deletes somebody's comment (`delete_thread`: with all visible replies)."""
    found = find(visit, "comment")
    row, reason = found["submission"], (await visit.fields("delete_reason", reason=""))["reason"]
    thread = visit.path.endswith("delete_thread")
    errors = _wrong_reason(reason) if visit.posted else []
    if visit.posted and not errors:
        below = (
            "WITH RECURSIVE below (id, user, level) AS (SELECT id, user, 0 FROM comment WHERE id = :cid"
            " UNION ALL SELECT c.id, c.user, level + 1 FROM comment c JOIN below b ON c.parent = b.id"
            " WHERE :thread AND c.visibility = 'visible' ORDER BY 3 DESC, 1) SELECT * FROM below"
        )
        for comment in visit.all(below, thread=thread):
            visit.run("UPDATE comment SET visibility = 'trashed' WHERE id = :comment", comment=comment["id"])
            about = {"submission": row["id"], "comment": comment["id"], "reason": reason}
            log(visit, "comment_deletion", row["forum"], comment["user"], **about)
        return visit.redirect(submission_url(row), "The comment was deleted.")
    return visit.page("delete.html", thread=thread, errors=errors, **found)


async def add_flair(visit: ForumVisit) -> Response:
    """The form that adds a flair to a submission, which can have three. Not logged."""
    found = find(visit, "submission")
    row, text = found["submission"], (await visit.fields("custom_text_flair", text=""))["text"]
    flairs = feeds.flairs(visit, [row])
    full = len(flairs[row["id"]]) >= MAX_FLAIRS
    errors: list[str] = []
    if visit.posted:
        if full:
            errors.append("A submission can have three flairs at most.")
        if not 0 < len(text) <= MAX_FLAIR:
            errors.append("Text: this must have 1 to 30 characters.")
        if not errors:
            visit.insert("flair", submission=row["id"], text=text)
            return visit.redirect(submission_url(row))
    return visit.page("flair.html", errors=errors, full=full, flairs=flairs, **found)


async def remove_flairs(visit: ForumVisit) -> Response:
    """Remove flairs: the one whose id was sent, or all."""
    row = find(visit, "submission")["submission"]
    chosen = (await visit.fields("flair")).get("id", "")
    visit.run("DELETE FROM flair WHERE submission = :id AND :flair IN (id, '')", flair=chosen and whole_number(chosen))
    return visit.redirect(visit.back(submission_url(row)))
