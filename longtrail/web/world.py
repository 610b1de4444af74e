"""World: one episode's private copy of all sites' state. Copied from in-memory templates, deleted afterwards."""

import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from longtrail.clock import NOW
from longtrail.errors import HarnessTrouble
from longtrail.records.trajectory import Change
from longtrail.tasks.hard import AddedRow
from longtrail.tasks.shifts.shift import Shift, ShiftTask
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web import site_database as state
from longtrail.web.request_log import RequestLog
from longtrail.web.site import Edition, Site, edition_of
from longtrail.web.site_session import SiteSession, write

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

CLOSING = 5.0
"""Seconds that a closing world waits for cancelled requests."""
_STATES: WeakKeyDictionary[Site, dict[Edition, bytes]] = WeakKeyDictionary()
"""Site -> its initial states, as far as they were needed: up to two megabytes each."""


def initial_state(site: Site, edition: Edition) -> bytes:
    """A site's initial state, as SQLite would write it to a file. Kept as long as the site, because a process may open
    several webs, and workers that are forked from one process share these bytes, unlike the objects behind them."""
    states = _STATES.setdefault(site, {})
    if edition not in states:
        with closing(_built(site, edition)) as db:
            states[edition] = db.serialize()
    return states[edition]


def _built(site: Site, edition: Edition) -> sqlite3.Connection:
    db = state.connect()
    site.build(db, edition)
    state.prepare(db)
    return db


class Templates:
    """The initial state of every site, built once per process on first use. Safe to use from several threads."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self.sites: Mapping[str, Site] = {site.name: site for site in sites}
        self._built: dict[tuple[str, str], tuple[Edition, sqlite3.Connection]] = {}
        """Of a site's shifts only the last one is kept: each has a world of its own."""
        self._lock = threading.RLock()

    def of(self, name: str, edition: Edition = "usual") -> sqlite3.Connection:
        """The template database of a site (never handed to a site: worlds copy it)."""
        if isinstance(edition, Shift) and edition.site != name:
            edition = "usual"
        key = name, "shift" if isinstance(edition, Shift) else edition
        with self._lock:
            built, db = self._built.get(key, (None, None))
            if db is None or (built is not edition and built != edition):
                db = self._build(name, edition)
                self._built[key] = edition, db
            return db

    def _build(self, name: str, edition: Edition) -> sqlite3.Connection:
        site = self.sites[name]
        if isinstance(edition, Shift):
            return _built(site, edition)
        db = state.connect()
        db.deserialize(initial_state(site, edition))
        return db

    def copy(self, name: str, edition: Edition = "usual") -> sqlite3.Connection:
        """A fresh copy of a site's initial state."""
        with self._lock:
            return state.copy(self.of(name, edition))

    def changes(self, name: str, db: sqlite3.Connection, edition: Edition = "usual") -> list[Change]:
        """The rows of this copy that differ from the site's initial state."""
        with self._lock:
            return state.changes(name, self.of(name, edition), db)


class World:
    """The state of all sites for one episode, and the log of what they served.

    Sites are copied on first access (SQLite's backup API, a few milliseconds). Safe to use from several threads:
    the proxy serves from its own while the episode reads.
    """

    def __init__(self, name: str, templates: Templates, now: datetime = NOW, log: RequestLog | None = None) -> None:
        self.name = name
        self.now = now
        self.user, self.token = secrets.token_hex(8), secrets.token_urlsafe(24)
        """The proxy's user name and password: they give access to this world."""
        self.log = log or RequestLog()
        self.sealed = True
        """Whether the web is embedded; False for real sites, whose clock and scripts can't be controlled."""
        self.home_domains: frozenset[str] = frozenset()
        """Registrable domains that the task needs: if one of these live sites blocks us, the episode ends."""
        self.origins: dict[str, Site] = {}
        """Own apps that this world can reach: `http://127.0.0.1:8000` -> the site that answers there."""
        self.edition: Edition = "usual"
        """Which state the sites begin with."""
        self.session = SiteSession()
        """The state of the user's session, and the events of the task that is played."""
        self.on_close: list[Callable[[], None]] = []
        """Functions that are called once, when the world closes."""
        self._templates = templates
        self._dbs: dict[str, sqlite3.Connection] = {}
        self._lock = threading.RLock()
        self._closed = False

    def db(self, site: str) -> sqlite3.Connection:
        """This world's database of a site: autocommit, rows as `sqlite3.Row`. Raises HarnessTrouble when closed."""
        with self._lock:
            self._check_open()
            if site not in self._dbs:
                self._dbs[site] = self._templates.copy(site, self.edition)
            return self._dbs[site]

    def stage(self, task: Task) -> None:
        """Prepare for a task, before any site is used: the state that its suite's tasks begin with, and its events."""
        if isinstance(task, DecisionTask | ShiftTask):
            self.edition = edition_of(task)
            if isinstance(task, DecisionTask) and task.hard:
                self.session = SiteSession(task.events)

    def fork(self, name: str) -> "World":
        """A copy of this world as it is now, with an empty log; its changes are still relative to the template."""
        fork = World(name, self._templates, self.now)
        fork.continue_from(self)
        return fork

    def continue_from(self, other: "World") -> None:
        """Take over the state of another world, before any site is used."""
        self.now, self.sealed, self.edition = other.now, other.sealed, other.edition
        self.home_domains, self.origins, self.session = other.home_domains, other.origins, other.session.copy()
        with other._lock:
            other._check_open()
            self._dbs = {site: state.copy(db) for site, db in other._dbs.items()}

    def changes(self) -> tuple[Change, ...]:
        """Every row that differs from the template, by site, table and key, but those that the world added itself."""
        return tuple(self.session.of_agent(self._changes()))

    def _changes(self) -> list[Change]:
        with self._lock:
            self._check_open()
            site_changes = [self._templates.changes(site, db, self.edition) for site, db in sorted(self._dbs.items())]
            return [change for site in site_changes for change in site]

    def add(self, rows: Iterable[AddedRow]) -> None:
        """Add records that do not come from the agent. Raises sqlite3.Error if one does not fit its table."""
        for added in rows:
            before = {(change.site, change.table, change.key) for change in self._changes()}
            write(self.db(added.site), added, self.now.replace(tzinfo=None) if added.site == "shopadmin" else self.now)
            for change in self._changes():
                key = (change.site, change.table, change.key)
                if key not in before and change.table == added.table:
                    self.session.added[key] = change.after

    def answer_messages(self) -> None:
        """Add the answers to the messages that the agent has sent."""
        if self.session.events.replies:
            self.add(self.session.due(self.changes()))

    def close(self) -> None:
        """Delete the copies and refuse access. May be called again."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        for call in self.on_close:
            call()
        if self.log.wait_quiet(0, CLOSING):  # otherwise a site is still using them: freed when it is done
            for db in self._dbs.values():
                db.close()
        self._dbs.clear()

    def _check_open(self) -> None:
        if self._closed:
            raise HarnessTrouble("harness_bug", f"world {self.name} is closed")


async def whole_answer(app: "ASGIApp", scope: "Scope", receive: "Receive") -> "tuple[Message, bytes]":
    """An app's answer once it is complete: its start (empty if there is no answer), and its body."""
    start: Message = {}
    body = bytearray()

    async def hold(message: "Message") -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            body.extend(message.get("body", b""))

    await app(scope, receive, hold)
    return start, bytes(body)


def in_world(app: "ASGIApp", world: World) -> "ASGIApp":
    """The app with this world in every request's scope."""

    async def inner(scope: "Scope", receive: "Receive", send: "Send") -> None:
        await app({**scope, "world": world}, receive, send)

    return inner
