"""TaskEnv: one task as a Gymnasium environment. The episode behind it is the same as in a run, scored the same way.

A reward is given once, at the end: the headline measure of the suite (`success`, `proven`). No intermediate rewards are
given. The last `info` has the trajectory and the result, under `longtrail`.
"""

import atexit
import copy
import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import gymnasium
import numpy as np

from longtrail.agents.agent import AgentFactory
from longtrail.agents.browsergym.adapter import around
from longtrail.browser.session import Browser
from longtrail.browser.view_settings import ViewSettings
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import play_once
from longtrail.episode.stepwise import StepwiseEpisode
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.gym import TASKS
from longtrail.llm.tokens import count
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.cases import slug
from longtrail.tasks.task import DecisionTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb


class ObjectSpace(gymnasium.Space[Any]):
    """A space of objects of one type, without sampling."""

    def __init__(self, kind: type) -> None:
        super().__init__()
        self._kind = kind

    def contains(self, x: Any) -> bool:
        return isinstance(x, self._kind)

    def __repr__(self) -> str:
        return f"Anything({self._kind.__name__})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ObjectSpace) and other._kind is self._kind

    __hash__ = None  # type: ignore[assignment]


OBSERVATION = {
    "chat_messages": tuple,
    "goal": str,
    "goal_object": tuple,
    "open_pages_urls": tuple,
    "open_pages_titles": tuple,
    "active_page_index": np.ndarray,
    "url": str,
    "screenshot": np.ndarray,
    "dom_object": dict,
    "axtree_object": dict,
    "extra_element_properties": dict,
    "focused_element_bid": str,
    "last_action": str,
    "last_action_error": str,
    "elapsed_time": np.ndarray,
}


def observation_space() -> gymnasium.spaces.Dict:
    """The space of observations."""
    return gymnasium.spaces.Dict({name: ObjectSpace(kind) for name, kind in OBSERVATION.items()})


def action_space() -> ObjectSpace:
    """The space of actions: text."""
    return ObjectSpace(str)


@dataclass(frozen=True, slots=True)
class EpisodeEnded:
    """The episode is over."""

    trajectory: Trajectory
    result: Result


class Handover(StepwiseEpisode):
    """An episode whose agent is whoever calls the environment."""

    def __init__(self) -> None:
        super().__init__()
        self.factory: AgentFactory = around(lambda **_: self)

    def get_action(self, obs: Any) -> tuple[str, dict[str, Any]]:
        """Pass the observation on to the other thread and wait for its action."""
        return self.ask(obs), {}


HEADLINES = ("success", "proven")
"""Suite -> the measure used as reward."""


class TaskEnv(gymnasium.Env[dict[str, Any], str]):
    """Plays one task. `prompt` is the condition of a decision task, `noise_tokens` the length of a long-context one."""

    metadata = {"render_modes": []}

    def __init__(
        self,
        task: str,
        *,
        prompt: Literal["raw", "hint", "explicit"] = "raw",
        noise_tokens: int = 0,
        relocated: bool = False,
        appeal: Literal["deceptive", "valid"] | None = None,
        repeat: int = 0,
        settings: EpisodeSettings | None = None,
        **browsergym: Any,  # noqa: ARG002
    ) -> None:
        """`browsergym`: arguments of BrowserGym's own environment (headless, viewport, action_mapping ...). They are
        accepted, so that code made for it runs, and ignored. Raises UsageError for an unknown task."""
        if task not in TASKS:
            raise UsageError(f"unknown task {task!r}; there are {len(TASKS)}, for example {next(iter(TASKS))}")
        self.task = TASKS[task]
        self.render_mode = None
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._settings = settings or EpisodeSettings()
        deciding = isinstance(self.task, DecisionTask)
        more: dict[str, Any] = (
            {"prompt": prompt, "appeal": appeal} if deciding else {"noise_tokens": noise_tokens, "relocated": relocated}
        )
        self._case = Case(id=f"{slug(task)}-r{repeat}", suite=self.task.suite, task=task, repeat=repeat, **more)
        self._handover = Handover()
        self._episodes = 0
        self._last: dict[str, Any] = {}
        self.ended: EpisodeEnded | None = None
        """Trajectory and result, once the episode is over."""

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start the task from its initial state. Raises HarnessTrouble if that fails."""
        super().reset(seed=seed)
        self._handover.stop()
        self._handover, self.ended = Handover(), None
        context, number = self._context(seed), self._episodes
        self._episodes += 1

        def play() -> EpisodeEnded:
            trajectory = play_once(self._case, self.task, context, number)
            return EpisodeEnded(trajectory, score(self.task, trajectory))

        question = self._handover.start(play)
        if isinstance(question, EpisodeEnded):
            raise _trouble(question)
        self._last = question
        return question, {"task_info": {}}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out the agent's action. Raises HarnessTrouble if the episode is invalid."""
        if self.ended is not None or not self._last:
            raise UsageError("the episode is over or was never begun: call reset()")
        start = time.time()
        question = self._handover.answer(action)
        info = _times(start)
        if not isinstance(question, EpisodeEnded):
            self._last = question
            return question, 0.0, False, False, info
        self.ended = question
        if question.result.outcome == "invalid":
            raise _trouble(question)
        info["longtrail"] = {"trajectory": question.trajectory, "result": question.result}
        measures = question.result.values
        info["task_info"] = {"outcome": question.result.outcome, "reason": question.result.reason, "measures": measures}
        late = question.trajectory.ends[-1].reason == "step_limit"
        last = copy.deepcopy(self._last)  # Gymnasium: no two steps return the same object
        return last, _headline(measures), not late, late, info

    def close(self) -> None:
        """End the episode. The browser is shared by all environments of the process and ends with it."""
        self._handover.stop()

    def _context(self, seed: int | None) -> EpisodeContext:
        shared = _shared_web()
        settings = self._settings if seed is None else self._settings.model_copy(update={"seed": seed})
        contender = Contender(agent="browsergym:environment")
        return EpisodeContext(shared.web, shared.browser, contender, factory=self._handover.factory, settings=settings)


class _SharedWeb:
    """The web and the browser that all environments of a process share; started when first needed."""

    def __init__(self) -> None:
        self.web = SealedWeb(all_sites()).start()
        self.browser = Browser(ViewSettings(), count=count)
        atexit.register(self.close)

    def close(self) -> None:
        self.browser.close()
        self.web.stop()


_shared_web = cache(_SharedWeb)


def _headline(measures: dict[str, Any]) -> float:
    return next(float(measures[name] or 0.0) for name in HEADLINES if name in measures)


def _trouble(ended: EpisodeEnded) -> HarnessTrouble:
    trouble = ended.result.trouble
    if trouble is None:
        return HarnessTrouble("harness_bug", f"the episode ended before it began: {ended.result.reason}")
    return HarnessTrouble(trouble.kind, trouble.message)


def _times(start: float) -> dict[str, Any]:
    """The times of the last step, under BrowserGym's names. Waiting and reading count as part of the action here."""
    now = time.time()
    started = dict.fromkeys(("action_exec_start",), start)
    at_once = ("wait_for_page_loading", "validation", "get_observation")
    bounds = {f"{name}_{end}": now for name in at_once for end in ("start", "stop")}
    return {"task_info": {}, **started, "action_exec_stop": now, "action_exec_timeout": 0.0, **bounds}
