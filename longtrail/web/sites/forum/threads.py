"""Threads: the comments of a submission as a tree or as a list."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from longtrail.web.sites.forum.feeds import COMMENT
from longtrail.web.sites.forum.visit import ForumVisit


@dataclass(slots=True)
class CommentNode:
    """A comment and its replies; `level` counts from 0. A trashed comment stays as a placeholder if it has replies."""

    row: sqlite3.Row
    level: int
    replies: list["CommentNode"] = field(default_factory=list)


def comments_of(visit: ForumVisit, submission: int) -> list[sqlite3.Row]:
    """All comments of a submission, trashed ones included, oldest first."""
    return visit.all(f"{COMMENT} WHERE c.submission = ? ORDER BY c.created, c.id", submission)


def tree(rows: Sequence[sqlite3.Row], root: int | None = None) -> list[CommentNode]:
    """The comments below `root` (None: the submission) as nested nodes, best first, without branches that have no
    visible comment."""
    children: dict[int | None, list[sqlite3.Row]] = {}
    for row in rows:
        children.setdefault(row["parent"], []).append(row)
    return _below(children, root, 0)


def branch(rows: Sequence[sqlite3.Row], top: int) -> list[CommentNode]:
    """One comment with all replies below it."""
    children: dict[int | None, list[sqlite3.Row]] = {}
    for row in rows:
        children.setdefault(row["parent"], []).append(row)
    return [CommentNode(row, 0, _below(children, top, 1)) for row in rows if row["id"] == top]


def _below(children: dict[int | None, list[sqlite3.Row]], root: int | None, level: int) -> list[CommentNode]:
    comments = []
    for row in sorted(children.get(root, ()), key=lambda row: (-row["score"], row["id"])):
        node = CommentNode(row, level, _below(children, row["id"], level + 1))
        if row["visibility"] == "visible" or node.replies:
            comments.append(node)
    return comments


def line(rows: Sequence[sqlite3.Row]) -> list[CommentNode]:
    """The visible comments one after another, oldest first."""
    return [CommentNode(row, 0) for row in rows if row["visibility"] == "visible"]
