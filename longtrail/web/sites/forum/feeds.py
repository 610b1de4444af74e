"""Feeds: sorted submissions and comments, page by page, continued after the last one shown (keyset pagination), and
lists with numbered pages."""

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
_CURSOR = re.compile(r"-?[0-9]{1,15}")
ORDERS = {
    "hot": "s.created + max(-43200, min(172800, (s.up - s.down) * 600)) + min(86400, comments * 900)",
    "new": "s.created",
    "active": "coalesce((SELECT max(c.created) FROM comment c WHERE c.submission = s.id AND c.visibility = 'visible'), "
    "s.created)",
    "top": "score",
    "controversial": "iif(s.down = 0, 0, 1000 * (s.up + s.down) * min(s.up, s.down) / max(s.up, s.down))",
    "most_commented": "comments",
}


@dataclass(frozen=True, slots=True)
class Feed:
    """One page of a list, and the address of the next page if there is one."""

    rows: Sequence[Any]
    more: str = ""


def submissions(visit: ForumVisit, where: str, sort: str, **values: Any) -> Feed:
    """Visible submissions with this condition, in this order. Unknown sorts are a 404; `t` limits top, controversial,
    most_commented."""
    if sort not in SORTS:
        raise HTTPException(404)
    since = 0
    if sort in ("top", "controversial", "most_commented"):
        period = PERIODS.get(visit.query("t", "all"), 0)
        since = visit.now - period if period else 0
    sql = (
        f"SELECT s.*, {ORDERS[sort]} AS rank FROM listed_submission s"  # noqa: S608 (constant SQL)
        f" WHERE visibility = 'visible' AND ({where}) AND created >= :since"
    )
    return _page(visit, sql, {**values, "since": since})


def comments(visit: ForumVisit, where: str) -> Feed:
    """Visible comments with this condition on visible submissions, newest first."""
    sql = (
        "SELECT k.*, created AS rank FROM listed_comment k"  # noqa: S608 (constant SQL)
        f" WHERE visibility = 'visible' AND shown = 'visible' AND ({where})"
    )
    return _page(visit, sql, {})


def _page(visit: ForumVisit, sql: str, values: dict[str, Any]) -> Feed:
    """25 rows after the cursor `next[rank]`, `next[id]` of the query, best first."""
    after = (visit.query("next[rank]"), visit.query("next[id]"))
    clause = ""
    if all(after):
        if not all(_CURSOR.fullmatch(part) for part in after):
            raise HTTPException(404)
        clause, values = "WHERE (rank, id) < (:rank, :after)", {**values, "rank": int(after[0]), "after": int(after[1])}
    limited = f"SELECT * FROM ({sql}) {clause} ORDER BY rank DESC, id DESC LIMIT {PER_PAGE + 1}"  # noqa: S608
    rows = visit.all(limited, **values)
    if len(rows) <= PER_PAGE:
        return Feed(rows)
    last = rows[PER_PAGE - 1]
    params = {key: value for key, value in visit.request.query_params.items() if not key.startswith("next[")}
    cursor = {**params, "next[rank]": last["rank"], "next[id]": last["id"]}
    return Feed(rows[:PER_PAGE], f"{visit.path}?{urlencode(cursor)}")


def flairs(visit: ForumVisit, rows: Sequence[sqlite3.Row]) -> dict[int, list[sqlite3.Row]]:
    """The flairs of these submissions by submission id."""
    by_submission: dict[int, list[sqlite3.Row]] = {row["id"]: [] for row in rows}
    ids = ",".join(map(str, by_submission))
    for row in visit.all(f"SELECT * FROM flair WHERE submission IN ({ids}) ORDER BY id"):  # noqa: S608 (numbers)
        by_submission[row["submission"]].append(row)
    return by_submission


def paged(visit: ForumVisit, name: str, sql: str, size: int = PER_PAGE, **values: Any) -> dict[str, Any]:
    """What the page in the path shows of a list: its rows (25, or `size`) as `name`, its `number`, whether `more` rows
    follow, and the address of the list."""
    number = int(visit.at("page", "1"))
    rows = visit.all(f"{sql} LIMIT {size + 1} OFFSET {max(0, number - 1) * size}", **values)
    if number < 1 or (number > 1 and not rows):
        raise HTTPException(404)
    base = visit.path.removesuffix(f"/{visit.at('page')}") if visit.at("page") else visit.path
    return {name: rows[:size], "number": number, "more": len(rows) > size, "base": base}


def containing(text: str) -> str:
    """The pattern for SQL's LIKE (with `\\` as escape) for texts that contain this one."""
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
