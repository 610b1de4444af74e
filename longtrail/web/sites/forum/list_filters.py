"""Filters of the long lists: a forum's log, the votes on a submission, a member's activity report."""

from abc import ABC, abstractmethod
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from longtrail.web.sites.forum.feeds import Where
from longtrail.web.sites.forum.visit import ForumVisit

ACTIONS = {
    "submission_deletion": "deleted submission",
    "submission_restored": "restored submission",
    "submission_lock": "locked submission",
    "submission_unlock": "unlocked submission",
    "comment_deletion": "deleted comment",
    "comment_restored": "restored comment",
    "ban": "banned",
    "unban": "unbanned",
}


class ListFilter(ABC):
    """The fields of a list's filter as sent, what is wrong with them, and the condition that they make."""

    fields: tuple[str, ...] = ()

    def __init__(self, visit: ForumVisit) -> None:
        self.given = {name: visit.query(name).strip() for name in self.fields}
        self.errors: list[str] = []
        self.where = Where("1")
        for name, value in self.given.items():
            if value:
                self._narrow(name, value)

    @property
    def asked(self) -> bool:
        """Whether any field was filled in."""
        return any(self.given.values())

    @property
    def query(self) -> str:
        """The filter as the end of an address; empty if nothing is filtered."""
        params = {name: value for name, value in self.given.items() if value}
        return f"?{urlencode(params)}" if params else ""

    @abstractmethod
    def _narrow(self, name: str, value: str) -> None:
        """Add the condition of a field that was filled in."""

    def _since(self, column: str, label: str, value: str) -> None:
        if at := self._moment(label, value):
            self.where &= Where(f"{column} >= ?", (int(at.timestamp()),))

    def _until(self, column: str, label: str, value: str) -> None:
        """Up to the whole day or minute that is named."""
        if at := self._moment(label, value):
            end = at + (timedelta(days=1) if len(value) == 10 else timedelta(minutes=1))
            self.where &= Where(f"{column} < ?", (int(end.timestamp()),))

    def _moment(self, label: str, value: str) -> datetime | None:
        try:
            at = datetime.fromisoformat(value).replace(tzinfo=UTC)
            at + timedelta(days=1)  # the end of the last day of all can't be told
            return at
        except (ValueError, OverflowError):
            self.errors.append(f"{label}: write a date as 2026-03-01, or a moment as 2026-03-01 18:30.")
            return None

    def _holds(self, column: str, value: str) -> None:
        text = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        self.where &= Where(f"{column} LIKE ? ESCAPE '\\'", (f"%{text}%",))


class LogFilter(ListFilter):
    """Lines about a member, by a moderator, of one action, with words in the reason, in a period."""

    fields = ("user", "moderator", "action", "reason", "from", "to")

    def _narrow(self, name: str, value: str) -> None:
        if name in ("user", "moderator"):
            self.where &= Where(f"l.{name} = ? COLLATE NOCASE", (value.removeprefix("u/"),))
        elif name == "action":
            self.where &= Where("l.action = ?", (value,))
        elif name == "reason":
            self._holds("l.reason", value)
        elif name == "from":
            self._since("l.created", "From", value)
        else:
            self._until("l.created", "To", value)


class VoteFilter(ListFilter):
    """Votes for or against, in a period, of accounts that were registered in another one."""

    fields = ("user", "choice", "from", "to", "registered_from", "registered_to")

    def _narrow(self, name: str, value: str) -> None:
        if name == "user":
            self._holds("b.user", value)
        elif name == "choice":
            self.where &= Where("b.choice = ?", (value,))
        else:
            column = "b.registered" if name.startswith("registered") else "b.created"
            label = {"from": "Voted from", "to": "Voted to"}.get(name, name.replace("_", " ").capitalize())
            (self._since if name.endswith("from") else self._until)(column, label, value)


class ActivityFilter(ListFilter):
    """Contributions in a period, of one kind, in one forum."""

    fields = ("from", "to", "kind", "forum")

    def _narrow(self, name: str, value: str) -> None:
        if name == "kind":
            self.where &= Where("a.kind = ?", (value,))
        elif name == "forum":
            self.where &= Where("a.forum = ? COLLATE NOCASE", (value.removeprefix("/f/").removeprefix("f/"),))
        elif name == "from":
            self._since("a.created", "From", value)
        else:
            self._until("a.created", "To", value)
