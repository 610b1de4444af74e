"""Submissions: their pages, submitting and editing one, votes, images, and the short addresses that lead to them."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from longtrail.paths import WORLDS
from longtrail.records.grouping import grouped
from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.feeds import COMMENT
from longtrail.web.sites.forum.forums import forum_row, sidebar
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url


@dataclass(slots=True)
class CommentNode:
    """A comment and its replies; `level` counts from 0. A trashed comment stays as a placeholder if it has replies."""

    row: sqlite3.Row
    level: int
    replies: list["CommentNode"] = field(default_factory=list)


def comments_of(visit: ForumVisit, submission: int) -> list[sqlite3.Row]:
    """All comments of a submission, trashed ones included, oldest first."""
    return visit.all(f"{COMMENT} WHERE c.submission = ? ORDER BY c.created, c.id", submission)


def tree(rows: Sequence[sqlite3.Row]) -> list[CommentNode]:
    """All comments as nested nodes, best first, without branches that have no visible comment."""
    return _below(grouped(rows, itemgetter("parent")), None, 0)


def branch(rows: Sequence[sqlite3.Row], top: int) -> list[CommentNode]:
    """One comment with all replies below it."""
    children = grouped(rows, itemgetter("parent"))
    return [CommentNode(row, 0, _below(children, top, 1)) for row in rows if row["id"] == top]


def _below(children: dict[int | None, list[sqlite3.Row]], root: int | None, level: int) -> list[CommentNode]:
    comments = []
    for row in sorted(children.get(root, ()), key=lambda row: (-row["score"], row["id"])):
        node = CommentNode(row, level, _below(children, row["id"], level + 1))
        if row["visibility"] == "visible" or node.replies:
            comments.append(node)
    return comments


def line(rows: Sequence[sqlite3.Row]) -> list[CommentNode]:
    """The visible comments one after another, oldest first."""
    return [CommentNode(row, 0) for row in rows if row["visibility"] == "visible"]


MAX_TITLE = 300
WEB = re.compile(r"^https?://[^\s/]+(/\S*)?$")


def submission_row(visit: ForumVisit) -> sqlite3.Row:
    """The submission named in the path; it must be in the path's forum. 404 if there is none."""
    row = visit.one(f"{feeds.SUBMISSION} WHERE s.id = ?", visit.number("id"))
    if row["forum"].lower() != visit.at("forum").lower() or row["visibility"] == "deleted":
        raise HTTPException(404)
    return row


def frame(visit: ForumVisit, row: sqlite3.Row) -> dict[str, Any]:
    """The data that all pages of a submission share."""
    listed = visit.maybe("SELECT 1 FROM ballot WHERE submission = ? LIMIT 1", row["id"]) is not None
    shown = {"submission": row, "flairs": feeds.flairs(visit, [row]), "listed_votes": listed}
    return {**shown, **sidebar(visit, forum_row(visit))}


async def submission(visit: ForumVisit) -> Response:
    """A submission with its comments, nested (best first) or linear (oldest first). The slug does not matter."""
    row = submission_row(visit)
    view = str(visit.request.path_params.get("view", "nested"))
    rows = comments_of(visit, row["id"])
    nodes = line(rows) if view == "linear" else tree(rows)
    return visit.page("submission.html", nodes=nodes, view=view, top=None, **frame(visit, row))


async def as_json(visit: ForumVisit) -> Response:
    """A submission's data."""
    row = submission_row(visit)
    fields = ("id", "title", "url", "body", "forum", "user", "score", "up", "down", "comments")
    return JSONResponse({name: row[name] for name in fields} | {"locked": bool(row["locked"])})


async def short(visit: ForumVisit) -> Response:
    """`/123` leads to the submission."""
    return visit.redirect(submission_url(visit.one("SELECT * FROM submission WHERE id = ?", visit.number("id"))))


async def submit(visit: ForumVisit) -> Response:
    """Submit a text or a link; the forum may be given in the path."""
    chosen = str(visit.request.path_params.get("forum", ""))
    fields = {"submission[title]": "", "submission[url]": "", "submission[body]": "", "submission[forum]": chosen}
    errors: list[str] = []
    if visit.request.method == "POST":
        fields |= await visit.form("submission")
        errors = _faults(visit, fields)
        if not errors:
            values = [fields[f"submission[{name}]"] for name in ("title", "url", "body", "forum")]
            forum = visit.one("SELECT name FROM forum WHERE name = ?", values[3])["name"]
            number = visit.run(
                "INSERT INTO submission (forum, user, title, url, body, created) VALUES (?, ?, ?, ?, ?, ?)",
                *(forum, MODERATOR, values[0], values[1], values[2], visit.now),
            )
            return visit.redirect(submission_url({"forum": forum, "id": number, "title": values[0]}))
    forums = visit.all("SELECT name FROM forum ORDER BY name")
    return visit.page("submit.html", fields=fields, errors=errors, forums=[row["name"] for row in forums])


