"""Stepwise: an episode that is played in a thread of its own and asks another thread for each action.

Other frameworks call an environment step by step; an episode calls its agent. This turns one into the other.
"""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from longtrail.errors import HarnessTrouble

PATIENCE = 600.0
"""Longest time until the episode asks for its next action, in seconds."""


class StepwiseEpisode:
    """One episode, played step by step from another thread."""

    def __init__(self) -> None:
        self._questions: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def ask(self, question: Any) -> Any:
        """For the episode's agent: pass a question on to the other thread and wait for its answer."""
        self._questions.put(question)
        answer = self._answers.get()
        if answer is None:
            raise HarnessTrouble("cancelled", "the environment was reset or closed")
        return answer

    def start(self, play: Callable[[], Any]) -> Any:
        """Start; returns the first question, or what `play` returns at the end. Raises what the episode raises."""
        self._thread = threading.Thread(target=self._run, args=(play,), name="longtrail-episode", daemon=True)
        self._thread.start()
        return self._next()

    def answer(self, answer: Any) -> Any:
        """Give the next answer; returns the next question, or what `play` returned."""
        self._answers.put(answer)
        return self._next()

    def stop(self) -> None:
        """End the episode in any state."""
        if self._thread is not None and self._thread.is_alive():
            self._answers.put(None)
            self._thread.join(PATIENCE)
        self._thread = None

    def _run(self, play: Callable[[], Any]) -> None:
        try:
            self._questions.put(play())
        except BaseException as error:  # noqa: BLE001 (raised again where it is waited for)
            self._questions.put(error)

    def _next(self) -> Any:
        try:
            question = self._questions.get(timeout=PATIENCE)
        except Empty:
            raise HarnessTrouble("harness_bug", f"the episode did not answer for {PATIENCE:g} s") from None
        if isinstance(question, BaseException):
            raise question
        return question
