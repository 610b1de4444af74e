"""Reading: pages that sort or mix what they show: front page, forums, search, submissions, members; pictures, votes."""

import sqlite3
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from longtrail.paths import WORLDS
from longtrail.records.grouping import grouped
from longtrail.web.sites.forum import feeds, names
from longtrail.web.sites.forum.pages import find
from longtrail.web.sites.forum.visit import ForumVisit, submission_url

SCOPES = {"featured": "Featured", "subscribed": "Subscribed", "all": "All", "moderated": "Moderated"}
WITHIN = {
    "featured": "forum IN (SELECT name FROM forum WHERE featured = 1)",
    "subscribed": "forum IN (SELECT forum FROM subscription)",
    "all": "forum NOT IN (SELECT name FROM block WHERE kind = 'forum')",
    "moderated": "forum IN (SELECT forum FROM moderator WHERE user = :me)",
}
MOST_RESULTS = 50
MOST_MEMBERS = 20
ORDERS = {
    "by_name": "name COLLATE NOCASE",
    "by_title": "title COLLATE NOCASE",
    "by_submissions": "submissions DESC, name",
    "by_subscribers": "subscribers DESC, name",
    "by_creation_date": "created DESC, name",
}


def _sorting(visit: ForumVisit, sort: str, prefix: str) -> dict[str, Any]:
    """What the tabs of sorts and periods show."""
    period = visit.query("t", "all")
    return {"sort": sort, "sorts": feeds.SORTS, "prefix": prefix, "period": period, "periods": feeds.PERIODS}


async def front(visit: ForumVisit) -> Response:
    """`/` is the featured forums by `hot`; `/all/new`, `/subscribed/top?t=week` ... are the variants."""
    scope, sort = visit.at("scope", "featured"), visit.at("sort", "hot")
    feed = feeds.submissions(visit, WITHIN[scope], sort)
    return visit.page(
        "front.html",
        feed=feed,
        flairs=feeds.flairs(visit, feed.rows),
        scope=scope,
        scopes=SCOPES,
        forums=visit.all("SELECT * FROM forum WHERE featured = 1 ORDER BY name"),
        latest=visit.all(
            "SELECT path, title, max(id) FROM wiki_revision GROUP BY path ORDER BY max(created) DESC LIMIT 4"
        ),
        **_sorting(visit, sort, "" if scope == "featured" else f"/{scope}"),
    )


async def forum_list(visit: ForumVisit) -> Response:
    """All forums in an order, 25 per page."""
    order = visit.at("order", "by_submissions")
    shown = feeds.paged(visit, "forums", f"SELECT * FROM listed_forum ORDER BY {ORDERS[order]}")  # noqa: S608
    return visit.page("forums.html", order=order, orders=ORDERS, **shown)


async def forum(visit: ForumVisit) -> Response:
    """A forum's submissions; `/f/a+b` combines several forums."""
    sort = visit.at("sort", "hot")
    if "+" in visit.at("forum"):
        names = {f"forum_{at}": name for at, name in enumerate(visit.at("forum").split("+"))}
        among = f"({', '.join(f':{name}' for name in names)})"
        forums = visit.all(f"SELECT * FROM forum WHERE name IN {among} ORDER BY instr(:forum, name)", **names)  # noqa: S608
        if not forums:
            raise HTTPException(404)
        feed = feeds.submissions(visit, f"forum IN {among}", sort, **names)
        return visit.page("tag.html", tag="", forums=forums, feed=feed, flairs=feeds.flairs(visit, feed.rows))
    found = find(visit, "forum")
    where, pinned = "forum = :forum_name", list[sqlite3.Row]()
    if sort == "hot":
        if not visit.query("next[id]"):
            pinned = visit.all(
                f"SELECT * FROM listed_submission WHERE {where} AND pinned = 1 AND visibility = 'visible'"  # noqa: S608
                " ORDER BY id DESC"
            )
        where += " AND pinned = 0"
    feed = feeds.submissions(visit, where, sort)
    shown = feeds.Feed([*pinned, *feed.rows], feed.more)
    flairs = feeds.flairs(visit, shown.rows)
    tabs = _sorting(visit, sort, f"/f/{found['forum']['name']}")
    return visit.page("forum.html", feed=shown, flairs=flairs, **tabs, **found)


