"""Limits: requests and tokens per minute and a budget in USD, shared by all workers of a run through its folder.

Requests and tokens are counted by pyrate-limiter in a SQLite file under a file lock; costs in a ledger next to it.
Every try of a call is admitted first: its maximum price is reserved, so that the workers together never exceed the
budget.
"""

import math
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from longtrail.errors import HarnessTrouble
from longtrail.records.record import Record

if TYPE_CHECKING:
    from pyrate_limiter import Limiter as Bucket

UNITS = 1_000
"""Tokens are counted in thousandths of their limit: the store keeps one row for each unit."""
MINUTE_MS = 60_000
LEDGER = "spent.sqlite"
"""Name of the ledger's file in a run's folder."""
LOOK = 0.1
"""Seconds between two checks of an exhausted limit."""


class CallLimits(Record):
    """The limits of a run; None: unlimited."""

    rpm: int | None = Field(default=None, ge=1)
    """Requests per minute."""
    tpm: int | None = Field(default=None, ge=1)
    """Prompt and answer tokens per minute."""
    budget: float | None = Field(default=None, gt=0)
    """USD for the whole run, resumed parts included."""

    @property
    def any(self) -> bool:
        """Whether anything is limited."""
        return (self.rpm, self.tpm, self.budget) != (None, None, None)


@dataclass
class CallCost:
    """The cost of a try, filled in by the caller."""

    usd: float | None = None
    """None: unknown; the reserved amount counts as spent."""


class Limiter:
    """One process's access to the limits of a run. `stop_reason` returns why waiting is pointless, if it is."""

    def __init__(self, folder: Path, limits: CallLimits, stop_reason: Callable[[], str] = str) -> None:
        self.limits = limits
        self._folder, self._stop_reason = folder, stop_reason
        self._requests = self._bucket("requests", limits.rpm) if limits.rpm else None
        self._unit = max(1, math.ceil((limits.tpm or 0) / UNITS))
        self._token_units = (limits.tpm or 0) // self._unit
        self._tokens = self._bucket("tokens", self._token_units) if limits.tpm else None
        self._ledger = SpendLedger(folder / LEDGER) if limits.budget else None

    @contextmanager
    def admit(self, tokens: int, worst_usd: float) -> Iterator[CallCost]:
        """Wait until the limits admit a try of this many tokens, and reserve its maximum price until it ends.

        Raises HarnessTrouble: `llm_budget` if the budget has no room for it, `cancelled` if the run ends meanwhile.
        """
        entry = self._set_aside(worst_usd)
        bill = CallCost()
        try:
            self._take(self._requests, 1)
            self._take(self._tokens, min(self._token_units, math.ceil(tokens / self._unit)))
        except BaseException:
            bill.usd = 0.0  # it was never made
            raise
        else:
            yield bill
        finally:
            if self._ledger is not None:
                self._ledger.settle(entry, worst_usd if bill.usd is None else bill.usd)

    def _set_aside(self, usd: float) -> int:
        if self._ledger is None or self.limits.budget is None:
            return 0
        while (entry := self._ledger.reserve(usd, self.limits.budget)) is None:
            spent = self._ledger.spent
            if spent + usd > self.limits.budget:
                amounts = f"${spent:.4f} of ${self.limits.budget:g} is spent, a call may cost ${usd:.4f}"
                raise HarnessTrouble("llm_budget", f"the run's budget is reached: {amounts}")
            self._wait()  # others have reserved more than they will need
        return entry

    def _take(self, bucket: "Bucket | None", weight: int) -> None:
        if bucket is None or not weight:
            return
        while not bucket.try_acquire(weight=weight, blocking=False):
            self._wait()
            for each in bucket.buckets():
                each.leak(int(time.time() * 1000))

    def _wait(self) -> None:
        if reason := self._stop_reason():
            raise HarnessTrouble("cancelled", reason)
        time.sleep(LOOK)

    def _bucket(self, name: str, limit: int) -> "Bucket":
        from pyrate_limiter import Limiter as Bucket
        from pyrate_limiter import Rate, SQLiteBucket
        from pyrate_limiter.limiter import SingleBucketFactory

        store = SQLiteBucket.init_from_file(
            [Rate(limit, MINUTE_MS)], table=name, db_path=str(self._folder / "rates.sqlite"), use_file_lock=True
        )
        return Bucket(SingleBucketFactory(store, schedule_leak=False))


class SpendLedger:
    """What a run has spent, and the maximum cost of its pending calls. One SQLite file, any number of processes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with closing(self._open()) as db, db:
            db.execute("CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, usd REAL, pid INTEGER)")

    @property
    def spent(self) -> float:
        """USD of all calls that are over."""
        with closing(self._open()) as db:
            return float(db.execute("SELECT COALESCE(SUM(usd), 0.0) FROM entry WHERE pid IS NULL").fetchone()[0])

    def reserve(self, usd: float, budget: float) -> int | None:
        """Reserve an amount; None if the budget has no room for it."""
        with closing(self._open()) as db:
            db.execute("BEGIN IMMEDIATE")
            for (pid,) in db.execute("SELECT DISTINCT pid FROM entry WHERE pid IS NOT NULL").fetchall():
                if not _alive(pid):  # a killed worker's calls may have been billed: they count as spent
                    db.execute("UPDATE entry SET pid = NULL WHERE pid = ?", (pid,))
            taken = db.execute("SELECT COALESCE(SUM(usd), 0.0) FROM entry").fetchone()[0]
            entry: int | None = None
            if taken + usd <= budget:
                entry = db.execute("INSERT INTO entry (usd, pid) VALUES (?, ?)", (usd, os.getpid())).lastrowid
            db.execute("COMMIT")
            return entry

    def settle(self, entry: int, usd: float) -> None:
        """The call is over and cost this much."""
        with closing(self._open()) as db:
            db.execute("UPDATE entry SET usd = ?, pid = NULL WHERE id = ?", (usd, entry))

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=60, isolation_level=None)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
