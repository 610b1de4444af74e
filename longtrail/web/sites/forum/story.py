"""Story: what a case adds to the forum's world, in the compact form of a task's `story` entry, and the resulting rows.

Moments are `2026-01-16 09:12` (UTC) or, for comments, `+1d4h`, `+35m` after the submission. Votes are `[up, down]`.
Ids of submissions are given (addresses contain them) and must agree with their time: `names.submission_id` gives the
smallest; a comment without one gets the first free id of its time.
"""

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, TypeAdapter

from longtrail.records.record import Record
from longtrail.web.sites.forum import bulk, names, times
from longtrail.web.sites.forum.bulk import Row, Rows

Votes = tuple[Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0)]]
LogAction = Literal[
    "submission_deletion",
    "submission_restored",
    "submission_lock",
    "submission_unlock",
    "comment_deletion",
    "comment_restored",
]


def _fits(pattern: re.Pattern[str]) -> AfterValidator:
    def check(name: str) -> str:
        if not pattern.match(name):
            raise ValueError(f"{name!r} is not a name that the forum allows")
        return name

    return AfterValidator(check)


UserName = Annotated[str, _fits(names.USER)]
ForumName = Annotated[str, _fits(names.FORUM)]


class Member(Record):
    """Somebody who is not in the crowd."""

    name: UserName
    joined: str
    biography: str = ""


class Removal(Record):
    """A moderator's deletion: it is in the trash and in the log."""

    by: UserName
    at: str
    reason: str


class WrittenComment(Record):
    """A comment and the replies to it."""

    by: UserName
    at: str
    text: Annotated[str, Field(min_length=1)]
    votes: Votes = (1, 0)
    removed: Removal | None = None
    replies: tuple["WrittenComment", ...] = ()


class Lock(Record):
    """Who locked it, and when."""

    by: UserName
    at: str


class Submitted(Record):
    """A submission with its comments."""

    id: int
    forum: ForumName
    by: UserName
    at: str
    title: Annotated[str, Field(min_length=1, max_length=300)]
    body: str = ""
    url: str = ""
    image: str = ""
    redrawn: bool = False
    """A twin's picture, at the address of its task's."""
    votes: Votes = (1, 0)
    flairs: Annotated[tuple[str, ...], Field(max_length=3)] = ()
    pinned: bool = False
    locked: Lock | None = None
    removed: Removal | None = None
    comments: tuple[WrittenComment, ...] = ()


class AddedComments(Record):
    """Comments on a submission of the crowd."""

    on: int
    comments: tuple[WrittenComment, ...]


class LoggedAction(Record):
    """A line of the moderation log about something in the world."""

    forum: ForumName
    at: str
    moderator: UserName
    action: LogAction
    user: UserName
    submission: int | None = None
    reason: str = ""


class Banned(Record):
    """A ban; the log also lists it."""

    forum: ForumName
    user: UserName
    at: str
    by: UserName
    reason: str
    expires: str | None = None


class WikiArticle(Record):
    """A wiki page, or, if the path exists, its next revision."""

    path: Annotated[str, _fits(names.WIKI)]
    title: str
    by: UserName
    at: str
    body: Annotated[str, Field(min_length=1)]
    locked: bool = False
    revision: int | None = None
    """The number of this revision, for tasks that name its page; otherwise the next free one."""


class ForumStory(Record):
    """Everything a case adds."""

    users: tuple[Member, ...] = ()
    submissions: tuple[Submitted, ...] = ()
    comments: tuple[AddedComments, ...] = ()
    log: tuple[LoggedAction, ...] = ()
    bans: tuple[Banned, ...] = ()
    wiki: tuple[WikiArticle, ...] = ()
    votes: tuple[bulk.VoteList, ...] = ()
    log_lines: tuple[bulk.LogLines, ...] = ()
    contributions: tuple[bulk.Contributions, ...] = ()
    lists: tuple[str, ...] = ()
    """Addresses of filtered lists that show a fact: no link leads to them, so they are named for the check of pages."""


STORY: TypeAdapter[ForumStory] = TypeAdapter(ForumStory)


TABLES = ("user", "submission", "flair", "comment", "ban", "log", "wiki", "wiki_revision", "ballot", "archive")
"""The tables that stories fill, in this order."""


