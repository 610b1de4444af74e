"""Front page: the front page and its variants, the recent comments of all forums, tags, multi-forums, search."""

import sqlite3

from starlette.responses import Response

from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.feeds import RECENT, Feed, Where
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit

SCOPES = {"featured": "Featured", "subscribed": "Subscribed", "all": "All", "moderated": "Moderated"}
HIDDEN = Where("s.forum NOT IN (SELECT name FROM block WHERE kind = 'forum')")
WITHIN = {
    "featured": Where("s.forum IN (SELECT name FROM forum WHERE featured = 1)"),
    "subscribed": Where("s.forum IN (SELECT forum FROM subscription)"),
    "all": HIDDEN,
    "moderated": Where("s.forum IN (SELECT forum FROM moderator WHERE user = ?)", (MODERATOR,)),
}
MOST_RESULTS = 50
MOST_MEMBERS = 20


async def about(visit: ForumVisit) -> Response:
    """What the site is: the one page that says it."""
    return visit.page("about.html")


async def front(visit: ForumVisit) -> Response:
    """`/` is the featured forums by `hot`; `/all/new`, `/subscribed/top?t=week` ... are the variants."""
    scope = str(visit.request.path_params.get("scope", "featured"))
    sort = str(visit.request.path_params.get("sort", "hot"))
    feed = feeds.submissions(visit, WITHIN[scope], sort)
    prefix = "" if scope == "featured" else f"/{scope}"
    return visit.page(
        "front.html",
        feed=feed,
        flairs=feeds.flairs(visit, feed.rows),
        scope=scope,
        scopes=SCOPES,
        sort=sort,
        sorts=feeds.SORTS,
        prefix=prefix,
        period=visit.query("t", "all"),
        periods=feeds.PERIODS,
        forums=visit.all("SELECT * FROM forum WHERE featured = 1 ORDER BY name"),
        latest=visit.all(
            "SELECT path, title, max(id) FROM wiki_revision GROUP BY path ORDER BY max(created) DESC LIMIT 4"
        ),
    )


async def recent_comments(visit: ForumVisit) -> Response:
    """All comments of the last two days."""
    feed = feeds.comments(visit, Where("c.created >= ?", (visit.now - RECENT,)))
    return visit.page("comments.html", feed=feed)


async def tags(visit: ForumVisit) -> Response:
    """Every tag with its number of forums."""
    counts: dict[str, int] = {}
    for row in visit.all("SELECT tags FROM forum"):
        for tag in row["tags"].split():
            counts[tag] = counts.get(tag, 0) + 1
    return visit.page("tags.html", tags=sorted(counts.items()))


async def tag(visit: ForumVisit) -> Response:
    """The forums and the submissions under a tag."""
    name = visit.at("tag").lower()
    forums = [row for row in visit.all("SELECT * FROM forum ORDER BY name") if name in row["tags"].split()]
    names = [row["name"] for row in forums]
    feed = feeds.submissions(visit, feeds.in_forums(names), "hot") if names else Feed(())
    if not names:
        return visit.page("error.html", 404, title="Page not found", text="There is no such tag.")
    return visit.page("tag.html", tag=name, forums=forums, feed=feed, flairs=feeds.flairs(visit, feed.rows))


async def search(visit: ForumVisit) -> Response:
    """Submissions and comments that contain every word of the query: at most 50, by hits in titles, then time. A query
    of one word also lists up to 20 members whose names contain it.
    """
    query = visit.query("q")
    words = query.lower().split()[:8]
    hits: list[tuple[str, sqlite3.Row]] = []
    if words:
        hits = [("submission", row) for row in _matching(visit, feeds.SUBMISSION, "s", words)]
        hits += [("comment", row) for row in _matching(visit, feeds.COMMENT, "c", words)]
    hits.sort(key=lambda hit: (_weight(hit, words), hit[1]["created"]), reverse=True)
    hits = hits[:MOST_RESULTS]
    ids = [hit for kind, hit in hits if kind == "submission"]
    return visit.page(
        "search.html", query=query, hits=hits, members=_members(visit, words), flairs=feeds.flairs(visit, ids)
    )


def _members(visit: ForumVisit, words: list[str]) -> list[str]:
    if len(words) != 1:
        return []
    sql = "SELECT name FROM user WHERE lower(name) LIKE ? ESCAPE '\\' ORDER BY lower(name) LIMIT ?"
    return [row["name"] for row in visit.all(sql, feeds.containing(words[0].removeprefix("/u/")), MOST_MEMBERS)]


def _matching(visit: ForumVisit, select: str, alias: str, words: list[str]) -> list[sqlite3.Row]:
    text = "s.title || ' ' || s.body || ' ' || s.url" if alias == "s" else "c.body"
    visible = "s.visibility = 'visible'" + (" AND c.visibility = 'visible'" if alias == "c" else "")
    clause = " AND ".join(f"lower({text}) LIKE ? ESCAPE '\\'" for _ in words)
    values = [feeds.containing(word) for word in words]
    order = f"ORDER BY {alias}.id DESC LIMIT {2 * MOST_RESULTS}"
    return visit.all(f"{select} WHERE {visible} AND {clause} {order}", *values)


def _weight(hit: tuple[str, sqlite3.Row], words: list[str]) -> int:
    kind, row = hit
    title = str(row["title"]).lower() if kind == "submission" else ""
    return sum(word in title for word in words)
