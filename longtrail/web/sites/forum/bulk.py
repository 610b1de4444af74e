"""Bulk: long lists of a story (votes, log lines, a member's earlier contributions) as rows, made by rule from a seed.

A list is described by its size, its period and its make-up; the rows follow from that and never differ. What a case
depends on is written out as groups with exact sizes.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Annotated, Any

from pydantic import Field

from longtrail.paths import WORLDS
from longtrail.records.record import Record
from longtrail.web.sites.forum import times
from longtrail.yaml_file import read

Row = dict[str, Any]
Rows = dict[str, list[Row]]
"""Table -> rows; a row names only the columns that differ from the table's defaults."""
Moments = tuple[str, str]
"""From and to, as `2026-03-14 18:00`."""
Ways = Callable[[str, str, int], tuple[str, ...]]
"""Two words and a number to the names that can be made of them."""
Count = Annotated[int, Field(ge=1, le=2000)]


class VoteGroup(Record):
    """Votes of one kind: exactly so many, spread over a period, by accounts that were registered in another one."""

    count: Count
    at: Moments
    registered: Moments
    down: Annotated[int, Field(ge=0)] = 0
    """How many of them are votes against."""


class VoteList(Record):
    """The list of votes of a submission."""

    submission: int
    seed: str
    groups: tuple[VoteGroup, ...]


class LogLines(Record):
    """Lines of a forum's log that no case depends on."""

    forum: str
    seed: str
    count: Count
    at: Moments
    moderators: Annotated[tuple[str, ...], Field(min_length=1)]
    threads: Annotated[tuple[str, ...], Field(min_length=3)]
    """Titles of the submissions that the lines are about."""
    reasons: Annotated[tuple[str, ...], Field(min_length=3)]


class Contributions(Record):
    """What a member wrote earlier and is now archived: in the activity report only."""

    user: str
    seed: str
    submissions: Annotated[int, Field(ge=0, le=2000)]
    comments: Annotated[int, Field(ge=0, le=2000)]
    """Exactly so many of each."""
    at: Moments
    forums: Annotated[tuple[str, ...], Field(min_length=1)]
    threads: Annotated[tuple[str, ...], Field(min_length=3)]


@cache
def _words() -> dict[str, tuple[str, ...]]:
    return read(dict[str, tuple[str, ...]], WORLDS / "forum" / "bulk_names.yaml")


def voters(first: str, second: str, number: int) -> tuple[str, ...]:
    """The ways to make a name of words, for lists of votes."""
    joined = (f"{first}_{second}", f"{first}{second}", f"{first.capitalize()}{second.capitalize()}")
    return (*joined, f"{first}_{second}{number}", f"{second}{number}", f"{second}_{first[0]}", f"{first}{number}")


def regulars(first: str, second: str, number: int) -> tuple[str, ...]:
    """Other ways, for members who are in a log: nobody is in both."""
    return (f"{second}_{first}", f"the_{first}_{second}", f"{first}_and_{second}", f"{second}_of_{number}")


def people(chance: random.Random, taken: set[str], ways: Ways) -> Iterator[str]:
    """Names, none of them twice; `taken` (lower case) grows."""
    while True:
        first, second = chance.choice(_words()["first"]), chance.choice(_words()["second"])
        name = chance.choice(ways(first, second, chance.randrange(2, 99)))
        if name.lower() not in taken and 3 <= len(name) <= 25:
            taken.add(name.lower())
            yield name


def _moment(chance: random.Random, between: Moments) -> int:
    """A moment from the first one up to, but not including, the second one."""
    start, end = (times.parse(moment) for moment in between)
    if end <= start:
        raise ValueError(f"expected a later moment than {between[0]}, got {between[1]}")
    return chance.randrange(start, end)


def votes(written: VoteList, taken: set[str]) -> list[Row]:
    """The rows of a list of votes, oldest first."""
    chance, rows = random.Random(written.seed), []  # noqa: S311 (believable lists, no secrets)
    name = people(chance, set(taken), voters)
    for group in written.groups:
        if group.down > group.count:
            raise ValueError(f"{group.down} votes against among {group.count}")
        for number in range(group.count):
            at, registered = _moment(chance, group.at), _moment(chance, group.registered)
            row: Row = {"submission": written.submission, "user": next(name), "created": at, "registered": registered}
            rows.append(row | {"choice": "down" if number < group.down else "up"})
    return sorted(rows, key=lambda row: (row["created"], row["user"]))


def log_lines(written: LogLines, taken: set[str]) -> tuple[list[Row], list[Row]]:
    """The members concerned (rows of `user`), and the lines."""
    chance = random.Random(written.seed)  # noqa: S311
    name = people(chance, taken, regulars)
    joined = ("2016-06-01 00:00", written.at[0])
    members = [
        {"name": next(name), "created": _moment(chance, joined), "biography": ""} for _ in range(written.count // 8 + 4)
    ]
    lines: list[Row] = []
    for _ in range(written.count):
        action = chance.choices(("comment_deletion", "submission_deletion", "submission_lock"), (14, 5, 1))[0]
        line: Row = {"forum": written.forum, "action": action, "moderator": chance.choice(written.moderators)}
        line |= {"user": chance.choice(members)["name"], "submission": None, "about": chance.choice(written.threads)}
        line |= {"comment": 1 if action == "comment_deletion" else None, "created": _moment(chance, written.at)}
        lines.append(line | {"reason": "" if action == "submission_lock" else chance.choice(written.reasons)})
    return members, lines


def contributions(written: Contributions) -> list[Row]:
    """The rows of a member's archived contributions, oldest first."""
    chance = random.Random(written.seed)  # noqa: S311 (believable lists, no secrets)
    rows = []
    for kind in ["submission"] * written.submissions + ["comment"] * written.comments:
        row: Row = {"user": written.user, "forum": chance.choice(written.forums), "kind": kind}
        rows.append(row | {"about": chance.choice(written.threads), "created": _moment(chance, written.at)})
    return sorted(rows, key=lambda row: (row["created"], row["about"]))
