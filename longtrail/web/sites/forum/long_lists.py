"""Long lists of the site's own records: the votes on a submission, and the report on a member's contributions."""

from starlette.responses import Response

from longtrail.web.sites.forum.bans import paged
from longtrail.web.sites.forum.list_filters import ActivityFilter, VoteFilter
from longtrail.web.sites.forum.submissions import frame as submission_frame
from longtrail.web.sites.forum.submissions import submission_row
from longtrail.web.sites.forum.users import frame as user_frame
from longtrail.web.sites.forum.users import user_row
from longtrail.web.sites.forum.visit import ForumVisit

PER_PAGE = 50
ACTIVITY = """
    SELECT user, forum, kind, about, created FROM archive
    UNION ALL SELECT user, forum, 'submission', title, created FROM submission
    UNION ALL SELECT c.user, s.forum, 'comment', s.title, c.created FROM comment c
      JOIN submission s ON s.id = c.submission
"""


async def votes(visit: ForumVisit) -> Response:
    """Who voted on a submission, when, and since when they are members; newest first."""
    row = submission_row(visit)
    vote_filter = VoteFilter(visit)
    sql = f"FROM ballot b WHERE b.submission = ? AND {vote_filter.where.sql}"
    values = (row["id"], *vote_filter.where.values)
    rows, number, more = paged(visit, f"SELECT b.* {sql} ORDER BY b.created DESC, b.id DESC", *values, size=PER_PAGE)
    counts = visit.one(f"SELECT count(*) AS n, coalesce(sum(b.choice = 'up'), 0) AS up {sql}", *values)
    total = visit.one("SELECT count(*) AS n FROM ballot WHERE submission = ?", row["id"])["n"]
    base = f"/f/{row['forum']}/{row['id']}/-/votes"
    lines = {"votes": rows, "number": number, "more": more, "base": base}
    return visit.page(
        "votes.html", kept=vote_filter, counts=counts, total=total, **lines, **submission_frame(visit, row)
    )


async def activity(visit: ForumVisit) -> Response:
    """The report on a member's contributions. It is empty until a period is given."""
    user = user_row(visit)
    activity_filter = ActivityFilter(visit)
    ready = bool(activity_filter.given["from"] and activity_filter.given["to"]) and not activity_filter.errors
    if activity_filter.asked and not ready and not activity_filter.errors:
        activity_filter.errors.append("Give both days of the period.")
    report = {}
    if ready:
        sql = f"FROM ({ACTIVITY}) a WHERE a.user = ? AND {activity_filter.where.sql}"
        values = (user["name"], *activity_filter.where.values)
        rows, number, more = paged(visit, f"SELECT a.* {sql} ORDER BY a.created DESC, a.about", *values, size=PER_PAGE)
        counts = visit.all(
            f"SELECT a.forum, sum(a.kind = 'submission') AS submissions, sum(a.kind = 'comment') AS comments {sql} "
            "GROUP BY lower(a.forum) ORDER BY lower(a.forum)",
            *values,
        )
        report = {"lines": rows, "number": number, "more": more, "counts": counts}
    base = f"/user/{user['name']}/activity"
    return visit.page("activity.html", kept=activity_filter, report=report, base=base, **user_frame(visit, user))
