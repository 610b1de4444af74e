"""Call attempt: one try of a model call in a separate thread. It is given up if the server takes too long or stops
sending. For an answer that arrives as a whole, the connection's time-out notices missing bytes. A streamed answer
(`stream=true`) is read token by token: keep-alive bytes are not tokens, and an incomplete answer is never used.
"""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx

from longtrail.llm.quiet_calls import CALLING
from longtrail.llm.retry_policy import RetryPolicy


@dataclass
class CallAttempt:
    """The result of a try: litellm's response, an error, or neither in time (`late` says how)."""

    response: Any = None
    error: Exception | None = None
    seconds: float = 0.0
    late: str = ""
    _heard: float = field(default_factory=time.monotonic)
    _tokens: int = 0

    def listen(self, pieces: Iterable[Any]) -> list[Any]:
        """All pieces of a streamed answer. Raises httpx.RemoteProtocolError if it ends without a finish reason."""
        kept: list[Any] = []
        for piece in pieces:
            if self.late:
                break
            if _says_something(piece):
                self._heard, self._tokens = time.monotonic(), self._tokens + 1
            kept.append(piece)
        reasons = (
            getattr(pieces, name, "unknown") for name in ("received_finish_reason", "intermittent_finish_reason")
        )
        if not any(reasons):  # litellm itself would call it `stop`
            raise httpx.RemoteProtocolError("the stream ended before the answer did")
        return kept

    def silent_for(self, now: float) -> float:
        """Seconds since the last token, or since the start."""
        return now - self._heard

    def allowed(self, patience: RetryPolicy) -> float:
        """Seconds without a token that are allowed now."""
        return patience.token if self._tokens else patience.idle


def attempt(call: Callable[[CallAttempt], Any], patience: RetryPolicy, *, streamed: bool) -> CallAttempt:
    """Make the call (it gets the Attempt, to report tokens) and wait for it as long as `patience` allows."""
    made, ended = CallAttempt(), threading.Event()

    def work() -> None:
        try:
            made.response = call(made)
        except Exception as raised:  # noqa: BLE001 (any exception of litellm or a provider is classified)
            made.error = raised
        ended.set()

    start = time.monotonic()
    threading.Thread(target=work, name=CALLING, daemon=True).start()
    while not ended.wait(max(0.0, min(_left(made, patience, start, streamed=streamed), patience.token))):
        # After a first token the allowed silence is shorter than the wait that has begun, so look again within it.
        now = time.monotonic()
        if _left(made, patience, start, streamed=streamed) <= 0:
            # The thread ends with the connection's own time-out. Its late answer is not used.
            return CallAttempt(late=_why(made, patience, now - start), seconds=now - start)
    made.seconds = time.monotonic() - start
    if streamed and made.error is not None and _left(made, patience, start, streamed=True) <= 0:
        return CallAttempt(
            late=_why(made, patience, made.seconds), seconds=made.seconds
        )  # the connection noticed it first
    return made


def _left(made: CallAttempt, patience: RetryPolicy, start: float, *, streamed: bool) -> float:
    """Seconds until it is given up, unless a token arrives before."""
    now = time.monotonic()
    left = start + patience.total - now
    return min(left, made.allowed(patience) - made.silent_for(now)) if streamed else left


def _why(made: CallAttempt, patience: RetryPolicy, seconds: float) -> str:
    made.late = "given up"
    if seconds >= patience.total:
        return f"took longer than {patience.total:g} s"
    return f"said nothing for {made.allowed(patience):g} s, after {made._tokens} pieces of its answer"


def _says_something(piece: Any) -> bool:
    """Whether it is part of the answer (text, thoughts, finish reason), not only a keep-alive."""
    choices = getattr(piece, "choices", None)
    if not choices:
        return getattr(piece, "usage", None) is not None
    delta = choices[0].delta
    said = (getattr(delta, name, None) for name in ("content", "reasoning_content", "refusal"))
    return any(said) or choices[0].finish_reason is not None