def _faults(visit: ForumVisit, fields: dict[str, str]) -> list[str]:
    errors = []
    title, url, forum = (fields[f"submission[{name}]"] for name in ("title", "url", "forum"))
    if not 0 < len(title) <= MAX_TITLE:
        errors.append("Title: this must have 1 to 300 characters.")
    if url and not WEB.match(url):
        errors.append("URL: this is not a valid address.")
    if not visit.maybe("SELECT 1 FROM forum WHERE name = ?", forum):
        errors.append("Forum: choose one of the list.")
    return errors


async def edit(visit: ForumVisit) -> Response:
    """Change the user's own submission."""
    row = submission_row(visit)
    if row["user"] != MODERATOR:
        raise HTTPException(403)
    fields = {"submission[title]": row["title"], "submission[url]": row["url"], "submission[body]": row["body"]}
    errors: list[str] = []
    if visit.request.method == "POST":
        fields |= await visit.form("submission")
        title, url, body = (fields[f"submission[{name}]"] for name in ("title", "url", "body"))
        errors = [] if 0 < len(title) <= MAX_TITLE else ["Title: this must have 1 to 300 characters."]
        if not errors:
            sql = "UPDATE submission SET title = ?, url = ?, body = ?, edited = ? WHERE id = ?"
            visit.run(sql, title, url, body, visit.now, row["id"])
            return visit.redirect(submission_url({**row, "title": title}), "The submission was edited.")
    return visit.page("submission_edit.html", fields=fields, errors=errors, **frame(visit, row))


async def vote(visit: ForumVisit) -> Response:
    """Vote a submission (`/sv/`) or a comment (`/cv/`) up or down; the same choice again, or 0, takes the vote back."""
    kind = "submission" if visit.path.startswith("/sv/") else "comment"
    number = visit.number("id")
    target = visit.one(f"SELECT * FROM {kind} WHERE id = ?", number)  # noqa: S608 (one of two tables)
    fields = await visit.form(f"{kind}_vote")
    choice = {"1": 1, "-1": -1}.get(fields.get("choice", ""), 0)
    visit.run("DELETE FROM vote WHERE kind = ? AND target = ?", kind, number)
    if choice:
        visit.run("INSERT INTO vote (kind, target, choice) VALUES (?, ?, ?)", kind, number, choice)
    if visit.path.endswith(".json"):
        return JSONResponse({"netScore": target["up"] - target["down"] + choice})
    return visit.redirect(visit.back("/"))


FOLDER = WORLDS / "forum" / "images"
"""The folder of the shipped pictures: `0f3a…c1.png`, 16 hex digits and the kind."""
REDRAWN = "redrawn"
"""The folder in it with the pictures of counterfactual twins, which have the names of their tasks' pictures."""
STYLE = Path(__file__).parent / "static" / "forum.css"
KINDS = {".jpg": "image/jpeg", ".png": "image/png"}
ZOOMS = (1, 2, 3)


async def picture(visit: ForumVisit) -> Response:
    """The file itself, if a submission shows it."""
    row = visit.one("SELECT * FROM submission WHERE image = ? AND visibility != 'deleted'", visit.at("file"))
    folder: Path = visit.request.app.state.images
    path = folder / (REDRAWN if row["redrawn"] else "") / row["image"]
    if path.suffix not in KINDS or not path.is_file():
        raise HTTPException(404)
    return Response(path.read_bytes(), media_type=KINDS[path.suffix])


async def picture_page(visit: ForumVisit) -> Response:
    """A page with only an image, in its original size or larger (`?zoom=2`)."""
    stem = visit.at("stem")
    names = [stem + kind for kind in KINDS]
    row = visit.one("SELECT * FROM submission WHERE image IN (?, ?) AND visibility != 'deleted'", *names)
    zoom = visit.query("zoom", "1")
    if zoom not in {str(step) for step in ZOOMS}:
        raise HTTPException(404)
    return visit.page("image.html", submission=row, stem=stem, zoom=int(zoom), zooms=ZOOMS)


async def style(_: ForumVisit) -> Response:
    """The style sheet."""
    return Response(STYLE.read_bytes(), media_type="text/css")
