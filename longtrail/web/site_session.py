"""Site session: carries out a task's events in a world: counts pages, lets the session expire, answers messages.

Each world has one session. Sites ask it before they answer (`longtrail/web/staged_app.py`).
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from longtrail.records.trajectory import Change
from longtrail.tasks.hard import NOW, AddedRow, WorldEvents

Gate = Literal["", "sign_in", "notice"]
_NONE = object()
BOOKKEEPING = frozenset(
    {("shopadmin", "report_statistics"), ("shopadmin", "inbox_message"), ("forum", "inbox_message")}
)
"""Tables that change by themselves: the times of the last counts, which refreshing reports updates, and the inbox of a
shift. These are not changes by the agent."""
USUAL: Mapping[str, Mapping[str, object]] = {
    "sales_order_status_history": {
        "status": "complete",
        "created_at": NOW,
        "is_customer_notified": 0,
        "is_visible_on_front": 0,
    },
    "message": {"thread": 0, "created": NOW},
    "comment": {"created": NOW, "up": 1},
}
"""Table -> values of the columns that an added row may leave out."""


@dataclass
class SiteSession:
    """The user's session in one world."""

    events: WorldEvents = field(default_factory=WorldEvents)
    pages: int = 0
    """Pages asked for so far."""
    expired: bool = False
    signed_in_again: bool = False
    notice_open: bool = False
    noticed: bool = False
    wanted: str = ""
    """The last page that was requested while the session was expired or the notice was open."""
    answered: frozenset[int] = frozenset()
    """The numbers of the replies that were given."""
    added: dict[tuple[str, str, str], dict[str, Any] | None] = field(default_factory=dict)
    """The rows that the world added: site, table and key -> the row as it was added."""

    def copy(self) -> "SiteSession":
        """A session in the same state."""
        return replace(self, added=dict(self.added))

    def of_agent(self, changes: Sequence[Change]) -> list[Change]:
        """The changes without those of BOOKKEEPING and without the rows that the world added and nobody changed."""
        changes = [c for c in changes if (c.site, c.table) not in BOOKKEEPING]
        return [c for c in changes if self.added.get((c.site, c.table, c.key), _NONE) != c.after]

    def gate(self, address: str) -> Gate:
        """Count a requested page. Returns what the user gets instead of it; empty: the page itself."""
        self.pages += 1
        expires, notice = self.events.expires, self.events.notice
        if expires is not None and not self.signed_in_again and self.pages > expires.after_requests:
            self.expired = True
        if notice is not None and not self.noticed and self.pages > notice.after_requests:
            self.notice_open = True
        if self.expired or self.notice_open:
            self.wanted = address
        return "sign_in" if self.expired else "notice" if self.notice_open else ""

    def sign_in(self) -> str:
        """Sign in again; returns the page that was wanted, or nothing."""
        self.signed_in_again, self.expired = True, False
        return self.wanted

    def dismiss(self) -> str:
        """Dismiss the notice; returns the page that was wanted, or nothing."""
        self.noticed, self.notice_open = True, False
        return self.wanted

    def due(self, changes: Sequence[Change]) -> tuple[AddedRow, ...]:
        """The rows that answer the messages among these changes. Each answer is returned only once."""
        new = [
            number
            for number, reply in enumerate(self.events.replies)
            if number not in self.answered and any(reply.to.fits(change) for change in changes)
        ]
        self.answered = self.answered | {*new}
        return tuple(row for number in new for row in self.events.replies[number].adds)


def write(db: sqlite3.Connection, added: AddedRow, now: datetime) -> None:
    """Insert the row. Raises sqlite3.Error if it does not fit its table."""
    columns = db.execute("SELECT name, type FROM pragma_table_info(?)", (added.table,)).fetchall()
    declared = {row["name"]: str(row["type"]) for row in columns}
    values = {**USUAL.get(added.table, {}), **added.row}
    filled = {name: _moment(declared.get(name, ""), now) if value == NOW else value for name, value in values.items()}
    names, marks = ", ".join(f'"{name}"' for name in filled), ", ".join("?" * len(filled))
    db.execute(f'INSERT INTO "{added.table}" ({names}) VALUES ({marks})', tuple(filled.values()))  # noqa: S608


def _moment(kind: str, now: datetime) -> object:
    return int(now.timestamp()) if kind.upper().startswith("INT") else f"{now:%Y-%m-%d %H:%M:%S}"
