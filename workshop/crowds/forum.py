"""Makes the forum's checked-in crowd from written material. `python -m workshop.crowds.forum` writes it again.

People wrote the texts (`workshop/crowds/written/`). A fixed seed determines which regular member
says each, when, and with how many votes. The output is the same, byte for byte, each time.
"""

import json
import random
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from longtrail.clock import NOW
from longtrail.paths import NOTICE, WORLDS
from longtrail.web.sites.forum import names, times
from longtrail.web.sites.forum.bulk import Row, Rows
from longtrail.web.sites.forum.story import (
    Banned,
    ForumStory,
    Lock,
    Member,
    Removal,
    StoryRows,
    Submitted,
    WikiArticle,
    WrittenComment,
)
from longtrail.web.sites.forum.visit import MODERATOR
from workshop.crowds import forum_written as written
from workshop.crowds.forum_written import Forum, People, WrittenPage, WrittenThread
from workshop.policies.forum_matters import LIMITS

CROWD = WORLDS / "forum" / "crowd.json"
SEED = 20_260_317
OPENED = datetime(2016, 5, 9, tzinfo=UTC)
"""When the community opened."""
SETTLED = datetime(2024, 12, 1, tzinfo=UTC)
"""Regular members joined before this day, so stories may let them write at any time after it."""
FORMAT = "%Y-%m-%d %H:%M"


class ForumCrowd:
    """The random draw of speakers, times and votes."""

    def __init__(self, forums: tuple[Forum, ...]) -> None:
        self.forums = forums
        self.first: dict[str, datetime] = {}
        """The time of each member's first contribution; they joined before it."""
        self.regulars = {name for forum in forums for name in forum.regulars.split()}
        self.ids = self._numbered()

    def draw(self, *key: object) -> random.Random:
        """A separate generator for each thing, so adding one does not change the others."""
        return random.Random(zlib.crc32(repr((SEED, *key)).encode()))  # noqa: S311 (a seeded choice, no secret)

    def _numbered(self) -> dict[tuple[str, str], tuple[datetime, int]]:
        """The start time and id of each thread, by forum and title. Later threads have higher ids."""
        begun = []
        for forum in self.forums:
            for thread in forum.threads:
                age = _age(thread.age) if thread.age else _some_age(self.draw("age", forum.name, thread.t))
                begun.append((NOW - age, forum.name, thread.t))
        used: set[int] = set()
        ids = {}
        for at, forum_name, title in sorted(begun):
            ids[forum_name, title] = (at, names.free(names.submission_id(int(at.timestamp())), used))
        return ids

    def heard(self, name: str, at: datetime) -> str:
        self.first[name] = min(self.first.get(name, at), at)
        return name

    def stories(self) -> Iterator[ForumStory]:
        """One record per forum."""
        for forum in self.forums:
            neighbours = [other for other in self.forums if other is not forum and _near(other, forum)]
            visitors = sorted({name for other in neighbours for name in other.regulars.split()})
            yield ForumStory(
                submissions=tuple(self._thread(forum, thread, visitors) for thread in forum.threads),
                bans=tuple(self._bans(forum)),
            )

    def _bans(self, forum: Forum) -> Iterator[Banned]:
        for ban in forum.bans:
            draw = self.draw("ban", forum.name, ban.user, ban.ago)
            at = NOW - timedelta(days=ban.ago, minutes=draw.randrange(1200))
            expires = (at + timedelta(days=ban.days)).strftime(FORMAT) if ban.days else None
            by = self.heard(draw.choice(forum.mods), at)
            self.heard(ban.user, at)
            yield Banned(
                forum=forum.name, user=ban.user, at=at.strftime(FORMAT), by=by, reason=ban.reason, expires=expires
            )

    def _thread(self, forum: Forum, thread: WrittenThread, visitors: list[str]) -> Submitted:
        draw = self.draw("thread", forum.name, thread.t)
        at, number = self.ids[forum.name, thread.t]
        cast = [name for name in forum.regulars.split() if name != thread.by]
        draw.shuffle(cast)
        author = thread.by or cast.pop()
        passers = draw.sample(visitors, min(2, len(visitors)))
        speakers = [name for name in (*cast[:7], *passers) if name != author]
        draw.shuffle(speakers)
        moderator = draw.choice(forum.mods)
        reach = forum.subscribers**0.42 * (0.35 + min(len(thread.c), 8) / 5)
        up = max(2, round(reach * draw.lognormvariate(0, 0.7)))
        down = round(up * draw.choice((0.02, 0.05, 0.08, 0.14))) if not thread.rm else up + draw.randrange(1, 9)
        self.heard(author, at)
        stage = _Stage(self, draw, author, moderator, speakers, at, up)
        removal, lock = None, None
        if thread.rm:
            removal = Removal(
                by=self.heard(moderator, at), at=f"+{draw.randrange(1, 9)}h{draw.randrange(60)}m", reason=thread.rm
            )
        if thread.lock:
            lock = Lock(by=self.heard(moderator, at), at=f"+{draw.randrange(9, 40)}h{draw.randrange(60)}m")
        return Submitted(
            id=number,
            forum=forum.name,
            by=author,
            at=at.strftime(FORMAT),
            title=thread.t,
            body=thread.b.strip(),
            url=thread.u,
            votes=(up, down),
            flairs=thread.f,
            pinned=thread.pin,
            locked=lock,
            removed=removal,
            comments=tuple(stage.say(comment, at, True) for comment in thread.c),
        )


