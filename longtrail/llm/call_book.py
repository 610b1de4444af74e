"""Call book: the store of model calls as a SQLite file in a run's folder, so that a resumed run keeps what was spent.

One process of a session writes it, from any number of threads. Each decision is one transaction. A try is admitted if
the budget, the model's pause and concurrency, and the requests and tokens of the minute all allow it. Waiting tries
take turns: first comes the contender that used least in the last minute, then the try that has waited longest. So
short prompts can't overtake a long one again and again.

After a 429, the number of calls that the model may have at the same time is halved (once for all calls that were
running then). Each successful call raises it by a part of one, as congestion control does on networks (additive
increase, multiplicative decrease: Chiu and Jain, 1989).
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from longtrail.errors import HarnessTrouble
from longtrail.llm.limits import Admission, CallEnd, CallLimits, CallRequest

FILE = "calls.sqlite"
"""Its name in a run's folder."""
MINUTE = 60.0
LOOK = 0.1
"""Seconds until a waiting try asks again, if nothing better is known."""
LONGEST_LOOK = 1.0
FORGOTTEN = 5.0
"""A try that has not asked again for so many seconds no longer counts as waiting."""
# An id is never used again, because a lost worker may report its call's end late.
_TABLES = """
CREATE TABLE IF NOT EXISTS call
    (id INTEGER PRIMARY KEY AUTOINCREMENT, contender TEXT, model TEXT, tokens INTEGER, usd REAL, at REAL,
     running INTEGER, owner TEXT, asker TEXT);
CREATE TABLE IF NOT EXISTS lost (owner TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS past (usd REAL);
CREATE TABLE IF NOT EXISTS model (name TEXT PRIMARY KEY, pause REAL, allowed REAL, before INTEGER, cut REAL);
CREATE TABLE IF NOT EXISTS waiting (asker TEXT PRIMARY KEY, contender TEXT, model TEXT, since REAL, asked REAL);
"""


@dataclass(frozen=True)
class CallState:
    """The current state of a run's calls, for the live line."""

    requests: int = 0
    """In the last minute."""
    tokens: int = 0
    spent: float = 0.0
    waiting: int = 0
    """Tries that wait for their turn."""
    slowed: tuple[tuple[str, int, float], ...] = ()
    """Models whose server limits the rate: name, calls allowed at once, seconds until the next."""


