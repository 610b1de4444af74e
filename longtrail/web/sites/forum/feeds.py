"""Feeds: sorted submissions and comments, page by page, continued after the last one shown (keyset pagination)."""

import re
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException

from longtrail.web.sites.forum.visit import ForumVisit

PER_PAGE = 25
SORTS = ("hot", "new", "active", "top", "controversial", "most_commented")
PERIODS = {"day": 86_400, "week": 7 * 86_400, "month": 30 * 86_400, "year": 365 * 86_400, "all": 0}
RECENT = 2 * 86_400
"""How far back the feeds of everybody's comments reach: they show recent activity; histories are on members' pages."""

_CURSOR = re.compile(r"-?[0-9]{1,15}")
HOT = "s.created + max(-43200, min(172800, (s.up - s.down) * 600)) + min(86400, comments * 900)"
ORDERS = {
    "hot": HOT,
    "new": "s.created",
    "active": "coalesce((SELECT max(c.created) FROM comment c WHERE c.submission = s.id AND c.visibility = 'visible'), "
    "s.created)",
    "top": "score",
    "controversial": "iif(s.down = 0, 0, 1000 * (s.up + s.down) * min(s.up, s.down) / max(s.up, s.down))",
    "most_commented": "comments",
}
SUBMISSION = """
    SELECT s.*, s.up - s.down + coalesce(v.choice, 0) AS score, coalesce(v.choice, 0) AS choice,
      (SELECT count(*) FROM comment c WHERE c.submission = s.id AND c.visibility = 'visible') AS comments
    FROM submission s LEFT JOIN vote v ON v.kind = 'submission' AND v.target = s.id
"""
COMMENT = """
    SELECT c.*, c.up - c.down + coalesce(v.choice, 0) AS score, coalesce(v.choice, 0) AS choice,
      s.forum AS forum, s.title AS title, s.user AS author, s.locked AS locked, p.user AS parent_user
    FROM comment c JOIN submission s ON s.id = c.submission LEFT JOIN comment p ON p.id = c.parent
      LEFT JOIN vote v ON v.kind = 'comment' AND v.target = c.id
"""


@dataclass(frozen=True, slots=True)
class Feed:
    """One page of a list, and the address of the next page if there is one."""

    rows: Sequence[Any]
    more: str = ""


@dataclass(frozen=True, slots=True)
class Where:
    """A condition in SQL and its values."""

    sql: str
    values: tuple[Any, ...] = ()

    def __and__(self, other: "Where") -> "Where":
        return Where(f"({self.sql}) AND ({other.sql})", self.values + other.values)


def in_forums(forums: Sequence[str]) -> Where:
    return Where(f"s.forum IN ({','.join('?' * len(forums))})", tuple(forums))


def by(user: str) -> Where:
    return Where("s.user = ?", (user,))


def submissions(visit: ForumVisit, where: Where, sort: str) -> Feed:
    """Visible submissions in this order. Unknown sorts are a 404; `t` limits top, controversial, most_commented."""
    if sort not in SORTS:
        raise HTTPException(404)
    where = Where("s.visibility = 'visible'") & where
    if sort in ("top", "controversial", "most_commented"):
        period = PERIODS.get(visit.query("t", "all"), 0)
        where &= Where("s.created >= ?", (visit.now - period if period else 0,))
    inner = f"{SUBMISSION} WHERE {where.sql}"
    return _page(visit, f"SELECT s.*, {ORDERS[sort]} AS rank FROM ({inner}) s", where.values)  # noqa: S608 (constant SQL)


def comments(visit: ForumVisit, where: Where) -> Feed:
    """Visible comments on visible submissions, newest first."""
    where = Where("c.visibility = 'visible' AND s.visibility = 'visible'") & where
    inner = f"{COMMENT} WHERE {where.sql}"
    return _page(visit, f"SELECT k.*, k.created AS rank FROM ({inner}) k", where.values)  # noqa: S608 (constant SQL)


def _page(visit: ForumVisit, sql: str, values: tuple[Any, ...]) -> Feed:
    """25 rows after the cursor `next[rank]`, `next[id]` of the query, best first."""
    after = (visit.query("next[rank]"), visit.query("next[id]"))
    clause = ""
    if all(after):
        if not all(_CURSOR.fullmatch(part) for part in after):
            raise HTTPException(404)
        clause, values = "WHERE (rank, id) < (?, ?)", (*values, int(after[0]), int(after[1]))
    limited = f"SELECT * FROM ({sql}) {clause} ORDER BY rank DESC, id DESC LIMIT {PER_PAGE + 1}"  # noqa: S608 (constant SQL)
    rows = visit.all(limited, *values)
    if len(rows) <= PER_PAGE:
        return Feed(rows)
    last = rows[PER_PAGE - 1]
    params = {key: value for key, value in visit.request.query_params.items() if not key.startswith("next[")}
    cursor = {**params, "next[rank]": last["rank"], "next[id]": last["id"]}
    return Feed(rows[:PER_PAGE], f"{visit.path}?{urlencode(cursor)}")


def flairs(visit: ForumVisit, rows: Sequence[sqlite3.Row]) -> dict[int, list[sqlite3.Row]]:
    """The flairs of these submissions by submission id."""
    ids = [row["id"] for row in rows]
    by_submission: dict[int, list[sqlite3.Row]] = {number: [] for number in ids}
    marks = ",".join("?" * len(ids))
    for row in visit.all(f"SELECT * FROM flair WHERE submission IN ({marks}) ORDER BY id", *ids):  # noqa: S608 (marks)
        by_submission[row["submission"]].append(row)
    return by_submission


def paged(visit: ForumVisit, name: str, sql: str, *values: object, size: int = PER_PAGE) -> dict[str, Any]:
    """What the page in the path shows of a list: its rows (25, or `size`) as `name`, its `number`, and whether `more`
    rows follow."""
    number = int(visit.request.path_params.get("page", 1))
    rows = visit.all(f"{sql} LIMIT {size + 1} OFFSET ?", *values, (number - 1) * size)
    if number < 1 or (number > 1 and not rows):
        raise HTTPException(404)
    return {name: rows[:size], "number": number, "more": len(rows) > size}


def containing(text: str) -> str:
    """The pattern for SQL's LIKE (with `\\` as escape) for texts that contain this one."""
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
