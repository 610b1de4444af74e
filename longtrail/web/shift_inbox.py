"""Shift inbox: the messages of a shift in its site's database: which are waiting, in the inbox, or in the archive.

A site shows the table `inbox_message`. Tickets come in while others are decided; a mail that was opened leaves the
inbox two tickets after it came in. The table belongs to the harness: its changes are not the agent's.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from longtrail.records.trajectory import Change
from longtrail.tasks.shifts.shift import OPEN_TICKETS, Mail, Shift, Ticket

TABLE = "inbox_message"
ARCHIVED_AFTER = 2
"""A mail that was opened leaves the inbox when so many tickets were decided after it came in."""


def write_messages(db: sqlite3.Connection, shift: Shift) -> None:
    """Write all messages of a shift; those that are there at the start are in the inbox."""
    rows = [(m.message, m.id, m.sender, m.subject, m.text, "archived") for m in shift.archived]
    rows += [(m.message, m.id, m.sender, m.subject, m.text, "waiting") for m in shift.messages]
    db.executemany(f"INSERT INTO {TABLE} (id, number, sender, subject, body, status) VALUES (?, ?, ?, ?, ?, ?)", rows)  # noqa: S608 (a constant name)
    _set(db, (ticket.message for ticket in shift.tickets[:OPEN_TICKETS]), "open")
    _set(db, (mail.message for mail in shift.mails if mail.place < OPEN_TICKETS and not mail.answers), "open")


class ShiftInbox:
    """The inbox of one episode."""

    def __init__(self, db: sqlite3.Connection, shift: Shift) -> None:
        self._db, self._shift = db, shift
        self._arrived: dict[int, int] = {mail.message: 0 for mail in shift.mails if self._is(mail.message, "open")}
        """Mails in the inbox -> how many tickets were decided when they came in."""
        self.decided: list[str] = []
        """Numbers of the decided tickets, in order."""

    def problem(self, number: str) -> str:
        """Why this ticket can't be decided; empty if it can."""
        ticket = self._shift.ticket(number)
        if ticket is None or self._is(ticket.message, "waiting"):
            there = [t.id for t in self._shift.tickets if self._is(t.message, "open")]
            return f"there is no ticket {number[:20]!r} in the inbox; open are {', '.join(there) or 'none'}"
        return ""

    def close(self, number: str, changes: Sequence[Change]) -> tuple[Ticket | Mail, ...]:
        """A ticket was decided. Returns what comes in then. `changes`: what the agent has changed in the site."""
        ticket = self._shift.ticket(number)
        assert ticket is not None
        _set(self._db, [ticket.message], "closed")
        if number not in self.decided:
            self.decided.append(number)
        count = len(self.decided)
        old = [
            message
            for message, then in self._arrived.items()
            if count - then >= ARCHIVED_AFTER and self._row(message)["opened"]
        ]
        _set(self._db, old, "archived")
        for message in old:
            del self._arrived[message]
        new = [m for m in self._shift.messages if self._is_due(m, count, changes)]
        _set(self._db, (message.message for message in new), "open")
        self._arrived |= {mail.message: count for mail in new if isinstance(mail, Mail)}
        return tuple(new)

    def _is_due(self, message: Ticket | Mail, count: int, changes: Sequence[Change]) -> bool:
        if message.place - count >= OPEN_TICKETS or not self._is(message.message, "waiting"):
            return False
        answers = message.answers if isinstance(message, Mail) else None
        return answers is None or any(answers.fits(change) for change in changes)

    def _is(self, message: int, status: str) -> bool:
        return bool(self._row(message)["status"] == status)

    def _row(self, message: int) -> sqlite3.Row:
        row: sqlite3.Row = self._db.execute(f"SELECT * FROM {TABLE} WHERE id = ?", (message,)).fetchone()  # noqa: S608
        return row


def _set(db: sqlite3.Connection, messages: Iterable[int], status: str) -> None:
    rows = [(status, message) for message in messages]
    db.executemany(f"UPDATE {TABLE} SET status = ? WHERE id = ?", rows)  # noqa: S608
