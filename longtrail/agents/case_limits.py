"""Case limits: the time, tokens and money that an agent may use for one attempt at a case. Beyond them, the agent has
failed.

Only the agent's own time counts: not that of pages, of waiting for rate limits, or of a model's server that has to be
asked again. With a time limit, or where an event loop runs, the user's Python agents run in a thread of their own, so
that a case ends although its agent never returns.
"""

import asyncio
import ctypes
import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

from longtrail.errors import AgentError
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.records.trajectory import Step, Usage

Answer = TypeVar("Answer")
LOOK_SECONDS = 1.0
"""Time between two looks at the clock, and those that a thread gets to end."""


class CaseLimits:
    """The limits of one attempt at a case, and the time used so far."""

    def __init__(self, seconds: float = 0.0, tokens: int | None = None, usd: float | None = None) -> None:
        """`seconds`: 0 is no limit. `tokens`, `usd`: None is no limit."""
        self._seconds, self._tokens, self._usd = seconds or math.inf, tokens, usd
        self._taken, self._over = 0.0, False
        self._since: float | None = None
        """When the agent's time began to run; None: it does not run."""

    def check(self, steps: Sequence[Step]) -> None:
        """Before a turn. Raises AgentError if a limit is reached."""
        usage = sum((step.usage for step in steps), Usage())
        tokens = usage.prompt_tokens + usage.completion_tokens
        if self.seconds_left <= 0:
            raise self._too_slow()
        if self._tokens is not None and tokens > self._tokens:
            raise AgentError(f"it used {tokens} tokens, more than {self._tokens} (--case-tokens)")
        if self._usd is not None and (usage.usd or 0.0) > self._usd:
            raise AgentError(f"it spent {usage.usd:.4f} USD, more than {self._usd:g} (--case-cost)")

    @property
    def seconds_left(self) -> float:
        """Seconds that the agent may still take."""
        since = self._since
        return self._seconds - self._taken - (time.monotonic() - since if since is not None else 0.0)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """The agent is asked: its time runs."""
        self._since = time.monotonic()
        try:
            yield
        finally:
            self._pause()

    def call(self, ask: Callable[[], Answer]) -> Answer:
        """Ask the user's Python agent. Raises what it raises, and AgentError if it takes too long."""
        if math.isinf(self._seconds) and not _in_event_loop():
            return ask()
        thread = AgentThread.running()
        answer = thread.ask(ask)
        while (left := self.seconds_left) > 0:
            try:
                value, error = answer.get(timeout=min(left, LOOK_SECONDS))
            except queue.Empty:
                continue
            if error is not None:
                raise error
            return value  # type: ignore[no-any-return]
        self._over, AgentThread.current = True, None
        raise self._too_slow("" if thread.end() else "; it did not end, and its thread was left behind")

    def complete(self, ask: Callable[[], Reply]) -> Reply:
        """A call of the model."""
        if self._over:
            raise self._too_slow()
        running = self._since is not None
        self._pause()
        try:
            reply = ask()
            self._taken += reply.seconds
            return reply
        finally:
            if running:
                self._since = time.monotonic()

    def _pause(self) -> None:
        if self._since is not None:
            self._taken += time.monotonic() - self._since
            self._since = None

    def _too_slow(self, more: str = "") -> AgentError:
        return AgentError(f"it took longer than {self._seconds:g} s for this case (--case-timeout){more}")


def _in_event_loop() -> bool:
    """Whether an event loop runs in this thread (Playwright's sync API leaves one), so that an agent could not run its
    own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class LimitedModel:
    """The model of a case: of a call, only the seconds of the reply count. Refuses when the case is over."""

    def __init__(self, model: ModelClient, limits: CaseLimits) -> None:
        self._model, self._limits = model, limits
        self.name, self.vision = model.name, model.vision

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """One completion."""
        return self._limits.complete(lambda: self._model.complete(messages, max_tokens=max_tokens, json=json))


class AgentThread:
    """The thread in which the user's agents of this process run, always the same one, as objects of libraries may
    belong to a thread. One that hangs is replaced."""

    current: ClassVar["AgentThread | None"] = None

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[tuple[Callable[[], Any], queue.SimpleQueue[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="longtrail-agent", daemon=True)
        self._thread.start()

    @classmethod
    def running(cls) -> "AgentThread":
        """The current one. A forked process has none, as threads are not forked."""
        if cls.current is None or not cls.current._thread.is_alive():
            cls.current = cls()
        return cls.current

    def ask(self, question: Callable[[], Answer]) -> "queue.SimpleQueue[tuple[Any, BaseException | None]]":
        """Run it there. Its value, or what it raised, will be in the queue."""
        answer: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._asked.put((question, answer))
        return answer

    def end(self) -> bool:
        """Raise SystemExit in it. Returns whether it has ended: code that waits outside of Python goes on."""
        self._asked.put(None)
        ident = ctypes.c_ulong(self._thread.ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(SystemExit))
        self._thread.join(LOOK_SECONDS)
        return not self._thread.is_alive()

    def _work(self) -> None:
        loop = asyncio.new_event_loop()  # as the main thread has one
        asyncio.set_event_loop(loop)
        while (task := self._asked.get()) is not None:
            question, answer = task
            try:
                answer.put((question(), None))
            except BaseException as error:  # noqa: BLE001 (raised again where the answer is awaited)
                answer.put((None, error))
        loop.close()
