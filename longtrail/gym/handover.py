"""Handover: runs an episode in its own thread; each request for an action is passed to another thread."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from longtrail.agents.agent import AgentFactory
from longtrail.agents.browsergym.adapter import around
from longtrail.errors import HarnessTrouble
from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.task import Task

PATIENCE = 600.0
"""Longest time until the episode asks for its next action, in seconds."""


@dataclass(frozen=True, slots=True)
class EpisodeEnded:
    """The episode is over."""

    trajectory: Trajectory
    result: Result


class Handover:
    """One episode, played step by step from another thread."""

    def __init__(self) -> None:
        self._questions: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[str | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self.factory: AgentFactory = around(lambda **_: self)

    def get_action(self, obs: Any) -> tuple[str, dict[str, Any]]:
        """Pass the observation on to the other thread and wait for its action."""
        self._questions.put(obs)
        answer = self._answers.get()
        if answer is None:
            raise HarnessTrouble("cancelled", "the environment was reset or closed")
        return answer, {}

    def start(self, play: Callable[[], Trajectory], task: Task) -> Any:
        """Start; returns the first observation, or EpisodeEnded. Raises what the episode raises."""
        self._thread = threading.Thread(target=self._run, args=(play, task), name="longtrail-episode", daemon=True)
        self._thread.start()
        return self._next()

    def answer(self, action: str) -> Any:
        """Give the next action; returns the next observation, or EpisodeEnded."""
        self._answers.put(action)
        return self._next()

    def stop(self) -> None:
        """End the episode in any state."""
        if self._thread is not None and self._thread.is_alive():
            self._answers.put(None)
            self._thread.join(PATIENCE)
        self._thread = None

    def _run(self, play: Callable[[], Trajectory], task: Task) -> None:
        try:
            trajectory = play()
            self._questions.put(EpisodeEnded(trajectory, score(task, trajectory)))
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
