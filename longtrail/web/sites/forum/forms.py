"""Forms: what members write: submissions, comments, messages, wiki pages, forums. Each shows its form, and carries out
what was sent unless something is wrong with it."""

import re

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from longtrail.web.sites.forum import names
from longtrail.web.sites.forum.pages import find
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url

MAX_TITLE = 300
MAX_TEXT = 10_000
"""Characters of a comment or a biography."""
WEB = re.compile(r"^https?://[^\s/]+(/\S*)?$")


def _empty(fields: dict[str, str], *required: str) -> list[str]:
    return [f"{name.capitalize()}: this must not be empty." for name in required if not fields[name]]


def _wrong_title(title: str) -> list[str]:
    return [] if 0 < len(title) <= MAX_TITLE else ["Title: this must have 1 to 300 characters."]


async def create_forum(visit: ForumVisit) -> Response:
    """Found a forum."""
    fields = await visit.fields("forum", name="", title="", description="", sidebar="")
    errors: list[str] = []
    if visit.posted:
        name = fields["name"]
        if not names.FORUM.match(name):
            errors.append("Name: 3 to 25 letters, digits or underscores.")
        elif visit.maybe("SELECT 1 FROM forum WHERE name = :name", name=name):
            errors.append("Name: this forum exists already.")
        texts = {field: fields[field] for field in ("title", "description", "sidebar")}
        errors += _empty(fields, *texts)
        if not errors:
            visit.insert("forum", name=name, created=visit.now, **texts)
            visit.insert("moderator", forum=name, user=MODERATOR, created=visit.now)
            return visit.redirect(f"/f/{name}")
    return visit.page("forum_form.html", fields=fields, errors=errors, forum=None)


async def edit_forum(visit: ForumVisit) -> Response:
    """Change a forum's title, description and sidebar."""
    row = find(visit, "forum")["forum"]
    texts = ("title", "description", "sidebar", "tags")
    fields = await visit.fields("forum", **{field: row[field] for field in texts})
    if visit.posted:
        visit.run(
            "UPDATE forum SET title = :title, description = :description, sidebar = :sidebar, tags = :tags"
            " WHERE name = :forum_name",
            **{field: fields[field] for field in texts},
        )
        return visit.redirect(f"/f/{row['name']}", "The forum was updated.")
    return visit.page("forum_form.html", fields=fields, errors=[], forum=row)


async def subscribe(visit: ForumVisit) -> Response:
    """Subscribe to or unsubscribe from a forum, by the last part of the path."""
    row = find(visit, "forum")["forum"]
    await visit.fields("subscribe")
    leave = visit.path.removesuffix(".json").endswith("unsubscribe")
    if leave:
        visit.run("DELETE FROM subscription WHERE forum = :forum_name")
    else:
        visit.run("INSERT OR IGNORE INTO subscription (forum) VALUES (:forum_name)")
    if visit.path.endswith(".json"):
        return JSONResponse({"subscribed": not leave})
    return visit.redirect(visit.back(f"/f/{row['name']}"))


async def submit(visit: ForumVisit) -> Response:
    """Submit a text or a link; the forum may be given in the path."""
    fields = await visit.fields("submission", title="", url="", body="", forum=visit.at("forum"))
    errors: list[str] = []
    if visit.posted:
        errors = _wrong_title(fields["title"])
        if fields["url"] and not WEB.match(fields["url"]):
            errors.append("URL: this is not a valid address.")
        forum = visit.maybe("SELECT name FROM forum WHERE name = :name", name=fields["forum"])
        if forum is None:
            errors.append("Forum: choose one of the list.")
        elif not errors:
            row = {"forum": forum["name"], **{name: fields[name] for name in ("title", "url", "body")}}
            number = visit.insert("submission", user=MODERATOR, created=visit.now, **row)
            return visit.redirect(submission_url({**row, "id": number}))
    forums = visit.all("SELECT name FROM forum ORDER BY name")
    return visit.page("submit.html", fields=fields, errors=errors, forums=forums)


async def edit_submission(visit: ForumVisit) -> Response:
    """Change the user's own submission."""
    found = find(visit, "submission")
    row = found["submission"]
    if row["user"] != MODERATOR:
        raise HTTPException(403)
    texts = ("title", "url", "body")
    fields = await visit.fields("submission", **{name: row[name] for name in texts})
    errors: list[str] = []
    if visit.posted:
        errors = _wrong_title(fields["title"])
        if not errors:
            sql = "UPDATE submission SET title = :title, url = :url, body = :body, edited = :now WHERE id = :id"
            visit.run(sql, **{name: fields[name] for name in texts})
            return visit.redirect(submission_url({**row, "title": fields["title"]}), "The submission was edited.")
    return visit.page("submission_edit.html", fields=fields, errors=errors, **found)


def _comment_url(submission: object, number: int) -> str:
    """A comment's permalink."""
    return f"{submission_url(submission)}/comment/{number}"


