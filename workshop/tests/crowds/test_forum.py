"""The crowd: large enough, consistent, without repeated texts, and exactly what the script makes of its sources."""

import re
from collections import Counter
from itertools import pairwise

import pytest
from rapidfuzz import fuzz, process

from longtrail.clock import NOW
from longtrail.web.sites.forum import forum_site, names
from longtrail.web.sites.forum.bulk import Rows
from tests.web.sites.forum.conftest import member
from tests.web.sites.forum.member import Member
from workshop.crowds import forum_written as written
from workshop.crowds.forum import crowd_rows

__all__ = ["member"]


@pytest.fixture(scope="module")
def crowd() -> Rows:
    return forum_site.read_crowd()


def test_the_checked_in_crowd_is_what_the_script_makes(crowd: Rows) -> None:
    assert crowd_rows(written.forums(), written.pages(), written.people()) == crowd


def test_it_is_a_crowd(crowd: Rows) -> None:
    assert len(crowd["forum"]) >= 40
    assert len(crowd["user"]) >= 400
    assert len(crowd["submission"]) + len(crowd["comment"]) >= 900
    spoke = {row["user"] for table in ("submission", "comment") for row in crowd[table]}
    assert len(spoke) >= 350


def test_every_forum_has_rules_of_its_own(crowd: Rows) -> None:
    rules = Counter(rule for forum in written.forums() for rule in forum.rules)
    shared = {rule for rule, count in rules.items() if count > 3}
    assert shared == set()
    assert len({row["sidebar"] for row in crowd["forum"]}) == len(crowd["forum"])


def test_names_are_names(crowd: Rows) -> None:
    assert all(names.USER.match(row["name"]) for row in crowd["user"])
    assert all(names.FORUM.match(row["name"]) for row in crowd["forum"])
    assert all(names.WIKI.match(row["path"]) for row in crowd["wiki"])


@pytest.mark.thorough
def test_nobody_repeats_what_somebody_said(member: Member) -> None:
    """Similar texts occur only within one thread (by raiders) or from one author (who posts twice)."""
    posts = [tuple(row.values()) for row in member.rows("SELECT body, submission, user FROM comment")]
    posts = [(text, *place) for text, *place in posts if len(text) > 30]
    posts += [tuple(row.values()) for row in member.rows("SELECT title, id, user FROM submission")]
    texts = [text for text, *_ in posts]
    scores = process.cdist(texts, texts, scorer=fuzz.token_set_ratio, score_cutoff=90)
    pairs = [(posts[a], posts[b]) for a, b in zip(*scores.nonzero(), strict=True) if a < b]
    alike = [(a[0], b[0]) for a, b in pairs if a[1] != b[1] and a[2] != b[2]]
    assert alike == []


def test_time_runs_forward_and_ends_now(member: Member) -> None:
    now = int(NOW.timestamp())
    early = """SELECT c.id FROM comment c JOIN submission s ON s.id = c.submission
      LEFT JOIN comment p ON p.id = c.parent
      WHERE c.created < s.created OR c.created < p.created OR c.created > ?"""
    assert member.rows(early, now) == []
    for table in ("submission", "comment"):
        unborn = f"""SELECT t.id, t.user FROM {table} t LEFT JOIN user u ON u.name = t.user
          WHERE u.created IS NULL OR u.created > t.created"""
        assert member.rows(unborn) == []
    assert member.rows("SELECT * FROM log WHERE created > ?", now) == []
    nameless = (
        "SELECT id FROM log WHERE user NOT IN (SELECT name FROM user) OR moderator NOT IN (SELECT name FROM user)"
    )
    assert member.rows(nameless) == []


def test_ids_grow_with_time_in_crowd_and_stories_alike(member: Member) -> None:
    for table, smallest in (("submission", names.submission_id), ("comment", names.comment_id)):
        posts = member.rows(f"SELECT id, created FROM {table} ORDER BY created, id")
        assert all(0 <= row["id"] - smallest(row["created"]) < 60 for row in posts), table
        steps = [later["id"] - earlier["id"] for earlier, later in pairwise(posts)]
        # posts close in time may be out of order, because an id that is taken moves up to the next free one
        assert sum(step < 0 for step in steps) < 0.05 * len(steps)


def test_what_is_in_the_trash_is_in_the_log(member: Member) -> None:
    for table, action in (("submission", "submission_deletion"), ("comment", "comment_deletion")):
        gone = f"""SELECT id FROM {table} WHERE visibility = 'trashed'
          AND id NOT IN (SELECT {table} FROM log WHERE action = ?)"""
        assert member.rows(gone, action) == []


def test_no_filler(crowd: Rows) -> None:
    filler = re.compile(r"lorem|ipsum|sample (post|comment|text)|placeholder|test (post|comment)", re.IGNORECASE)
    assert not [row for table in ("submission", "comment") for row in crowd[table] if filler.search(str(row))]