class _Stage:
    """One thread's conversation: the next speaker, and the current time."""

    def __init__(
        self,
        crowd: ForumCrowd,
        draw: random.Random,
        author: str,
        moderator: str,
        speakers: list[str],
        at: datetime,
        up: int,
    ) -> None:
        self.crowd, self.draw, self.author, self.moderator = crowd, draw, author, moderator
        self.waiting, self.start, self.up = speakers, at, up
        self.spoken = 0

    def say(self, written: Any, after: datetime, top: bool) -> WrittenComment:
        """A written comment with its replies, all later than `after` and before now."""
        text, replies = (written, ()) if isinstance(written, str) else (written[0], written[1:])
        speaker, text, reason = self._speaker(text)
        left = (NOW - after).total_seconds() / 60
        wait = min(self.draw.lognormvariate(4.2 if top else 3.6, 1.1), left * 0.6)
        at = after + timedelta(minutes=max(1.0, wait))
        at = at.replace(second=0, microsecond=0)
        self.spoken += 1
        share = self.draw.uniform(0.05, 0.75) / self.spoken**0.5 * (1 if top else 0.6)
        up = max(1, round(self.up * share))
        down = self.draw.choice((0, 0, 0, 1, max(1, up // 8)))
        removal = None
        if reason:
            self.crowd.heard(self.moderator, at)
            down += up + self.draw.randrange(1, 6)
            removal = Removal(by=self.moderator, at=at.strftime(FORMAT), reason=reason)
        return WrittenComment(
            by=self.crowd.heard(speaker, at),
            at=at.strftime(FORMAT),
            text=text,
            votes=(up, down),
            removed=removal,
            replies=tuple(self.say(reply, at, False) for reply in replies),
        )

    def _speaker(self, text: str) -> tuple[str, str, str]:
        """The speaker, the text, and why it was deleted (empty: it was not)."""
        reason = ""
        if text.startswith("rm| "):
            _, reason, text = (part.strip() for part in text.split("|", 2))
        name, bar, words = text.partition("| ")
        if bar and " " not in name:
            speaker = {"op": self.author, "mod": self.moderator}.get(name, name)
            if speaker in self.waiting:
                self.waiting.remove(speaker)
            return speaker, words, reason
        speaker = self.waiting.pop(0) if self.waiting else self.author
        return speaker, text, reason


def _near(post: Forum, other: Forum) -> bool:
    return bool({*post.tags.split()} & {*other.tags.split()})


def _age(text: str) -> timedelta:
    """An age as written in the data, such as `3d5h`."""
    return timedelta(seconds=times.parse(f"+{text}", 0))


def _some_age(draw: random.Random) -> timedelta:
    """A time: mostly recent, at most about fourteen months ago, and more often by day than at
    night."""
    days = draw.choice((draw.uniform(0.1, 2), draw.uniform(1, 14), draw.uniform(5, 60), draw.uniform(30, 420)))
    at = NOW - timedelta(days=days)
    if at.hour in (3, 4, 5, 6, 7, 8, 9):
        at -= timedelta(hours=draw.randrange(7, 12))
    return NOW - at


def crowd_rows(forums: tuple[Forum, ...], pages: tuple[WrittenPage, ...], people: People) -> Rows:
    """The whole crowd as rows by table."""
    crowd = ForumCrowd(forums)
    story_rows = StoryRows()
    for story in crowd.stories():
        story_rows.add(story)
    story_rows.add(ForumStory(wiki=tuple(_article(crowd, page) for page in pages)))
    for name in sorted(crowd.regulars | {name for forum in forums for name in forum.mods} | {MODERATOR}):
        crowd.heard(name, NOW)
    story_rows.add(ForumStory(users=tuple(_members(crowd, people))))
    made = story_rows.rows
    made["log"].sort(key=lambda row: row["created"])
    made["ban"].sort(key=lambda row: row["created"])
    return {"forum": [_forum(forum) for forum in forums], "moderator": list(_moderators(crowd, forums)), **made}


def _article(crowd: ForumCrowd, page: WrittenPage) -> WikiArticle:
    crowd.heard(page.by, datetime.fromisoformat(page.at).replace(tzinfo=UTC))
    body = page.body.format(**LIMITS) if page.path.startswith("moderation") else page.body
    return WikiArticle(**page.model_dump(exclude={"body"}), body=body)


def _members(crowd: ForumCrowd, people: People) -> Iterator[Member]:
    """All members with a contribution, in the order in which they joined."""
    joined = {name: _joined(crowd, name, first, people) for name, first in crowd.first.items()}
    for name, at in sorted(joined.items(), key=lambda item: (item[1], item[0])):
        yield Member(name=name, joined=at.strftime(FORMAT), biography=people.biographies.get(name, ""))


def _joined(crowd: ForumCrowd, name: str, first: datetime, people: People) -> datetime:
    """When a member joined: as written, or some time before their first contribution."""
    if name in people.joined:
        return datetime.fromisoformat(people.joined[name]).replace(tzinfo=UTC)
    draw = crowd.draw("joined", name)
    if name in crowd.regulars:
        first = min(first, SETTLED)
    days = draw.choice((draw.uniform(1, 90), draw.uniform(60, 900), draw.uniform(300, 2600), draw.uniform(900, 3200)))
    return max(first - timedelta(days=days), OPENED + timedelta(minutes=draw.randrange(900_000)))


def _forum(forum: Forum) -> Row:
    rules = "\n".join(f"{number}. {rule}" for number, rule in enumerate(forum.rules, 1))
    sidebar = "\n\n".join(part for part in (forum.intro.strip(), "**Rules**", rules) if part)
    return {
        "name": forum.name,
        "title": forum.title,
        "description": forum.about,
        "sidebar": sidebar,
        "tags": forum.tags,
        "created": times.parse(forum.founded.isoformat()),
        "subscribers": forum.subscribers,
        "featured": int(forum.featured),
    }


def _moderators(crowd: ForumCrowd, forums: tuple[Forum, ...]) -> Iterator[Row]:
    for forum in forums:
        start = times.parse(forum.founded.isoformat())
        for number, name in enumerate(forum.mods):
            late = crowd.draw("moderator", forum.name, name).randrange(1, 500) * 86_400
            yield {"forum": forum.name, "user": name, "created": start + number * late}


def write(rows: Rows, path: Path) -> None:
    """Write JSON with one row per line, so that a changed row is one changed line."""
    tables = [f'"canary": {json.dumps(NOTICE)}']
    for table, entries in rows.items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in entries)
        tables.append(f"{json.dumps(table)}: [\n{lines}\n]")
    path.write_text("{\n" + ",\n".join(tables) + "\n}\n", encoding="utf-8")


def main() -> None:
    """Write `crowd.json`."""
    made = crowd_rows(written.forums(), written.pages(), written.people())
    write(made, CROWD)
    print(f"{CROWD.name}: " + ", ".join(f"{len(entries)} {table}" for table, entries in made.items()))


if __name__ == "__main__":
    main()
