"""Call attempt: one try of a model call in a thread of its own, given up if the server takes too long or falls silent.

A whole answer is limited by the connection's time-out and by `total`. A streamed answer (`stream=true`) is read token
by token: keep-alive bytes are not tokens, and an incomplete answer is never used.

The thread that reads a stream also closes it. The garbage collector would close it in any thread, at any time: also in
one that holds the lock of the connection pool, which would then wait for itself.
"""

import contextlib
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import httpx

from longtrail.llm.failures import RetryPolicy
from longtrail.llm.limits import LONGEST

LEAVE = 5.0
"""Seconds within which the thread of an attempt that was given up must end."""


class QuietWarnings:
    """Ignores all warnings while calls are being made: those of litellm and of providers don't concern the user, and
    must not become errors. Filters belong to the whole process, so the last of several calls restores them."""

    def __init__(self) -> None:
        self._calls, self._lock = 0, threading.Lock()
        self._filters = warnings.catch_warnings()

    def __enter__(self) -> None:
        with self._lock:
            self._calls += 1
            if self._calls == 1:
                self._filters = warnings.catch_warnings()
                self._filters.__enter__()
                warnings.simplefilter("ignore")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._calls -= 1
            if self._calls == 0:
                self._filters.__exit__(None, None, None)


_QUIET = QuietWarnings()


@dataclass
class CallAttempt:
    """The result of a try: litellm's response, an error, or neither in time (`late` says how)."""

    response: Any = None
    error: Exception | None = None
    seconds: float = 0.0
    late: str = ""
    cancelled: str = ""
    """Why it was given up before: the run ends, or nobody waits for the answer any more."""
    stuck: bool = False
    """Its thread did not end: it still uses the HTTP client."""
    _stream: Any = None
    _last_token: float = field(default_factory=time.monotonic)
    _tokens: int = 0

    def read_stream(self, stream: Iterable[Any]) -> list[Any]:
        """All pieces of a streamed answer. Raises httpx.RemoteProtocolError if it ends without a finish reason."""
        self._stream = stream
        pieces: list[Any] = []
        try:
            for piece in () if self.late else stream:
                if self.late:
                    break
                if _has_content(piece):
                    self._last_token, self._tokens = time.monotonic(), self._tokens + 1
                pieces.append(piece)
        finally:
            _close(stream)
        reasons = (
            getattr(stream, name, "unknown") for name in ("received_finish_reason", "intermittent_finish_reason")
        )
        if not any(reasons):  # litellm itself would call it `stop`
            raise httpx.RemoteProtocolError("the stream ended before the answer did")
        return pieces

    def seconds_left(self, policy: RetryPolicy, start: float, *, streamed: bool) -> float:
        """Seconds until it is given up, unless a token arrives before."""
        now = time.monotonic()
        left = start + policy.total - now
        return min(left, self._silence_allowed(policy) - (now - self._last_token)) if streamed else left

    def describe_lateness(self, policy: RetryPolicy) -> str:
        """Which time limit it exceeded."""
        if self.seconds >= policy.total:
            hint = (
                ""
                if self._tokens
                else " (--model-arg stream=true notices silence earlier, idle=N and total=N are limits)"
            )
            return f"took longer than {policy.total:g} s{hint}"
        return f"said nothing for {self._silence_allowed(policy):g} s, after {self._tokens} pieces of its answer"

    def wake_reader(self) -> None:
        """End the connection that its thread reads from, so that the thread goes on and closes the stream."""
        response = getattr(getattr(self._stream, "completion_stream", None), "response", None)
        connection = getattr(response, "extensions", {}).get("network_stream")
        if connection is not None and (plain := connection.get_extra_info("socket")) is not None:
            with contextlib.suppress(OSError):  # it has ended
                socket.socket.shutdown(plain, socket.SHUT_RDWR)  # not SSLSocket's, which is not safe beside a reader

    def _silence_allowed(self, policy: RetryPolicy) -> float:
        return policy.token if self._tokens else policy.idle


def attempt(
    call: Callable[[CallAttempt], Any], policy: RetryPolicy, *, streamed: bool, stop_reason: Callable[[], str] = str
) -> CallAttempt:
    """Make the call (it gets the attempt, to read a stream) and wait for it as long as `policy` allows and there is no
    `stop_reason`."""
    made, ended = CallAttempt(), threading.Event()

    def work() -> None:
        try:
            made.response = call(made)
        except Exception as raised:  # noqa: BLE001 (any exception of litellm or a provider is classified)
            made.error = raised
        ended.set()

    start = time.monotonic()
    with _QUIET:
        threading.Thread(target=work, name="model call", daemon=True).start()
        while not ended.wait(max(0.0, min(made.seconds_left(policy, start, streamed=streamed), LONGEST))):
            if made.seconds_left(policy, start, streamed=streamed) <= 0:
                break
            if reason := stop_reason():
                made.late = reason
                made.wake_reader()
                return CallAttempt(cancelled=reason)
        made.seconds = time.monotonic() - start
        expired = made.seconds_left(policy, start, streamed=streamed) <= 0
        if ended.is_set() and not (streamed and made.error is not None and expired):
            return made
        made.late = made.describe_lateness(policy)  # or the connection has noticed it first
        made.wake_reader()
        stuck = not ended.wait(LEAVE)
    return CallAttempt(late=made.late, seconds=made.seconds, stuck=stuck)  # a late answer is not used


def _close(stream: Any) -> None:
    """Close a stream of litellm, whose wrapper can't be closed itself: what it reads from, by provider."""
    source = getattr(stream, "completion_stream", None)
    for part in (source, getattr(source, "streaming_response", None), getattr(source, "response", None)):
        if callable(close := getattr(part, "close", None)):
            with contextlib.suppress(Exception):  # it is being given up, and what it raises says nothing new
                close()


def _has_content(piece: Any) -> bool:
    """Whether it is part of the answer (text, thoughts, finish reason), not only a keep-alive."""
    choices = getattr(piece, "choices", None)
    if not choices:
        return getattr(piece, "usage", None) is not None
    delta = choices[0].delta
    texts = (getattr(delta, name, None) for name in ("content", "reasoning_content", "refusal"))
    return any(texts) or choices[0].finish_reason is not None
