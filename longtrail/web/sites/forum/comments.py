"""Comments: writing, answering and editing one, its permalink. Locked submissions refuse new comments."""

import sqlite3

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.forum.feeds import COMMENT
from longtrail.web.sites.forum.submissions import branch, comments_of, frame, submission_row
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url

MAX_LENGTH = 10_000
LOCKED = "The submission is locked. You cannot post new comments."


def comment_row(visit: ForumVisit) -> sqlite3.Row:
    """The comment that the path names; it must belong to the path's submission."""
    row = visit.one(f"{COMMENT} WHERE c.id = ?", visit.number("cid"))
    if row["submission"] != visit.number("id"):
        raise HTTPException(404)
    return row


def comment_url(submission: sqlite3.Row, number: int) -> str:
    """The permalink."""
    return f"{submission_url(submission)}/comment/{number}"


async def permalink(visit: ForumVisit) -> Response:
    """One comment and the replies to it, below the submission."""
    row, comment = submission_row(visit), comment_row(visit)
    nodes = branch(comments_of(visit, row["id"]), comment["id"])
    return visit.page("submission.html", nodes=nodes, view="nested", top=comment, **frame(visit, row))


async def moved(visit: ForumVisit) -> Response:
    """The old form of a permalink."""
    target = f"/f/{visit.at('forum')}/{visit.number('id')}/-/comment/{visit.number('cid')}"
    return visit.redirect(target, status=301)


async def reply_form(visit: ForumVisit) -> Response:
    """The form that answers a comment, on its own page."""
    row, comment = submission_row(visit), comment_row(visit)
    return visit.page("reply.html", comment=comment, errors=[], body="", **frame(visit, row))


async def post(visit: ForumVisit) -> Response:
    """Post a comment on a submission, or an answer to a comment. Refused on a locked submission."""
    row = submission_row(visit)
    parent = comment_row(visit) if "cid" in visit.request.path_params else None
    intent = f"reply_to_comment_{parent['id']}" if parent else f"reply_to_submission_{row['id']}"
    body = (await visit.form(intent)).get(f"{intent}[comment]", "")
    if row["locked"]:
        return visit.page("error.html", 403, title="Locked", text=LOCKED)
    if not 0 < len(body) <= MAX_LENGTH:
        text = "A comment must have 1 to 10,000 characters."
        return visit.page("error.html", 422, title="The comment was not posted", text=text)
    number = visit.run(
        "INSERT INTO comment (submission, parent, user, body, created) VALUES (?, ?, ?, ?, ?)",
        *(row["id"], parent["id"] if parent else None, MODERATOR, body, visit.now),
    )
    return visit.redirect(comment_url(row, number))


async def edit(visit: ForumVisit) -> Response:
    """Change the text of the user's own comment."""
    row, comment = submission_row(visit), comment_row(visit)
    if comment["user"] != MODERATOR:
        raise HTTPException(403)
    body = comment["body"]
    if visit.request.method == "POST":
        body = (await visit.form("comment")).get("comment[comment]", "")
        if 0 < len(body) <= MAX_LENGTH:
            visit.run("UPDATE comment SET body = ?, edited = ? WHERE id = ?", body, visit.now, comment["id"])
            return visit.redirect(comment_url(row, comment["id"]), "The comment was edited.")
    return visit.page("comment_edit.html", comment=comment, body=body, **frame(visit, row))


async def delete_own(visit: ForumVisit) -> Response:
    """Delete the user's own comment."""
    row, comment = submission_row(visit), comment_row(visit)
    await visit.form("delete_own")
    if comment["user"] != MODERATOR:
        raise HTTPException(403)
    visit.run("UPDATE comment SET visibility = 'deleted' WHERE id = ?", comment["id"])
    return visit.redirect(submission_url(row), "The comment was deleted.")