class StoryRows:
    """Turns stories into rows, one after the other; it knows the ids and wiki paths that the crowd uses."""

    def __init__(
        self,
        submissions: Iterable[int] = (),
        comments: Iterable[int] = (),
        articles: Iterable[str] = (),
        members: Iterable[str] = (),
    ) -> None:
        self.rows: Rows = {table: [] for table in TABLES}
        self._submissions = set(submissions)
        self._comments = set(comments)
        self._articles = {path.lower() for path in articles}
        self._names = {name.lower() for name in members}

    def add(self, story: ForumStory) -> None:
        """Add a story's rows."""
        for member in story.users:
            row = {"name": member.name, "created": times.parse(member.joined), "biography": member.biography}
            self.rows["user"].append(row)
            self._names.add(member.name.lower())
        for submission in story.submissions:
            self._submission(submission)
        for added in story.comments:
            for comment in added.comments:
                self._comment(comment, added.on, None, "", None)
        for line in story.log:
            row = line.model_dump(exclude={"at"}) | {"created": times.parse(line.at)}
            self.rows["log"].append(row)
        for ban in story.bans:
            self._ban(ban)
        for article in story.wiki:
            self._article(article)
        self._bulk(story)

    def _bulk(self, story: ForumStory) -> None:
        for votes in story.votes:
            self.rows["ballot"] += bulk.votes(votes, set(self._names))
        for lines in story.log_lines:
            members, rows = bulk.log_lines(lines, self._names)
            self.rows["user"] += members
            self.rows["log"] += rows
        for earlier in story.contributions:
            self.rows["archive"] += bulk.contributions(earlier)

    def _submission(self, item: Submitted) -> None:
        created = times.parse(item.at)
        if item.id in self._submissions:
            raise ValueError(f"submission id {item.id} is taken, the next one may be free")
        self._submissions.add(item.id)
        row: Row = {"id": item.id, "user": item.by, **({"redrawn": 1} if item.redrawn else {})}
        row |= item.model_dump(include={"forum", "title", "body", "url", "image"})
        row |= {"created": created, "up": item.votes[0], "down": item.votes[1], "pinned": int(item.pinned)}
        row |= {"locked": int(item.locked is not None), "visibility": "trashed" if item.removed else "visible"}
        self.rows["submission"].append(row)
        self.rows["flair"] += [{"submission": item.id, "text": text} for text in item.flairs]
        about = {"forum": item.forum, "user": item.by, "submission": item.id, "comment": None}
        if item.locked:
            self._log("submission_lock", item.locked.by, times.parse(item.locked.at, created), "", about)
        if item.removed:
            self._removal("submission_deletion", item.removed, created, about)
        for comment in item.comments:
            self._comment(comment, item.id, None, item.forum, created)

    def _comment(
        self, comment: WrittenComment, submission: int, parent: int | None, forum: str, start: int | None
    ) -> None:
        created = times.parse(comment.at, start)
        number = names.free(names.comment_id(created), self._comments)
        self.rows["comment"].append(
            {"id": number, "submission": submission, "parent": parent, "user": comment.by, "body": comment.text.strip()}
            | {"created": created, "up": comment.votes[0], "down": comment.votes[1]}
            | {"visibility": "trashed" if comment.removed else "visible"}
        )
        if comment.removed:
            about: Row = {"forum": forum, "user": comment.by, "submission": submission, "comment": number}
            self._removal("comment_deletion", comment.removed, created, about)
        for reply in comment.replies:
            self._comment(reply, submission, number, forum, start)

    def _removal(self, action: str, removal: Removal, start: int, about: Row) -> None:
        self._log(action, removal.by, times.parse(removal.at, start), removal.reason, about)

    def _log(self, action: str, moderator: str, created: int, reason: str, about: Row) -> None:
        self.rows["log"].append(
            {**about, "action": action, "moderator": moderator, "reason": reason, "created": created}
        )

    def _ban(self, ban: Banned) -> None:
        created = times.parse(ban.at)
        expires = times.parse(ban.expires, created) if ban.expires else None
        shared = {"forum": ban.forum, "user": ban.user, "reason": ban.reason, "moderator": ban.by, "created": created}
        self.rows["ban"].append({**shared, "kind": "ban", "expires": expires})
        self.rows["log"].append({**shared, "action": "ban", "expires": expires})

    def _article(self, article: WikiArticle) -> None:
        if article.path.lower() not in self._articles:
            self._articles.add(article.path.lower())
            self.rows["wiki"].append({"path": article.path, "locked": int(article.locked)})
        row = {"path": article.path, "user": article.by, "title": article.title, "body": article.body.strip()}
        numbered = {"id": article.revision} if article.revision else {}
        self.rows["wiki_revision"].append({**numbered, **row, "created": times.parse(article.at)})
