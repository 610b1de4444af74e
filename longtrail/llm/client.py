"""The model client's contract: messages in, one reply out. Everything that calls a model goes through `complete`."""

from typing import Literal, Protocol

from longtrail.records.record import Record
from longtrail.records.trajectory import Usage


class Message(Record):
    """One chat message."""

    role: Literal["system", "user", "assistant"]
    text: str
    images: tuple[bytes, ...] = ()
    """JPEG bytes. They are never dropped silently: sending an image to a text-only model is an error."""
    stable: int = 0
    """Number of first characters that the next call repeats unchanged: a candidate for the provider's prompt cache."""


class Reply(Record):
    """The model's answer."""

    text: str
    usage: Usage
    model: str
    """The id that the server reported."""
    finish_reason: str = "stop"
    """`stop`; `length` (cut off at max_tokens, perhaps without any text); `refusal` (the text may say why)."""
    seconds: float = 0.0
    """Seconds of the call, without waits for rate limits."""


class ModelClient(Protocol):
    """One model, ready to be called."""

    @property
    def name(self) -> str:
        """The model as the user named it."""
        ...

    @property
    def vision(self) -> bool:
        """Whether it accepts images."""
        ...

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """One completion. Raises HarnessTrouble for trouble with the model's server after all retries."""
        ...
