"""Wiki: the site's shared pages with their history; reading, writing, locking them."""

import sqlite3

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.sites.forum import names
from longtrail.web.sites.forum.feeds import paged
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit

LATEST = """
    SELECT w.path, w.locked, r.id, r.user, r.title, r.body, r.created
    FROM wiki w JOIN wiki_revision r ON r.path = w.path
      AND r.id = (SELECT max(x.id) FROM wiki_revision x WHERE x.path = w.path)
"""


def wiki_row(visit: ForumVisit, path: str) -> sqlite3.Row:
    """The latest revision of a page, ignoring case. 404 if there is none."""
    return visit.one(f"{LATEST} WHERE w.path = ?", path.rstrip("/"))


async def article(visit: ForumVisit) -> Response:
    """A page. For a free path, an offer to create it, with status 404."""
    path = str(visit.request.path_params.get("path", "index")).rstrip("/")
    if not names.WIKI.match(path):
        raise HTTPException(404)
    row = visit.maybe(f"{LATEST} WHERE w.path = ?", path)
    if row is None:
        return visit.page("wiki_missing.html", 404, wanted=path)
    return visit.page("wiki.html", article=row)


async def short(visit: ForumVisit) -> Response:
    """`/w/path` leads to `/wiki/path`."""
    return visit.redirect(f"/wiki/{visit.at('path')}", status=301)


async def all_pages(visit: ForumVisit) -> Response:
    """Every page by its path."""
    return visit.page("wiki_all.html", **paged(visit, "articles", f"{LATEST} ORDER BY w.path"))


async def recent(visit: ForumVisit) -> Response:
    """The latest changes of all pages."""
    sql = "SELECT * FROM wiki_revision ORDER BY created DESC, id DESC"
    return visit.page("wiki_recent.html", **paged(visit, "revisions", sql))


async def history(visit: ForumVisit) -> Response:
    """Every revision of a page, newest first."""
    row = wiki_row(visit, visit.at("path"))
    revisions = visit.all("SELECT * FROM wiki_revision WHERE path = ? ORDER BY id DESC", row["path"])
    return visit.page("wiki_history.html", article=row, revisions=revisions)


async def revision(visit: ForumVisit) -> Response:
    """A page as it was after one change."""
    old = visit.one("SELECT * FROM wiki_revision WHERE id = ?", visit.number("id"))
    return visit.page("wiki_revision.html", article=wiki_row(visit, old["path"]), revision=old)


async def write(visit: ForumVisit) -> Response:
    """The form that creates or edits a page, and its action. Locked pages refuse edits."""
    creating = visit.path.startswith("/wiki/_create")
    path = str(visit.request.path_params.get("path", ""))
    row = None if creating else wiki_row(visit, path)
    fields = {"wiki[path]": path, "wiki[title]": row["title"] if row else "", "wiki[body]": row["body"] if row else ""}
    errors: list[str] = []
    if row is not None and row["locked"]:
        return visit.page("error.html", 403, title="Locked", text="This wiki page is locked.")
    if visit.request.method == "POST":
        fields |= await visit.form("wiki")
        errors = _faults(visit, fields, creating)
        if not errors:
            target = fields["wiki[path]"] if row is None else str(row["path"])
            if row is None:
                visit.run("INSERT INTO wiki (path) VALUES (?)", target)
            sql = "INSERT INTO wiki_revision (path, user, title, body, created) VALUES (?, ?, ?, ?, ?)"
            visit.run(sql, target, MODERATOR, fields["wiki[title]"], fields["wiki[body]"], visit.now)
            return visit.redirect(f"/wiki/{target}")
    return visit.page("wiki_form.html", fields=fields, errors=errors, creating=creating)


def _faults(visit: ForumVisit, fields: dict[str, str], creating: bool) -> list[str]:
    errors = [
        f"{name.capitalize()}: this must not be empty." for name in ("title", "body") if not fields[f"wiki[{name}]"]
    ]
    path = fields["wiki[path]"]
    if creating and not names.WIKI.match(path):
        errors.append("Path: letters, digits, hyphens and slashes, each part beginning with a letter.")
    elif creating and visit.maybe("SELECT 1 FROM wiki WHERE path = ?", path):
        errors.append("Path: this page exists already.")
    return errors


async def lock(visit: ForumVisit) -> Response:
    """Lock or unlock a page, by the path."""
    row = wiki_row(visit, visit.at("path"))
    await visit.form("wiki_lock")
    visit.run("UPDATE wiki SET locked = ? WHERE path = ?", int("/_lock/" in visit.path), row["path"])
    return visit.redirect(f"/wiki/{row['path']}")


async def delete(visit: ForumVisit) -> Response:
    """Delete a page with its history."""
    row = wiki_row(visit, visit.at("path"))
    await visit.form("wiki_delete")
    visit.run("DELETE FROM wiki WHERE path = ?", row["path"])
    visit.run("DELETE FROM wiki_revision WHERE path = ?", row["path"])
    return visit.redirect("/wiki", "The page was deleted.")
