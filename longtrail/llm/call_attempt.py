"""Call attempt: one try of a model call, given up if the server takes too long or falls silent.

The calls of a process run in one event loop, in a thread of its own; a call that is given up is cancelled, which ends
its connection. A whole answer is limited by the connection's time-out and by `total`. A streamed answer
(`stream=true`) is read token by token: keep-alive bytes are not tokens, and an incomplete answer is never used.
"""

import asyncio
import os
import threading
import time
import warnings
from collections.abc import Callable, Coroutine
from concurrent.futures import wait
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx

from longtrail.llm.failures import RetryPolicy
from longtrail.llm.limits import LONGEST


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
_STARTING = threading.Lock()


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """The event loop of this process's calls."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)  # litellm leaves tasks behind; a call's own error is raised by the call
    threading.Thread(target=loop.run_forever, name="longtrail-model-calls", daemon=True).start()
    return loop


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_loop.cache_clear)  # threads are not forked


@dataclass
class CallAttempt:
    """The result of a try: litellm's response, an error, or neither in time (`late` says how)."""

    response: Any = None
    error: Exception | None = None
    seconds: float = 0.0
    late: str = ""
    cancelled: str = ""
    """Why it was given up before: the run ends, or nobody waits for the answer any more."""
    _last_token: float = field(default_factory=time.monotonic)
    _tokens: int = 0

    async def read_stream(self, stream: Any) -> list[Any]:
        """All pieces of a streamed answer. Raises httpx.RemoteProtocolError if it ends without a finish reason."""
        pieces: list[Any] = []
        try:
            async for piece in stream:
                if _has_content(piece):
                    self._last_token, self._tokens = time.monotonic(), self._tokens + 1
                pieces.append(piece)
        finally:
            await stream.aclose()
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
            advice = " (--model-arg stream=true notices silence earlier, idle=N and total=N are limits)"
            return f"took longer than {policy.total:g} s{'' if self._tokens else advice}"
        return f"said nothing for {self._silence_allowed(policy):g} s, after {self._tokens} pieces of its answer"

    def _silence_allowed(self, policy: RetryPolicy) -> float:
        return policy.token if self._tokens else policy.idle


def attempt(
    call: Callable[[CallAttempt], Coroutine[Any, Any, Any]],
    policy: RetryPolicy,
    *,
    streamed: bool,
    stop_reason: Callable[[], str] = str,
) -> CallAttempt:
    """Make the call (it gets the attempt, to read a stream) and wait for it as long as `policy` allows and there is no
    `stop_reason`."""
    made, start = CallAttempt(), time.monotonic()
    with _QUIET:
        with _STARTING:
            loop = _loop()
        future = asyncio.run_coroutine_threadsafe(call(made), loop)
        try:
            while (left := made.seconds_left(policy, start, streamed=streamed)) > 0:
                if wait([future], min(left, LONGEST)).done:
                    break
                if reason := stop_reason():
                    return CallAttempt(cancelled=reason)
            made.seconds = time.monotonic() - start
            made.response = future.result(0)
            return made
        except Exception as error:  # noqa: BLE001 (any exception of litellm or a provider is classified)
            expired = not future.done() or (streamed and made.seconds_left(policy, start, streamed=True) <= 0)
            if not expired:
                made.error = error
                return made
        finally:
            future.cancel()
    return CallAttempt(late=made.describe_lateness(policy), seconds=made.seconds)  # a late answer is not used


def _has_content(piece: Any) -> bool:
    """Whether it is part of the answer (text, thoughts, finish reason), not only a keep-alive."""
    choices = getattr(piece, "choices", None)
    if not choices:
        return getattr(piece, "usage", None) is not None
    delta = choices[0].delta
    texts = (getattr(delta, name, None) for name in ("content", "reasoning_content", "refusal"))
    return any(texts) or choices[0].finish_reason is not None
