"""Call store: the protocol of what all workers of a run share about model calls: limits, money, what is under way.

`CallBook` keeps it in a file of the run's folder, for workers on one machine. Where workers are on many machines, an
engine gives them a store that carries each word to the controller's machine and its `CallBook`.
"""

from dataclasses import dataclass
from typing import Protocol

from pydantic import Field

from longtrail.records.record import Record


class CallLimits(Record):
    """What a run may use; None: as much as it likes."""

    rpm: int | None = Field(default=None, ge=1)
    """Requests per minute."""
    tpm: int | None = Field(default=None, ge=1)
    """Prompt and answer tokens per minute."""
    budget: float | None = Field(default=None, gt=0)
    """USD for the whole run, resumed parts included."""
    concurrency: int | None = Field(default=None, ge=1)
    """Calls of one model that are under way at once."""


@dataclass(frozen=True)
class CallRequest:
    """A try of a call that asks to be made."""

    model: str
    tokens: int
    """Of the prompt, and at most of the answer."""
    usd: float
    """The most that it may cost."""
    who: str = ""
    """The contender that it is for: those that wait take turns."""
    asker: str = ""
    """Tells who asks again from who asks for the first time: unique among all that wait."""


@dataclass(frozen=True)
class Admission:
    """The answer: make it (`ticket`), ask again after `wait` seconds, or never (`refused` says why)."""

    ticket: int = 0
    wait: float = 0.0
    refused: str = ""


@dataclass(frozen=True)
class CallEnd:
    """What became of a try."""

    usd: float | None = None
    """None: unknown, all that was set aside counts as spent."""
    limited: bool = False
    """The server answered 429."""
    retry_after: float | None = None
    """Seconds that the server asked to wait: nobody calls this model meanwhile."""


class CallStore(Protocol):
    """What workers share."""

    def admit(self, call: CallRequest) -> Admission:
        """May this try be made now? Its highest price is set aside while it lasts."""
        ...

    def end(self, ticket: int, end: CallEnd) -> None:
        """It is over."""
        ...