class CallBook:
    """The calls of one run. Times are from the machine's monotonic clock."""

    def __init__(
        self, folder: Path, limits: CallLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._path, self._limits, self._clock = folder / FILE, limits or CallLimits(), clock
        with self._using() as db:
            db.executescript(_TABLES)

    @property
    def spent(self) -> float:
        """The cost of all finished calls, in USD."""
        with self._using() as db:
            return _spent(db)

    def admit(self, call: CallRequest, owner: str = "") -> Admission:
        """See `CallStore`. `owner`: a worker on another machine, whose calls `lose` ends, too."""
        with self._writing() as db:
            if _query(db, "SELECT COUNT(*) FROM lost WHERE owner = ?", owner):
                return Admission(refused=f"worker {owner} is lost: another plays its case", kind="cancelled")
            now = self._clock()
            self._tidy(db, now)
            again = "SELECT id FROM call WHERE asker = ? AND owner = ? AND running"
            if made := db.execute(again, (call.asker, owner)).fetchone():
                return Admission(ticket=made[0])  # the first answer was lost on its way
            if answer := self._no_money(db, call):
                return answer
            if wait := self._pause(db, call.model, now) or self._turn(db, call, now):
                return Admission(wait=wait)
            db.execute("DELETE FROM waiting WHERE asker = ?", (call.asker,))
            row = (call.contender, call.model, self._counted(call), call.usd, now, True, owner, call.asker)
            added = db.execute("INSERT INTO call VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            return Admission(ticket=added.lastrowid or 0)

    def end(self, ticket: int, end: CallEnd) -> None:
        """See `CallStore`."""
        with self._writing() as db:
            row_started = db.execute("SELECT model, at FROM call WHERE id = ? AND running", (ticket,)).fetchone()
            if row_started is None:
                return
            under_way = _query(db, "SELECT COUNT(*) FROM call WHERE running AND model = ?", row_started[0])
            db.execute("UPDATE call SET running = 0, usd = COALESCE(?, usd) WHERE id = ?", (end.usd, ticket))
            if end.limited:
                self._slow_down(db, row_started[0], row_started[1], int(under_way), end.retry_after)
            elif end.succeeded:
                db.execute("UPDATE model SET allowed = allowed + 1 / allowed WHERE name = ?", (row_started[0],))
                db.execute("UPDATE model SET allowed = NULL WHERE name = ? AND allowed >= before", (row_started[0],))

    def lose(self, owner: str) -> None:
        """End the calls of a lost owner. They may have been billed, so they count as spent. It gets no further call,
        even if it asks later: a worker may still run behind a broken connection."""
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO lost VALUES (?)", (owner,))
            db.execute("UPDATE call SET running = 0 WHERE owner = ?", (owner,))

    def begin_again(self) -> None:
        """Begin a session that continues the run: keep what earlier sessions have spent, and their last minute."""
        with self._writing() as db:
            db.execute("UPDATE call SET running = 0")
            for table in ("waiting", "model", "lost"):
                db.execute(f"DELETE FROM {table}")  # noqa: S608

    def count_spent(self, usd: float) -> None:
        """Count at least this amount as spent, in USD: another copy of the book says so."""
        with self._writing() as db:
            if (more := usd - _spent(db)) > 0:
                db.execute("INSERT INTO past VALUES (?)", (_past(db) + more,))

    def state(self) -> CallState:
        """The current state."""
        with self._using() as db:
            now = self._clock()
            window = (now - MINUTE, now)
            slowed = db.execute("SELECT name, allowed, pause FROM model WHERE allowed IS NOT NULL").fetchall()
            return CallState(
                requests=int(_query(db, "SELECT COUNT(*) FROM call WHERE at BETWEEN ? AND ?", *window)),
                tokens=int(_query(db, "SELECT SUM(tokens) FROM call WHERE at BETWEEN ? AND ?", *window)),
                spent=_spent(db),
                waiting=int(
                    _query(db, "SELECT COUNT(*) FROM waiting WHERE asked BETWEEN ? AND ?", now - FORGOTTEN, now)
                ),
                slowed=tuple((name, max(1, int(allowed)), max(0.0, pause - now)) for name, allowed, pause in slowed),
            )

    def _no_money(self, db: sqlite3.Connection, call: CallRequest) -> Admission | None:
        budget = self._limits.budget
        if budget is None or _query(db, "SELECT SUM(usd) FROM call") + _past(db) + call.usd <= budget:
            return None
        spent = _spent(db)
        if spent + call.usd <= budget:
            return Admission(wait=LOOK)  # running calls have reserved more than they will need
        amounts = f"${spent:.4f} of ${budget:g} is spent, a call may cost ${call.usd:.4f}"
        return Admission(refused=f"the run's budget is reached: {amounts}")

    def _pause(self, db: sqlite3.Connection, model: str, now: float) -> float:
        """Seconds to wait because the model's server asked for it."""
        pause = _query(db, "SELECT MAX(pause) FROM model WHERE name = ?", model)
        return min(LONGEST_LOOK, pause - now) if now < pause <= now + 3600 else 0.0  # a later one: the clock began anew

    def _full(self, db: sqlite3.Connection, model: str) -> bool:
        """Whether the model already has as many running calls as it may have."""
        row = db.execute("SELECT allowed FROM model WHERE name = ?", (model,)).fetchone()
        limits = [int(limit) for limit in (self._limits.concurrency, row and row[0]) if limit is not None]
        if not limits:
            return False
        under_way = _query(db, "SELECT COUNT(*) FROM call WHERE running AND model = ?", model)
        return under_way >= max(1, min(limits))

    def _turn(self, db: sqlite3.Connection, call: CallRequest, now: float) -> float:
        """Seconds until this try should ask again; 0 if it is its turn."""
        rpm, tpm = self._limits.rpm, self._limits.tpm
        window = (now - MINUTE, now)
        made, tokens, oldest = db.execute(
            "SELECT COUNT(*), COALESCE(SUM(tokens), 0), MIN(at) FROM call WHERE at BETWEEN ? AND ?", window
        ).fetchone()
        minute_full = (rpm is not None and made >= rpm) or (tpm is not None and tokens + self._counted(call) > tpm)
        full = self._full(db, call.model)
        db.execute("DELETE FROM waiting WHERE asked NOT BETWEEN ? AND ?", (now - FORGOTTEN, now))
        if not minute_full and not full and not _query(db, "SELECT COUNT(*) FROM waiting WHERE asker != ?", call.asker):
            return 0.0
        db.execute(
            "INSERT INTO waiting VALUES (?, ?, ?, ?, ?) ON CONFLICT (asker) DO UPDATE SET asked = excluded.asked",
            (call.asker, call.contender, call.model, now, now),
        )
        if minute_full:
            return max(LOOK, min(LONGEST_LOOK, float(oldest) + MINUTE - now))
        share = "tokens" if tpm is not None else "1"
        line = db.execute(
            f"SELECT asker, model FROM waiting ORDER BY (SELECT COALESCE(SUM({share}), 0) FROM call "  # noqa: S608
            "WHERE call.contender = waiting.contender AND call.at BETWEEN ? AND ?), since, asker",
            window,
        ).fetchall()
        models = {model for _, model in line} - {call.model}
        able = {model for model in models if not self._full(db, model) and not self._pause(db, model, now)}
        rivals = (able if rpm or tpm else set()) | {call.model}
        before = [asker for asker, model in line if model in rivals].index(call.asker)
        return min(LONGEST_LOOK, LOOK * (before + full)) if before or full else 0.0

    def _counted(self, call: CallRequest) -> int:
        """A prompt with more tokens than the limit for a minute waits until the whole minute is free."""
        return min(call.tokens, self._limits.tpm) if self._limits.tpm else call.tokens

    def _slow_down(
        self, db: sqlite3.Connection, model: str, at: float, under_way: int, retry_after: float | None
    ) -> None:
        now = self._clock()
        db.execute("INSERT OR IGNORE INTO model VALUES (?, 0, NULL, 0, -1)", (model,))
        if retry_after is not None:
            db.execute("UPDATE model SET pause = MAX(pause, ?) WHERE name = ?", (now + retry_after, model))
        allowed, before, cut = db.execute("SELECT allowed, before, cut FROM model WHERE name = ?", (model,)).fetchone()
        if at <= cut <= now:
            return  # it began before the number was halved, so it says nothing about the new number
        half = max(1.0, min(under_way, allowed or under_way) / 2)
        before = before if allowed is not None else max(2, under_way)
        db.execute("UPDATE model SET allowed = ?, before = ?, cut = ? WHERE name = ?", (half, before, now, model))

    def _tidy(self, db: sqlite3.Connection, now: float) -> None:
        """Add up calls older than a minute."""
        old = "NOT running AND at NOT BETWEEN ? AND ?"
        window = (now - MINUTE, now)
        if usd := _query(db, f"SELECT SUM(usd) FROM call WHERE {old}", *window):  # noqa: S608
            db.execute("INSERT INTO past VALUES (?)", (_past(db) + usd,))
            db.execute("DELETE FROM past WHERE rowid < (SELECT MAX(rowid) FROM past)")
        db.execute(f"DELETE FROM call WHERE {old}", window)  # noqa: S608

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._using() as db:
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """Raises HarnessTrouble if the file can't be used."""
        try:
            with closing(self._open()) as db:
                yield db
        except sqlite3.Error as error:
            raise HarnessTrouble("storage", f"{self._path} can't be used: {error}") from error

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=60, isolation_level=None)
        if self._limits.budget is None:  # only money must outlive a power failure
            db.execute("PRAGMA synchronous = OFF")
        return db


def _query(db: sqlite3.Connection, query: str, *values: object) -> float:
    """The single number that a query returns; 0 if there is none."""
    value: float = db.execute(query, values).fetchone()[0] or 0
    return value


def _past(db: sqlite3.Connection) -> float:
    return _query(db, "SELECT MAX(usd) FROM past")


def _spent(db: sqlite3.Connection) -> float:
    return _past(db) + _query(db, "SELECT SUM(usd) FROM call WHERE NOT running")
