"""Moderation of submissions and comments: delete with a reason, restore, lock, pin, flair; and the log."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.request_values import whole_number
from longtrail.web.sites.forum.comments import comment_row
from longtrail.web.sites.forum.submissions import frame, submission_row
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url

MAX_FLAIRS = 3
MAX_FLAIR = 30
MAX_REASON = 300


def log(visit: ForumVisit, action: str, forum: str, user: str, **details: object) -> None:
    """Write a line into the log. Deleting, restoring, locking and banning are logged; flairs and pins are not."""
    references = {name: details.get(name) for name in ("submission", "comment", "expires")}
    visit.run(
        "INSERT INTO log (forum, action, moderator, user, submission, comment, reason, expires, created) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(forum, action, MODERATOR, user, references["submission"], references["comment"], details.get("reason", "")),
        *(references["expires"], visit.now),
    )


def reason_fault(reason: str) -> list[str]:
    """The error message for an invalid reason; empty if it is valid."""
    return [] if 0 < len(reason) <= MAX_REASON else ["Reason: this must have 1 to 300 characters."]


async def delete_submission(visit: ForumVisit) -> Response:
    """The form that deletes somebody's submission, and the deletion."""
    row = submission_row(visit)
    errors: list[str] = []
    if visit.request.method == "POST":
        reason = (await visit.form("delete_reason")).get("delete_reason[reason]", "")
        errors = reason_fault(reason)
        if not errors:
            visit.run("UPDATE submission SET visibility = 'trashed' WHERE id = ?", row["id"])
            log(visit, "submission_deletion", row["forum"], row["user"], submission=row["id"], reason=reason)
            return visit.redirect(f"/f/{row['forum']}", "The submission was deleted.")
    return visit.page("delete.html", comment=None, thread=False, errors=errors, **frame(visit, row))


async def restore_submission(visit: ForumVisit) -> Response:
    row = submission_row(visit)
    await visit.form("restore")
    visit.run("UPDATE submission SET visibility = 'visible' WHERE id = ?", row["id"])
    log(visit, "submission_restored", row["forum"], row["user"], submission=row["id"])
    return visit.redirect(submission_url(row), "The submission was restored.")


async def delete_own_submission(visit: ForumVisit) -> Response:
    """Delete the user's own submission."""
    row = submission_row(visit)
    await visit.form("delete_own")
    if row["user"] != MODERATOR:
        raise HTTPException(403)
    visit.run("UPDATE submission SET visibility = 'deleted' WHERE id = ?", row["id"])
    return visit.redirect(f"/f/{row['forum']}", "The submission was deleted.")


async def lock(visit: ForumVisit) -> Response:
    """Lock or unlock, by the last part of the path."""
    row = submission_row(visit)
    await visit.form("lock")
    locked = visit.path.endswith("/lock")
    if bool(row["locked"]) != locked:
        visit.run("UPDATE submission SET locked = ? WHERE id = ?", int(locked), row["id"])
        action = "submission_lock" if locked else "submission_unlock"
        log(visit, action, row["forum"], row["user"], submission=row["id"])
    done = "The submission was locked." if locked else "The submission was unlocked."
    return visit.redirect(visit.back(submission_url(row)), done)


async def pin(visit: ForumVisit) -> Response:
    """Pin or unpin, by the last part of the path. Not logged."""
    row = submission_row(visit)
    await visit.form("pin")
    pinned = visit.path.endswith("/pin")
    visit.run("UPDATE submission SET pinned = ? WHERE id = ?", int(pinned), row["id"])
    done = "The submission was pinned." if pinned else "The submission was unpinned."
    return visit.redirect(visit.back(submission_url(row)), done)


async def flair(visit: ForumVisit) -> Response:
    """The form that adds a flair to a submission, which can have three. Not logged."""
    row = submission_row(visit)
    have = visit.one("SELECT count(*) AS n FROM flair WHERE submission = ?", row["id"])["n"]
    errors: list[str] = []
    if visit.request.method == "POST":
        text = (await visit.form("custom_text_flair")).get("custom_text_flair[text]", "")
        if have >= MAX_FLAIRS:
            errors.append("A submission can have three flairs at most.")
        if not 0 < len(text) <= MAX_FLAIR:
            errors.append("Text: this must have 1 to 30 characters.")
        if not errors:
            visit.run("INSERT INTO flair (submission, text) VALUES (?, ?)", row["id"], text)
            return visit.redirect(submission_url(row))
    return visit.page("flair.html", errors=errors, full=have >= MAX_FLAIRS, **frame(visit, row))


async def remove_flairs(visit: ForumVisit) -> Response:
    """Remove flairs: the one whose id was sent, or all."""
    row = submission_row(visit)
    chosen = (await visit.form("flair")).get("id", "")
    only, values = (" AND id = ?", (whole_number(chosen),)) if chosen else ("", ())
    visit.run(f"DELETE FROM flair WHERE submission = ?{only}", row["id"], *values)  # noqa: S608 (a fixed clause)
    return visit.redirect(visit.back(submission_url(row)))


async def delete_comment(visit: ForumVisit) -> Response:
    """The form that deletes somebody's comment (`delete_thread`: with all replies), and the deletion."""
    row, comment = submission_row(visit), comment_row(visit)
    thread = visit.path.endswith("delete_thread")
    errors: list[str] = []
    if visit.request.method == "POST":
        reason = (await visit.form("delete_reason")).get("delete_reason[reason]", "")
        errors = reason_fault(reason)
        if not errors:
            for number, user in (
                _below(visit, comment["id"], comment["user"]) if thread else [(comment["id"], comment["user"])]
            ):
                visit.run("UPDATE comment SET visibility = 'trashed' WHERE id = ?", number)
                log(visit, "comment_deletion", row["forum"], user, submission=row["id"], comment=number, reason=reason)
            return visit.redirect(submission_url(row), "The comment was deleted.")
    return visit.page("delete.html", comment=comment, thread=thread, errors=errors, **frame(visit, row))


def _below(visit: ForumVisit, number: int, user: str) -> list[tuple[int, str]]:
    """A comment and every visible reply below it."""
    comments = [(number, user)]
    for reply in visit.all("SELECT id, user FROM comment WHERE parent = ? AND visibility = 'visible'", number):
        comments += _below(visit, reply["id"], reply["user"])
    return comments


async def restore_comment(visit: ForumVisit) -> Response:
    row, comment = submission_row(visit), comment_row(visit)
    await visit.form("restore")
    visit.run("UPDATE comment SET visibility = 'visible' WHERE id = ?", comment["id"])
    log(visit, "comment_restored", row["forum"], comment["user"], submission=row["id"], comment=comment["id"])
    return visit.redirect(submission_url(row), "The comment was restored.")


async def purge(visit: ForumVisit) -> Response:
    """Remove the content of something deleted: title, text and address are lost permanently, the entry stays."""
    row = submission_row(visit)
    await visit.form("purge")
    if "cid" in visit.request.path_params:
        comment = comment_row(visit)
        visit.run("UPDATE comment SET body = '', visibility = 'deleted' WHERE id = ?", comment["id"])
        return visit.redirect(submission_url(row), "The comment was purged.")
    visit.run("UPDATE submission SET body = '', url = '', image = '', visibility = 'deleted' WHERE id = ?", row["id"])
    return visit.redirect(f"/f/{row['forum']}", "The submission was purged.")
