"""Forums: the list of all of them, one forum's submissions and comments, subscribing, founding and editing one."""

import sqlite3
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from longtrail.web.sites.forum import feeds, names
from longtrail.web.sites.forum.feeds import RECENT, Where
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit

ORDERS = {
    "by_name": "f.name COLLATE NOCASE",
    "by_title": "f.title COLLATE NOCASE",
    "by_submissions": "submissions DESC, f.name",
    "by_subscribers": "subscribers DESC, f.name",
    "by_creation_date": "f.created DESC, f.name",
}
LIST = """
    SELECT f.*, f.subscribers + (SELECT count(*) FROM subscription x WHERE x.forum = f.name) AS members,
      (SELECT count(*) FROM submission s WHERE s.forum = f.name AND s.visibility = 'visible') AS submissions,
      (SELECT count(*) FROM subscription x WHERE x.forum = f.name) AS subscribed
    FROM forum f
"""


def forum_row(visit: ForumVisit) -> sqlite3.Row:
    """The forum named in the path, ignoring case. 404 if there is none."""
    return visit.one(f"{LIST} WHERE f.name = ?", visit.at("forum"))


def sidebar(visit: ForumVisit, forum: sqlite3.Row) -> dict[str, Any]:
    """The data of the sidebar of a forum's pages."""
    moderators = visit.all("SELECT user FROM moderator WHERE forum = ? ORDER BY created, id LIMIT 6", forum["name"])
    hidden = visit.maybe("SELECT 1 FROM block WHERE kind = 'forum' AND name = ?", forum["name"])
    return {"forum": forum, "moderators": [row["user"] for row in moderators], "hidden": hidden is not None}