async def post_comment(visit: ForumVisit) -> Response:
    """Post a comment on a submission, or an answer to a comment. Refused on a locked submission."""
    found = find(visit, "comment" if "cid" in visit.values else "submission")
    row, parent = found["submission"], found.get("comment")
    intent = f"reply_to_comment_{parent['id']}" if parent else f"reply_to_submission_{row['id']}"
    body = (await visit.fields(intent)).get("comment", "")
    if row["locked"]:
        text = "The submission is locked. You cannot post new comments."
        return visit.page("error.html", 403, title="Locked", text=text)
    if not 0 < len(body) <= MAX_TEXT:
        text = "A comment must have 1 to 10,000 characters."
        return visit.page("error.html", 422, title="The comment was not posted", text=text)
    place = {"submission": row["id"], "parent": parent["id"] if parent else None}
    number = visit.insert("comment", user=MODERATOR, body=body, created=visit.now, **place)
    return visit.redirect(_comment_url(row, number))


async def edit_comment(visit: ForumVisit) -> Response:
    """Change the text of the user's own comment."""
    found = find(visit, "comment")
    row, comment = found["submission"], found["comment"]
    if comment["user"] != MODERATOR:
        raise HTTPException(403)
    body = (await visit.fields("comment", comment=comment["body"]))["comment"]
    if visit.posted and 0 < len(body) <= MAX_TEXT:
        visit.run("UPDATE comment SET body = :body, edited = :now WHERE id = :cid", body=body)
        return visit.redirect(_comment_url(row, comment["id"]), "The comment was edited.")
    return visit.page("comment_edit.html", body=body, **found)


async def compose(visit: ForumVisit) -> Response:
    """Write a message to a member; it starts a thread."""
    found = find(visit, "user")
    body = (await visit.fields("message", body=""))["body"]
    if visit.posted and body:
        number = _send(visit, found["user"]["name"], body, 0)
        visit.run("UPDATE message SET thread = id WHERE id = :message", message=number)
        return visit.redirect(f"/messages/thread/{number}", "The message was sent.")
    errors = ["Message: this must not be empty."] if visit.posted else []
    return visit.page("compose.html", body=body, errors=errors, **found)


def _send(visit: ForumVisit, receiver: str, body: str, thread: int) -> int:
    """Store a message and return its id."""
    return visit.insert("message", thread=thread, sender=MODERATOR, receiver=receiver, body=body, created=visit.now)


async def thread(visit: ForumVisit) -> Response:
    """One thread of messages, and the form that answers."""
    number = visit.values["id"]
    rows = visit.all("SELECT * FROM message WHERE thread = :id ORDER BY id")
    if not rows:
        raise HTTPException(404)
    other = rows[0]["receiver"] if rows[0]["sender"] == MODERATOR else rows[0]["sender"]
    if visit.posted:
        body = (await visit.fields("message", body=""))["body"]
        if body:
            _send(visit, other, body, number)
        return visit.redirect(f"/messages/thread/{number}", "The message was sent." if body else "")
    return visit.page("thread.html", messages=rows, other=other, number=number)


async def edit_biography(visit: ForumVisit) -> Response:
    """Change the signed-in member's biography."""
    found = find(visit, "user")
    user = found["user"]
    if user["name"] != MODERATOR:
        raise HTTPException(403)
    if visit.posted:
        text = (await visit.fields("user_biography", biography=""))["biography"][:MAX_TEXT]
        visit.run("UPDATE user SET biography = :text WHERE id = :user_id", text=text)
        return visit.redirect(f"/user/{user['name']}", "Your biography was updated.")
    return visit.page("edit_biography.html", **found)


async def write_article(visit: ForumVisit) -> Response:
    """The form that creates or edits a wiki page. Locked pages refuse edits."""
    creating = visit.path.startswith("/wiki/_create")
    row = None if creating else find(visit, "article")["article"]
    if row is not None and row["locked"]:
        return visit.page("error.html", 403, title="Locked", text="This wiki page is locked.")
    shown = {"path": row["path"], "title": row["title"], "body": row["body"]} if row else {"title": "", "body": ""}
    fields = await visit.fields("wiki", **{"path": visit.at("path"), **shown})
    errors: list[str] = []
    if visit.posted:
        errors = _empty(fields, "title", "body")
        path = fields["path"] if row is None else str(row["path"])
        if creating and not names.WIKI.match(path):
            errors.append("Path: letters, digits, hyphens and slashes, each part beginning with a letter.")
        elif creating and visit.maybe("SELECT 1 FROM wiki WHERE path = :path", path=path):
            errors.append("Path: this page exists already.")
        if not errors:
            if creating:
                visit.insert("wiki", path=path)
            texts = {name: fields[name] for name in ("title", "body")}
            visit.insert("wiki_revision", path=path, user=MODERATOR, created=visit.now, **texts)
            return visit.redirect(f"/wiki/{path}")
    return visit.page("wiki_form.html", fields=fields, errors=errors, creating=creating)
