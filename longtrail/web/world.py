"""World: one episode's private copy of all sites' state. Copied from in-memory templates, deleted afterwards."""

import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from longtrail.clock import NOW
from longtrail.errors import HarnessTrouble, TroubleKind
from longtrail.records.trajectory import Change, Request
from longtrail.web import site_database as state
from longtrail.web.request_log import RequestLog
from longtrail.web.served_bodies import ServedBodies
from longtrail.web.site import Site

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
"""A world's name is a proxy user's name: no colon, no space."""

CLOSING = 5.0
"""Seconds that a closing world waits for cancelled requests."""


class Templates:
    """The initial state of every site, built once per process on first use. Safe to use from several threads."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self.sites: Mapping[str, Site] = {site.name: site for site in sites}
        self._built: dict[str, sqlite3.Connection] = {}
        self._lock = threading.RLock()

    def of(self, name: str) -> sqlite3.Connection:
        """The template database of a site (never handed to a site: worlds copy it)."""
        with self._lock:
            if name not in self._built:
                db = state.connect()
                self.sites[name].build(db)
                state.prepare(db)
                self._built[name] = db
            return self._built[name]

    def copy(self, name: str) -> sqlite3.Connection:
        """A fresh copy of a site's initial state."""
        with self._lock:
            return state.copy(self.of(name))

    def changes(self, name: str, db: sqlite3.Connection) -> list[Change]:
        """The rows of this copy that differ from the site's initial state."""
        with self._lock:
            return state.changes(name, self.of(name), db)


class World:
    """The state of all sites for one episode, and the log of what they served.

    Sites are copied on first access (SQLite's backup API, a few milliseconds). Safe to use from several threads:
    the front serves from its own while the episode reads.
    """

    def __init__(self, name: str, templates: Templates, now: datetime = NOW) -> None:
        if not NAME.fullmatch(name):
            raise ValueError(f"a world's name is letters, digits, dots, hyphens and underscores, not {name!r}")
        self.name = name
        self.now = now
        self.token = secrets.token_urlsafe(24)
        """The proxy password: it gives access to this world."""
        self.log = RequestLog()
        self.sealed = True
        """Whether the web is embedded; False for real sites, whose clock and scripts can't be controlled."""
        self.homes: frozenset[str] = frozenset()
        """Registrable domains that the task needs: if one of these live sites blocks us, the episode ends."""
        self.origins: dict[str, Site] = {}
        """Own apps that this world can reach: `http://127.0.0.1:8000` -> the site that answers there."""
        self.on_close: list[Callable[[], None]] = []
        """Functions that are called once, when the world closes."""
        self._templates = templates
        self._dbs: dict[str, sqlite3.Connection] = {}
        self._lock = threading.RLock()
        self._closed = False

    @property
    def requests(self) -> list[Request]:
        """Every request so far; only grows."""
        return self.log.requests

    @property
    def arrivals(self) -> list[float]:
        """The time of each request, in seconds of the wall clock; only grows."""
        return self.log.arrivals

    @property
    def violations(self) -> list[str]:
        """Every attempt to leave the sealed web so far, one line each; only grows."""
        return self.log.violations

    @property
    def faults(self) -> list[str]:
        """Tracebacks of sites that failed while answering; only grows."""
        return self.log.faults

    @property
    def fault_kind(self) -> TroubleKind:
        """The kind of trouble of the last fault."""
        return self.log.fault_kind

    def keep_bodies(self) -> ServedBodies:
        """Keep the bodies of answers from now on (or continue); returns the store."""
        self.log.bodies = self.log.bodies or ServedBodies()
        return self.log.bodies

    def pending(self) -> int:
        """The number of this world's requests that are being answered now."""
        return self.log.pending()

    def db(self, site: str) -> sqlite3.Connection:
        """This world's database of a site: autocommit, rows as `sqlite3.Row`. Raises HarnessTrouble when closed."""
        with self._lock:
            self._check_open()
            if site not in self._dbs:
                self._dbs[site] = self._templates.copy(site)
            return self._dbs[site]

    def fork(self, name: str) -> "World":
        """A copy of this world as it is now, with an empty log; its changes are still relative to the template."""
        twin = World(name, self._templates, self.now)
        twin.sealed, twin.homes, twin.origins = self.sealed, self.homes, self.origins
        with self._lock:
            self._check_open()
            twin._dbs = {site: state.copy(db) for site, db in self._dbs.items()}
        return twin

    def changes(self) -> tuple[Change, ...]:
        """Every row that differs from the template, by site, table and key."""
        with self._lock:
            self._check_open()
            each = [self._templates.changes(site, self._dbs[site]) for site in sorted(self._dbs)]
            return tuple(change for site in each for change in site)

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


def in_world(app: "ASGIApp", world: World) -> "ASGIApp":
    """The app with this world in every request's scope."""

    async def inner(scope: "Scope", receive: "Receive", send: "Send") -> None:
        await app({**scope, "world": world}, receive, send)

    return inner