async def forum_list(visit: ForumVisit) -> Response:
    """All forums in an order, 25 per page."""
    order = str(visit.request.path_params.get("order", "by_submissions"))
    number = int(visit.request.path_params.get("page", 1))
    if order not in ORDERS or number < 1:
        raise HTTPException(404)
    rows = visit.all(f"{LIST} ORDER BY {ORDERS[order]} LIMIT ? OFFSET ?", feeds.PER_PAGE, (number - 1) * feeds.PER_PAGE)
    total = visit.one("SELECT count(*) AS n FROM forum")["n"]
    if not rows:
        raise HTTPException(404)
    last = -(-total // feeds.PER_PAGE)
    return visit.page("forums.html", forums=rows, order=order, orders=ORDERS, number=number, last=last)


async def forum_names(visit: ForumVisit) -> Response:
    """`/forums/all`: every forum's name on one page."""
    return visit.page("forum_names.html", forums=visit.all("SELECT name, title FROM forum ORDER BY name"))


async def forum(visit: ForumVisit) -> Response:
    """A forum's submissions; `/f/a+b` combines several forums."""
    if "+" in visit.at("forum"):
        return _several(visit)
    row = forum_row(visit)
    sort = str(visit.request.path_params.get("sort", "hot"))
    where = Where("s.forum = ?", (row["name"],))
    pinned: list[sqlite3.Row] = []
    if sort == "hot":
        where &= Where("s.pinned = 0")
        if not visit.query("next[id]"):
            sql = (
                f"{feeds.SUBMISSION} WHERE s.forum = ? AND s.pinned = 1 AND s.visibility = 'visible' ORDER BY s.id DESC"
            )
            pinned = visit.all(sql, row["name"])
    feed = feeds.submissions(visit, where, sort)
    return visit.page(
        "forum.html",
        feed=feeds.Feed([*pinned, *feed.rows], feed.more),
        flairs=feeds.flairs(visit, [*pinned, *feed.rows]),
        sort=sort,
        sorts=feeds.SORTS,
        period=visit.query("t", "all"),
        periods=feeds.PERIODS,
        prefix=f"/f/{row['name']}",
        **sidebar(visit, row),
    )


def _several(visit: ForumVisit) -> Response:
    names = [name for name in visit.at("forum").split("+") if name]
    rows = [visit.maybe("SELECT * FROM forum WHERE name = ?", name) for name in names]
    forums = [row for row in rows if row is not None]
    if not forums:
        raise HTTPException(404)
    feed = feeds.submissions(
        visit,
        feeds.in_forums([row["name"] for row in forums]),
        str(visit.request.path_params.get("sort", "hot")),
    )
    return visit.page("tag.html", tag="", forums=forums, feed=feed, flairs=feeds.flairs(visit, feed.rows))


async def forum_comments(visit: ForumVisit) -> Response:
    """The comments in this forum in the last two days."""
    row = forum_row(visit)
    feed = feeds.comments(visit, Where("s.forum = ? AND c.created >= ?", (row["name"], visit.now - RECENT)))
    return visit.page("forum_comments.html", feed=feed, **sidebar(visit, row))


async def subscribe(visit: ForumVisit) -> Response:
    """Subscribe to or unsubscribe from a forum, by the last part of the path."""
    row = forum_row(visit)
    await visit.form("subscribe")
    leave = visit.path.removesuffix(".json").endswith("unsubscribe")
    if leave:
        visit.run("DELETE FROM subscription WHERE forum = ?", row["name"])
    else:
        visit.run("INSERT OR IGNORE INTO subscription (forum) VALUES (?)", row["name"])
    if visit.path.endswith(".json"):
        return JSONResponse({"subscribed": not leave})
    return visit.redirect(visit.back(f"/f/{row['name']}"))


async def hide(visit: ForumVisit) -> Response:
    """Hide a forum from the front page, or show it again."""
    row = forum_row(visit)
    await visit.form("hide")
    if visit.path.endswith("unhide"):
        visit.run("DELETE FROM block WHERE kind = 'forum' AND name = ?", row["name"])
    else:
        visit.run("INSERT OR IGNORE INTO block (kind, name) VALUES ('forum', ?)", row["name"])
    return visit.redirect(visit.back(f"/f/{row['name']}"))


async def create(visit: ForumVisit) -> Response:
    """Found a forum."""
    fields, errors = {"forum[name]": "", "forum[title]": "", "forum[description]": "", "forum[sidebar]": ""}, []
    if visit.request.method == "POST":
        fields |= await visit.form("forum")
        name = fields["forum[name]"]
        if not names.FORUM.match(name):
            errors.append("Name: 3 to 25 letters, digits or underscores.")
        elif visit.maybe("SELECT 1 FROM forum WHERE name = ?", name):
            errors.append("Name: this forum exists already.")
        errors += [
            f"{field.capitalize()}: this must not be empty."
            for field in ("title", "description", "sidebar")
            if not fields[f"forum[{field}]"]
        ]
        if not errors:
            values = (name, fields["forum[title]"], fields["forum[description]"], fields["forum[sidebar]"], visit.now)
            visit.run("INSERT INTO forum (name, title, description, sidebar, created) VALUES (?, ?, ?, ?, ?)", *values)
            visit.run("INSERT INTO moderator (forum, user, created) VALUES (?, ?, ?)", name, MODERATOR, visit.now)
            return visit.redirect(f"/f/{name}")
    return visit.page("forum_form.html", fields=fields, errors=errors, forum=None)


async def edit(visit: ForumVisit) -> Response:
    """Change a forum's title, description and sidebar."""
    row = forum_row(visit)
    fields = {f"forum[{field}]": row[field] for field in ("name", "title", "description", "sidebar", "tags")}
    if visit.request.method == "POST":
        fields |= await visit.form("forum")
        visit.run(
            "UPDATE forum SET title = ?, description = ?, sidebar = ?, tags = ? WHERE name = ?",
            *(fields[f"forum[{field}]"] for field in ("title", "description", "sidebar", "tags")),
            row["name"],
        )
        return visit.redirect(f"/f/{row['name']}", "The forum was updated.")
    return visit.page("forum_form.html", fields=fields, errors=[], forum=row)