async def search(visit: ForumVisit) -> Response:
    """Submissions and comments that contain every word of the query: at most 50, by hits in titles, then time. A query
    of one word also lists up to 20 members whose names contain it.
    """
    query = visit.query("q")
    words = query.lower().split()[:8]
    hits: list[tuple[str, sqlite3.Row]] = []
    if words:
        text = "title || ' ' || body || ' ' || url"
        hits = [("submission", row) for row in _matching(visit, "listed_submission", text, "1", words)]
        hits += [("comment", row) for row in _matching(visit, "listed_comment", "body", "shown = 'visible'", words)]
    hits.sort(key=lambda hit: (_weight(hit, words), hit[1]["created"]), reverse=True)
    hits = hits[:MOST_RESULTS]
    members = list[sqlite3.Row]()
    if len(words) == 1:
        sql = "SELECT name FROM user WHERE lower(name) LIKE :part ESCAPE '\\' ORDER BY lower(name) LIMIT :most"
        members = visit.all(sql, part=feeds.containing(words[0].removeprefix("/u/")), most=MOST_MEMBERS)
    flairs = feeds.flairs(visit, [hit for kind, hit in hits if kind == "submission"])
    return visit.page("search.html", query=query, hits=hits, members=members, flairs=flairs)


def _matching(visit: ForumVisit, table: str, text: str, where: str, words: list[str]) -> list[sqlite3.Row]:
    values = {f"word_{at}": feeds.containing(word) for at, word in enumerate(words)}
    clause = " AND ".join(f"lower({text}) LIKE :{name} ESCAPE '\\'" for name in values)
    sql = f"SELECT * FROM {table} WHERE visibility = 'visible' AND {where} AND {clause}"  # noqa: S608 (constant SQL)
    return visit.all(f"{sql} ORDER BY id DESC LIMIT {2 * MOST_RESULTS}", **values)


def _weight(hit: tuple[str, sqlite3.Row], words: list[str]) -> int:
    kind, row = hit
    title = str(row["title"]).lower() if kind == "submission" else ""
    return sum(word in title for word in words)


async def overview(visit: ForumVisit) -> Response:
    """The newest 25 submissions and comments of a member, mixed; older ones are on the other two pages."""
    found = find(visit, "user")
    submissions = feeds.submissions(visit, "user = :user_name", "new").rows
    mixed = [("submission", row) for row in submissions]
    mixed += [("comment", row) for row in feeds.comments(visit, "user = :user_name").rows]
    mixed.sort(key=lambda item: (-item[1]["created"], item[0]))
    flairs = feeds.flairs(visit, submissions)
    return visit.page("user.html", tab="overview", mixed=mixed[: feeds.PER_PAGE], flairs=flairs, **found)


@dataclass(slots=True)
class CommentNode:
    """A comment and its replies; `level` counts from 0. A trashed comment stays as a placeholder if it has replies."""

    row: sqlite3.Row
    level: int
    replies: list["CommentNode"] = field(default_factory=list)


def _below(children: dict[int | None, list[sqlite3.Row]], root: int | None, level: int) -> list[CommentNode]:
    """All comments below one as nested nodes, best first, without branches that have no visible comment."""
    comments = []
    for row in sorted(children.get(root, ()), key=lambda row: (-row["score"], row["id"])):
        node = CommentNode(row, level, _below(children, row["id"], level + 1))
        if row["visibility"] == "visible" or node.replies:
            comments.append(node)
    return comments


async def submission(visit: ForumVisit) -> Response:
    """A submission with its comments, nested (best first) or linear (oldest first); the slug does not matter. With a
    comment in the address, only that one and the replies to it."""
    found = find(visit, "comment" if "cid" in visit.values else "submission")
    view, top = visit.at("view", "nested"), found.pop("comment", None)
    rows = visit.all("SELECT * FROM listed_comment WHERE submission = :submission_id ORDER BY created, id")
    children = grouped(rows, itemgetter("parent"))
    if top is not None:
        nodes = [CommentNode(top, 0, _below(children, top["id"], 1))]
    elif view == "linear":
        nodes = [CommentNode(row, 0) for row in rows if row["visibility"] == "visible"]
    else:
        nodes = _below(children, None, 0)
    flairs = feeds.flairs(visit, [found["submission"]])
    return visit.page("submission.html", nodes=nodes, view=view, top=top, flairs=flairs, **found)


