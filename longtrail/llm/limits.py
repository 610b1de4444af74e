"""Limits: a process waits here until a model call is allowed; `call_book.py` decides for all workers of a run together.

Every try of a call must be admitted first, and its highest possible cost is reserved until it ends.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from uuid import uuid4

from longtrail.errors import HarnessTrouble
from longtrail.llm.call_store import CallEnd, CallRequest, CallStore

LONGEST = 0.5
"""Seconds between two checks, while waiting, of whether the run is ending."""


@dataclass
class Limiter:
    """Waits until the store admits a try. `stop_reason` says why waiting should end."""

    store: CallStore
    stop_reason: Callable[[], str] = str
    _numbers: Iterator[int] = field(default_factory=count)
    _name: str = field(default_factory=lambda: f"{os.getpid()}-{uuid4().hex[:8]}")
    _here: threading.local = field(default_factory=threading.local)
    _last: str = ""

    @property
    def who(self) -> str:
        """The contender whose case this thread plays; in an agent's own threads, the one that was named last."""
        return getattr(self._here, "who", self._last)

    @who.setter
    def who(self, label: str) -> None:
        self._here.who = self._last = label

    @contextmanager
    def admit(self, model: str, tokens: int, worst_usd: float) -> Iterator[CallEnd]:
        """Wait until a try with so many tokens is admitted, and reserve its highest possible cost until it ends.

        Raises HarnessTrouble: `llm_budget` if the budget has no room for it, `cancelled` if the run ends meanwhile or
        this worker counts as lost, `storage` if the store can't be used.
        """
        asker = f"{self._name}-{next(self._numbers)}"
        ticket = self._wait_for(CallRequest(model, tokens, worst_usd, self.who, asker))
        end = CallEnd()
        try:
            yield end
        finally:
            self.store.end(ticket, end)

    def rest(self, seconds: float) -> None:
        """Wait between two tries. Raises HarnessTrouble (`cancelled`) if the run ends meanwhile."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._go_on()
            time.sleep(min(LONGEST, left))

    def _go_on(self) -> None:
        if reason := self.stop_reason():
            raise HarnessTrouble("cancelled", reason)

    def _wait_for(self, call: CallRequest) -> int:
        while not (answer := self.store.admit(call)).ticket:
            if answer.refused:
                raise HarnessTrouble(answer.kind, answer.refused)
            self._go_on()
            time.sleep(min(LONGEST, answer.wait))
        return answer.ticket
