"""Call store: the protocol for what all workers of a run share about model calls: limits, cost, running calls.

`CallBook` keeps it in a file in the run's folder, for workers on one machine. If workers are on several machines, an
engine gives them a store that forwards each call to the `CallBook` on the controller's machine.
"""

from dataclasses import dataclass
from typing import Protocol

from pydantic import Field

from longtrail.errors import TroubleKind
from longtrail.records.record import Record


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
    who: str = ""
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
        ...

    def end(self, ticket: int, end: CallEnd) -> None:
        """Report that a try has ended."""
        ...
