"""An episode that is played step by step from outside, and scored as in a run.

Other frameworks call an environment step by step; an episode calls its agent. So an episode is played in a thread of
its own, and asks another thread for each action.
"""

import atexit
import itertools
import threading
import weakref
from dataclasses import dataclass
from functools import cache, lru_cache
from queue import Empty, SimpleQueue
from typing import Any

from longtrail.agents.agent import AgentFactory, Assignment, Equipment, Move
from longtrail.browser.session import Browser
from longtrail.browser.view import View, ViewSettings
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import play_once
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.tokens import count
from longtrail.records.action import Action
from longtrail.records.memory import render_history
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Outcome, Trajectory
from longtrail.scoring.catalog import PRIMARY
from longtrail.scoring.score import score
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.task import Task
from longtrail.variants import shipped_tasks, vary
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import VARIANTS_KEPT

_LOCK = threading.Lock()


class SharedWeb:
    """The sealed web of one variant."""

    def __init__(self, variant: int | None) -> None:
        tasks = () if variant is None else shipped_tasks(variant).values()
        self.web = SealedWeb(all_sites(shipped=tasks, vary=vary(variant))).start()
        weakref.finalize(self, self.web.stop)


def shared_web(variant: int | None = None) -> SharedWeb:
    """The web of a variant; None: of the tasks as they ship. A third one ends the first, once nobody holds it."""
    with _LOCK:
        return _web(variant)


def shared_browser() -> Browser:
    """The browser of all episodes of the process."""
    with _LOCK:
        return _browser()


_web = lru_cache(maxsize=VARIANTS_KEPT)(SharedWeb)


@cache
def _browser() -> Browser:
    browser = Browser(ViewSettings(), count=count)
    atexit.register(browser.close)
    return browser


QUESTION_SECONDS = 600.0
"""Longest time until the episode asks for its next action, in seconds."""


OVER = "The task is over."
ATTEMPTS = itertools.count()
"""Numbers of attempts: the same case may be played several times at once, and worlds are named by case and attempt."""


@dataclass(frozen=True, slots=True)
class EpisodeEnded:
    """The episode is over."""

    trajectory: Trajectory
    result: Result

    @property
    def measures(self) -> dict[str, Any]:
        """Every measure's value."""
        return self.result.values

    @property
    def reward(self) -> float:
        """The suite's headline measure, `success` or `proven`, in [0, 1]; 0 for an invalid episode."""
        return float(self.measures.get(PRIMARY[self.result.case.suite]) or 0.0)

    def check(self) -> None:
        """Raise HarnessTrouble if the episode is invalid."""
        if self.result.outcome == "invalid":
            trouble = self.result.trouble
            kind, message = (trouble.kind, trouble.message) if trouble else ("harness_bug", self.result.reason)
            raise HarnessTrouble(kind, message)


class CaseEpisode:
    """One episode of a case, played step by step from another thread. `factory` makes the agent that passes its
    questions on."""

    def __init__(
        self,
        case: Case,
        task: Task,
        contender: Contender,
        factory: AgentFactory,
        *,
        settings: EpisodeSettings | None = None,
    ) -> None:
        self.case, self.task, self._attempt = case, task, next(ATTEMPTS)
        self._contender, self._factory, self._settings = contender, factory, settings or EpisodeSettings()
        self.ended: EpisodeEnded | None = None
        """Once the episode is over."""
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

    def begin(self) -> Any:
        """Start; the first question, or EpisodeEnded if there was trouble at once. Raises what the episode raises."""
        self._thread = threading.Thread(target=self._run, name="longtrail-episode", daemon=True)
        self._thread.start()
        return self._next()

    def go_on(self, answer: Any) -> Any:
        """Answer the last question; the next one, or EpisodeEnded."""
        self._answers.put(answer)
        return self._next()

    def stop(self) -> None:
        """End the episode in any state."""
        if self._thread is not None and self._thread.is_alive():
            self._answers.put(None)
            self._thread.join(QUESTION_SECONDS)
        self._thread = None

    def _run(self) -> None:
        try:
            self._questions.put(self._play())
        except BaseException as error:  # noqa: BLE001 (raised again where it is waited for)
            self._questions.put(error)

    def _next(self) -> Any:
        try:
            question = self._questions.get(timeout=QUESTION_SECONDS)
        except Empty:
            raise HarnessTrouble("harness_bug", f"the episode did not answer for {QUESTION_SECONDS:g} s") from None
        if isinstance(question, BaseException):
            raise question
        if isinstance(question, EpisodeEnded):
            self.ended = question
        return question

    def _play(self) -> EpisodeEnded:
        shared = shared_web(self.case.variant)
        context = EpisodeContext(
            shared.web, shared_browser(), self._contender, factory=self._factory, settings=self._settings
        )
        trajectory = play_once(self.case, self.task, context, self._attempt)
        return EpisodeEnded(trajectory, score(self.task, trajectory))


class _Asking:
    """The episode's agent: asks whoever plays for each move."""

    def __init__(self, assignment: Assignment, episode: CaseEpisode) -> None:
        self._assignment, self._episode = assignment, episode

    def act(self, view: View) -> Move:
        move: Move = self._episode.ask((self._assignment, view))
        return move

    def observe(self, outcome: Outcome, view: View) -> None:
        """The next view shows what the action did."""


class TextEpisode(CaseEpisode):
    """An episode for players that read pages as text."""

    def __init__(
        self, case: Case, task: Task, contender: Contender, *, settings: EpisodeSettings | None = None
    ) -> None:
        super().__init__(case, task, contender, self._make, settings=settings)
        self.assignment: Assignment | None = None
        """What the player is told now."""

    def open(self) -> str:
        """Start; what the agent is told, and the first page. Raises HarnessTrouble."""
        return self._text(self.begin())

    def move(self, move: Move) -> str:
        """Make a move; the page afterwards. Raises UsageError if the episode is over or not begun, HarnessTrouble."""
        if self.ended is not None or self.assignment is None:
            raise UsageError("the task is over, or was never begun")
        return self._text(self.go_on(move))

    def _make(self, assignment: Assignment, equipment: Equipment) -> _Asking:  # noqa: ARG002 (others have the model)
        return _Asking(assignment, self)

    def _text(self, question: Any) -> str:
        if isinstance(question, EpisodeEnded):
            question.check()
            return OVER
        assignment, view = question
        before, self.assignment = self.assignment, assignment
        task = "" if before and before.prompt == assignment.prompt else briefing(assignment)
        seen = view.observation
        page = (seen.error, seen.note, f"The page now: {seen.url} {seen.title}", seen.text)
        return "\n\n".join(filter(None, (task, *page)))


def briefing(assignment: Assignment) -> str:
    """The task, after the tasks done earlier if there are any."""
    if not assignment.history:
        return assignment.prompt
    return f"# Earlier tasks\n\n{render_history(assignment.history)}\n\n# Current task\n\n{assignment.prompt}"


def reference_actions(planned: PlannedCase) -> tuple[Action, ...]:
    """Play the reference solution; its actions. Raises HarnessTrouble."""
    shared = shared_web(planned.case.variant)
    context = EpisodeContext(shared.web, shared_browser(), Contender(agent="oracle"))
    trajectory = play_once(planned.case, planned.task, context, next(ATTEMPTS))
    if trajectory.trouble is not None:
        raise HarnessTrouble(trajectory.trouble.kind, trajectory.trouble.message)
    return tuple(step.action for step in trajectory.steps if step.action)
