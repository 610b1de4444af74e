"""The model client's contract: messages in, one reply out. Everything that calls a model goes through `complete`."""

from typing import Literal, Protocol

from longtrail.records.record import Record
from longtrail.records.trajectory import Usage


class Message(Record):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[bytes, ...] = ()
    """JPEG bytes; dropped nowhere silently: sending one to a text-only model is an error."""
    stable: int = 0
    """So many first characters of the text come again, unchanged, in the next call: worth a provider's cache mark."""


class Reply(Record):
    """What the model said."""

    text: str
    usage: Usage
    model: str
    """The id that the server reported."""
    finish_reason: str = "stop"
    """`stop`; `length` (cut off at max_tokens, perhaps with no text at all); `refusal` (the text may say why)."""
    seconds: float = 0.0
    """Working time of the call, waits for rate limits excluded."""


class ModelClient(Protocol):
    """One model, ready to be called."""

    @property
    def name(self) -> str:
        """The model as the user named it."""
        ...

    @property
    def vision(self) -> bool:
        """Does it see images?"""
        ...

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """One completion. Raises HarnessTrouble for what the model's server did, with retries already spent."""
        ...