async def submission_json(visit: ForumVisit) -> Response:
    """A submission's data."""
    row = find(visit, "submission")["submission"]
    fields = ("id", "title", "url", "body", "forum", "user", "score", "up", "down", "comments")
    return JSONResponse({name: row[name] for name in fields} | {"locked": bool(row["locked"])})


async def short(visit: ForumVisit) -> Response:
    """Short addresses of submissions (`/123`), members (`/u/name`) and wiki pages (`/w/path`); the old form of a
    comment's permalink."""
    if "cid" in visit.values:
        return visit.redirect("/f/{forum}/{id}/-/comment/{cid}".format_map(visit.values), status=301)
    if "user" in visit.values:
        return visit.redirect(f"/user/{visit.at('user')}", status=301)
    if "path" in visit.values:
        return visit.redirect(f"/wiki/{visit.at('path')}", status=301)
    return visit.redirect(submission_url(visit.one("SELECT * FROM submission WHERE id = :id")))


async def vote(visit: ForumVisit) -> Response:
    """Vote a submission (`/sv/`) or a comment (`/cv/`) up or down; the same choice again, or 0, takes the vote back."""
    kind = "submission" if visit.path.startswith("/sv/") else "comment"
    target = visit.one(f"SELECT * FROM {kind} WHERE id = :id")  # noqa: S608 (one of two tables)
    choice = {"1": 1, "-1": -1}.get((await visit.fields(f"{kind}_vote")).get("choice", ""), 0)
    visit.run("DELETE FROM vote WHERE kind = :kind AND target = :id", kind=kind)
    if choice:
        visit.insert("vote", kind=kind, target=target["id"], choice=choice)
    if visit.path.endswith(".json"):
        return JSONResponse({"netScore": target["up"] - target["down"] + choice})
    return visit.redirect(visit.back("/"))


async def article(visit: ForumVisit) -> Response:
    """A wiki page. For a free path, an offer to create it, with status 404."""
    path = visit.at("path", "index").rstrip("/")
    if not names.WIKI.match(path):
        raise HTTPException(404)
    row = visit.maybe("SELECT * FROM article WHERE path = :path", path=path)
    if row is None:
        return visit.page("wiki_missing.html", 404, wanted=path)
    return visit.page("wiki.html", article=row)


FOLDER = WORLDS / "forum" / "images"
"""The folder of the shipped pictures: `0f3a…c1.png`, 16 hex digits and the kind."""
REDRAWN = "redrawn"
"""The folder in it with the pictures of counterfactual twins, which have the names of their tasks' pictures."""
KINDS = {".jpg": "image/jpeg", ".png": "image/png"}
ZOOMS = (1, 2, 3)


async def picture(visit: ForumVisit) -> Response:
    """The file itself, if a submission shows it."""
    row = visit.one("SELECT * FROM submission WHERE image = :file AND visibility != 'deleted'")
    folder: Path = visit.request.app.state.images
    path = folder / (REDRAWN if row["redrawn"] else "") / row["image"]
    if path.suffix not in KINDS or not path.is_file():
        raise HTTPException(404)
    return Response(path.read_bytes(), media_type=KINDS[path.suffix])


async def picture_page(visit: ForumVisit) -> Response:
    """A page with only an image, in its original size or larger (`?zoom=2`)."""
    row = visit.one(
        "SELECT * FROM submission WHERE image IN (:stem || '.jpg', :stem || '.png') AND visibility != 'deleted'"
    )
    zoom = visit.query("zoom", "1")
    if zoom not in {str(step) for step in ZOOMS}:
        raise HTTPException(404)
    return visit.page("image.html", submission=row, stem=visit.at("stem"), zoom=int(zoom), zooms=ZOOMS)


async def style(_: ForumVisit) -> Response:
    """The style sheet."""
    return Response(Path(__file__).with_name("static").joinpath("forum.css").read_bytes(), media_type="text/css")
