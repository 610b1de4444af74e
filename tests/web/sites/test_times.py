"""Times of the worlds' records: nothing on the sites of decision tasks is later than the frozen clock."""

import re
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import pytest

from longtrail.clock import NOW
from longtrail.web.sites.forum.forum_site import ForumSite
from longtrail.web.sites.shopadmin.back_office import ShopAdmin

TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d")
BUILDS = {
    "shop": partial(ShopAdmin().build, edition="usual"),
    "hard shop": partial(ShopAdmin().build, edition="hard"),
    "shop's twins": partial(ShopAdmin().build, edition="twins"),
    "forum": partial(ForumSite().build, edition="usual"),
    "hard forum": partial(ForumSite().build, edition="hard"),
    "forum's twins": partial(ForumSite().build, edition="twins"),
    "hard forum's twins": partial(ForumSite().build, edition="hard twins"),
}


@pytest.mark.parametrize("build", BUILDS.values(), ids=[*BUILDS])
def test_no_record_is_of_the_future(build: Callable[[sqlite3.Connection], None]) -> None:
    db = sqlite3.connect(":memory:", isolation_level=None)
    build(db)
    now = f"{NOW:%Y-%m-%d %H:%M}"
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    db.row_factory = sqlite3.Row
    rows = [(name, dict(row)) for name in tables for row in db.execute(f'SELECT * FROM "{name}"')]
    times = [(name, row, time) for name, row in rows for key in row.keys() - {"expires"} if (time := _time(row[key]))]
    assert len(times) > 1_000
    assert [(name, row) for name, row, time in times if time > now] == []


def _time(value: object) -> str:
    """The shop writes times as text, the forum as seconds since 1970."""
    if isinstance(value, int) and 1_000_000_000 < value < 2_000_000_000:
        return f"{datetime.fromtimestamp(value, UTC):%Y-%m-%d %H:%M}"
    found = TIME.match(value) if isinstance(value, str) else None
    return found[0].replace("T", " ") if found else ""
