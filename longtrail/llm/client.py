"""The model client's contract: messages in, one reply out. Everything that calls a model goes through `complete`."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from pydantic import ConfigDict

from longtrail.records.record import Record
from longtrail.records.trajectory import Usage


class Message(Record):
    """One chat message."""

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

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

    @property
    def vision(self) -> bool:
        """Whether it accepts images."""

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """One completion. Raises HarnessTrouble for trouble with the model's server after all retries."""


class ModelCalls(Protocol):
    """The model calls of one process, under the limits that all processes of the run share."""

    contender: str
    """The label of the contender whose case is played now."""

    def client(self, model: str, args: Mapping[str, Any]) -> "PreparedClient":
        """A model's client. `args`: the parsed `--model-arg`s."""


class PreparedClient(ModelClient, Protocol):
    """A model that can load what its calls need ahead of them."""

    def prepare(self) -> None:
        """Do so. It takes seconds, which are no part of an episode's time."""
