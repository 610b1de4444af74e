"""Limits: a model call waits here until a store allows it that all workers of a run share.

Every try of a call must be admitted first, and its highest possible cost is reserved until it ends. `CallBook` is the
store in a file of the run's folder. For workers on several machines, an engine gives them a store that forwards each
call to the `CallBook` on the controller's machine.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Protocol
from uuid import uuid4

from pydantic import Field

from longtrail.errors import HarnessTrouble, TroubleKind
from longtrail.records.record import Record

LONGEST = 0.5
"""Seconds between two checks, while waiting, of whether the run is ending."""


class CallLimits(Record):
    """The limits of a run; None: no limit."""

    rpm: int | None = Field(default=None, ge=1)
    """Requests per minute."""
    tpm: int | None = Field(default=None, ge=1)
    """Prompt and answer tokens per minute."""
    budget: float | None = Field(default=None, gt=0)
    """USD for the whole run, resumed parts included."""
    concurrency: int | None = Field(default=None, ge=1)
    """Running calls of one model at the same time."""


@dataclass(frozen=True)
class CallRequest:
    """A try of a call that asks for admission."""

    model: str
    tokens: int
    """Tokens of the prompt, plus the maximum of the answer."""
    usd: float
    """Its highest possible cost in USD."""
    contender: str = ""
    """The contender that makes the call. Contenders take turns."""
    asker: str = ""
    """Identifies this try among all of the run. If it asks again after its admission, it gets the same ticket."""


@dataclass(frozen=True)
class Admission:
    """The answer: make the call (`ticket`), ask again after `wait` seconds, or don't make it (`refused` says why)."""

    ticket: int = 0
    wait: float = 0.0
    refused: str = ""
    kind: TroubleKind = "llm_budget"
    """The kind of trouble, if it is refused."""


@dataclass
class CallEnd:
    """How a try ended; filled in by its caller."""

    usd: float | None = None
    """Its cost in USD. None: unknown, so the whole reserved amount counts as spent."""
    succeeded: bool = False
    """The server gave an answer that can be used."""
    limited: bool = False
    """The server answered 429."""
    retry_after: float | None = None
    """Seconds that the server asked to wait; no worker calls this model during that time."""


class CallStore(Protocol):
    """What all workers share. Both methods raise HarnessTrouble if it can't be used."""

    def admit(self, call: CallRequest) -> Admission:
        """Ask whether this try may be made now. Its highest possible cost is reserved until it ends."""

    def end(self, ticket: int, end: CallEnd) -> None:
        """Report that a try has ended."""


@dataclass
class Limiter:
    """Waits until the store admits a try. `stop_reason` says why waiting should end."""

    store: CallStore
    stop_reason: Callable[[], str] = str
    contender: str = ""
    """The label of the contender whose case is played now."""
    _numbers: Iterator[int] = field(default_factory=count)
    _name: str = field(default_factory=lambda: f"{os.getpid()}-{uuid4().hex[:8]}")

    @contextmanager
    def admit(self, model: str, tokens: int, worst_usd: float) -> Iterator[CallEnd]:
        """Wait until a try with so many tokens is admitted, and reserve its highest possible cost until it ends.

        Raises HarnessTrouble: `llm_budget` if the budget has no room for it, `cancelled` if the run ends meanwhile or
        this worker counts as lost, `storage` if the store can't be used.
        """
        asker = f"{self._name}-{next(self._numbers)}"
        ticket = self._wait_for(CallRequest(model, tokens, worst_usd, self.contender, asker))
        end = CallEnd()
        try:
            yield end
        finally:
            self.store.end(ticket, end)

    def sleep(self, seconds: float) -> None:
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
