"""Users: a member's overview, submissions and comments (three pages), biography, messages, blocking; the inbox of a
shift."""

import sqlite3
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.shift_inbox import open_message
from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.feeds import PER_PAGE, Feed, Where
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit

MAX_BIOGRAPHY = 10_000


def user_row(visit: ForumVisit) -> sqlite3.Row:
    """The member named in the path, ignoring case."""
    return visit.one("SELECT * FROM user WHERE name = ?", visit.at("user"))


def frame(visit: ForumVisit, user: sqlite3.Row) -> dict[str, Any]:
    """The data of the sidebar of a member's pages."""
    forums = visit.all("SELECT forum FROM moderator WHERE user = ? ORDER BY forum", user["name"])
    blocked = visit.maybe("SELECT 1 FROM block WHERE kind = 'user' AND name = ?", user["name"])
    archived = visit.maybe("SELECT 1 FROM archive WHERE user = ? LIMIT 1", user["name"])
    shown = {"user": user, "moderates": [row["forum"] for row in forums]}
    return {**shown, "blocked": blocked is not None, "archived": archived is not None}


async def overview(visit: ForumVisit) -> Response:
    """The newest 25 submissions and comments of a member, mixed; older ones are on the other two pages."""
    user = user_row(visit)
    submissions = feeds.submissions(visit, feeds.by(user["name"]), "new").rows
    comments = feeds.comments(visit, Where("c.user = ?", (user["name"],))).rows
    mixed = [("submission", row) for row in submissions] + [("comment", row) for row in comments]
    mixed.sort(key=lambda item: (-item[1]["created"], item[0]))
    flairs = feeds.flairs(visit, submissions)
    return visit.page("user.html", tab="overview", mixed=mixed[:PER_PAGE], flairs=flairs, **frame(visit, user))


async def submissions(visit: ForumVisit) -> Response:
    """A member's submissions, newest first."""
    user = user_row(visit)
    feed = feeds.submissions(visit, feeds.by(user["name"]), "new")
    flairs = feeds.flairs(visit, feed.rows)
    return visit.page("user.html", tab="submissions", feed=feed, flairs=flairs, **frame(visit, user))


async def comments(visit: ForumVisit) -> Response:
    """A member's comments, newest first."""
    user = user_row(visit)
    feed: Feed = feeds.comments(visit, Where("c.user = ?", (user["name"],)))
    return visit.page("user.html", tab="comments", feed=feed, **frame(visit, user))


async def short(visit: ForumVisit) -> Response:
    """`/u/name` leads to `/user/name`."""
    return visit.redirect(f"/user/{visit.at('user')}", status=301)


async def compose(visit: ForumVisit) -> Response:
    """Write a message to a member; it starts a thread."""
    user = user_row(visit)
    body, errors = "", []
    if visit.request.method == "POST":
        body = (await visit.form("message")).get("message[body]", "")
        if body:
            return visit.redirect(f"/messages/thread/{_send(visit, user['name'], body)}", "The message was sent.")
        errors.append("Message: this must not be empty.")
    return visit.page("compose.html", body=body, errors=errors, **frame(visit, user))


def _send(visit: ForumVisit, receiver: str, body: str, thread: int | None = None) -> int:
    """Store a message and return the id of its thread."""
    sql = "INSERT INTO message (thread, sender, receiver, body, created) VALUES (?, ?, ?, ?, ?)"
    number = visit.run(sql, thread or 0, MODERATOR, receiver, body, visit.now)
    if thread is None:
        visit.run("UPDATE message SET thread = ? WHERE id = ?", number, number)
    return thread or number


async def messages(visit: ForumVisit) -> Response:
    """The signed-in member's threads, latest first."""
    sql = """SELECT f.*, l.created AS latest FROM message f JOIN (SELECT thread, max(created) AS created, max(id) AS id
      FROM message GROUP BY thread) l ON l.thread = f.id ORDER BY l.created DESC, l.id DESC"""
    return visit.page("messages.html", threads=visit.all(sql))


async def thread(visit: ForumVisit) -> Response:
    """One thread of messages, and the form that answers."""
    number = visit.number("id")
    rows = visit.all("SELECT * FROM message WHERE thread = ? ORDER BY id", number)
    if not rows:
        raise HTTPException(404)
    other = rows[0]["receiver"] if rows[0]["sender"] == MODERATOR else rows[0]["sender"]
    if visit.request.method == "POST":
        body = (await visit.form("message")).get("message[body]", "")
        if body:
            _send(visit, other, body, number)
        return visit.redirect(f"/messages/thread/{number}", "The message was sent." if body else "")
    return visit.page("thread.html", messages=rows, other=other, number=number)


async def notifications(visit: ForumVisit) -> Response:
    """Received messages, newest first."""
    rows = visit.all("SELECT * FROM message WHERE receiver = ? ORDER BY created DESC, id DESC", MODERATOR)
    return visit.page("notifications.html", messages=rows)


async def block(visit: ForumVisit) -> Response:
    """Block or unblock a member, by the last part of the path."""
    user = user_row(visit)
    await visit.form("block")
    if visit.path.endswith("unblock_user"):
        visit.run("DELETE FROM block WHERE kind = 'user' AND name = ?", user["name"])
        return visit.redirect(f"/user/{user['name']}", "The user was unblocked.")
    visit.run("INSERT OR IGNORE INTO block (kind, name) VALUES ('user', ?)", user["name"])
    return visit.redirect(f"/user/{user['name']}", "The user was blocked.")


async def block_list(visit: ForumVisit) -> Response:
    """The members that the signed-in member blocks."""
    return visit.page("block_list.html", people=visit.all("SELECT name FROM block WHERE kind = 'user' ORDER BY name"))


async def edit_biography(visit: ForumVisit) -> Response:
    """Change the signed-in member's biography."""
    user = user_row(visit)
    if user["name"] != MODERATOR:
        raise HTTPException(403)
    if visit.request.method == "POST":
        text = (await visit.form("user_biography")).get("user_biography[biography]", "")[:MAX_BIOGRAPHY]
        visit.run("UPDATE user SET biography = ? WHERE id = ?", text, user["id"])
        return visit.redirect(f"/user/{user['name']}", "Your biography was updated.")
    return visit.page("edit_biography.html", **frame(visit, user))


async def inbox(visit: ForumVisit) -> Response:
    """Open reports and new mails, in the order in which they came in."""
    rows = visit.all("SELECT * FROM inbox_message WHERE status = 'open' ORDER BY id")
    return visit.page("inbox.html", heading="Inbox", rows=rows, other="Archive", other_address="/inbox/archive")


async def archive(visit: ForumVisit) -> Response:
    """Decided reports and old mails, the newest first."""
    rows = visit.all("SELECT * FROM inbox_message WHERE status IN ('closed', 'archived') ORDER BY id DESC")
    return visit.page("inbox.html", heading="Archive", rows=rows, other="Inbox", other_address="/inbox")


async def message(visit: ForumVisit) -> Response:
    """One message that has come in."""
    row = visit.one("SELECT * FROM inbox_message WHERE id = ? AND status != 'waiting'", visit.number("id"))
    open_message(visit.db, row["id"])
    return visit.page("inbox_message.html", row=row)
