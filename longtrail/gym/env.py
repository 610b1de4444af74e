"""TaskEnv: one task as a Gymnasium environment. The episode behind it is the same as in a run, scored the same way.

A reward is given once, at the end: the headline measure of the suite (`success`, `proven`). No intermediate rewards are
given. The last `info` has the trajectory and the result, under `longtrail`.
"""

import copy
import time
from typing import Any, Literal

import gymnasium
import numpy as np

from longtrail.agents.browsergym.adapter import around
from longtrail.environment.episode import CaseEpisode, EpisodeEnded
from longtrail.episode.context import EpisodeSettings
from longtrail.errors import UsageError
from longtrail.gym import TASKS
from longtrail.records.case import HARD
from longtrail.records.split import FIRST_FOR_TRAINING, HIGHEST_SEED, Split, check_split
from longtrail.records.trajectory import Case, Contender
from longtrail.tasks.cases import slug
from longtrail.tasks.task import DecisionTask
from longtrail.variants import shipped_tasks


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


class Handover(CaseEpisode):
    """An episode whose agent is whoever calls the environment."""

    def __init__(self, case: Case, settings: EpisodeSettings) -> None:
        task, contender = shipped_tasks(case.variant)[case.task], Contender(agent="browsergym:environment")
        super().__init__(case, task, contender, around(lambda **_: self), settings=settings)

    def get_action(self, obs: Any) -> tuple[str, dict[str, Any]]:
        """Pass the observation on to the other thread and wait for its action."""
        return self.ask(obs), {}


class TaskEnv(gymnasium.Env[dict[str, Any], str]):
    """Plays one task. `prompt` is the condition of a decision task, `noise_tokens` the length of a long-context one.

    `split="test"` plays the task as it ships, or in a `variant` for tests. `split="train"` plays a `variant` for
    training, or without one a fresh variant at each reset, drawn with the environment's seed. `on_trouble="truncate"`
    ends an invalid episode with the reward 0, where one exception would end all environments of a vector.
    """

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
        split: Split = "test",
        variant: int | None = None,
        on_trouble: Literal["raise", "truncate"] = "raise",
        settings: EpisodeSettings | None = None,
        **browsergym: Any,  # noqa: ARG002
    ) -> None:
        """`browsergym`: arguments of BrowserGym's own environment (headless, viewport, action_mapping ...). They are
        accepted, so that code made for it runs, and ignored. Raises UsageError for an unknown task, or for a variant
        of the other split."""
        if task not in TASKS:
            raise UsageError(f"unknown task {task!r}; there are {len(TASKS)}, for example {next(iter(TASKS))}")
        shipped = TASKS[task]
        self._draws = split == "train" and variant is None
        check_split(split, FIRST_FOR_TRAINING if self._draws else variant)
        if split == "train" and shipped.suite in HARD:
            raise UsageError(f"task {task!r} is of the hard tier, which is for tests only: use split='test'")
        self.render_mode = None
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._settings, self._truncates = settings or EpisodeSettings(), on_trouble == "truncate"
        deciding = isinstance(shipped, DecisionTask)
        more: dict[str, Any] = (
            {"prompt": prompt, "appeal": appeal} if deciding else {"noise_tokens": noise_tokens, "relocated": relocated}
        )
        self._case = Case(
            id=f"{slug(task)}-r{repeat}", suite=shipped.suite, task=task, repeat=repeat, variant=variant, **more
        )
        self._handover: Handover | None = None
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
        self.close()
        self.ended, case = None, self._case
        if self._draws:
            drawn = int(self.np_random.integers(FIRST_FOR_TRAINING, HIGHEST_SEED, endpoint=True))
            case = case.model_copy(update={"variant": drawn})
        settings = self._settings if seed is None else self._settings.model_copy(update={"seed": seed})
        self._handover = Handover(case, settings)
        question = self._handover.begin()
        if isinstance(question, EpisodeEnded):
            question.check()
            raise UsageError(f"the episode ended before it began: {question.result.reason}")
        self._last = question
        return question, {"task_info": {"variant": case.variant}}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out the agent's action. Raises HarnessTrouble if the episode is invalid."""
        if self.ended is not None or self._handover is None:
            raise UsageError("the episode is over or was never begun: call reset()")
        start = time.time()
        question = self._handover.go_on(action)
        info = _times(start)
        if not isinstance(question, EpisodeEnded):
            self._last = question
            return question, 0.0, False, False, info
        self.ended = question
        if not self._truncates:
            question.check()
        result = question.result
        info["longtrail"] = {"trajectory": question.trajectory, "result": result}
        info["task_info"] = {"outcome": result.outcome, "reason": result.reason, "measures": question.measures}
        late = result.outcome == "invalid" or question.trajectory.ends[-1].reason == "step_limit"
        last = copy.deepcopy(self._last)  # Gymnasium: no two steps return the same object
        return last, question.reward, not late, late, info

    def close(self) -> None:
        """End the episode. The browser is shared by all environments of the process and ends with it."""
        if self._handover is not None:
            self._handover.stop()
            self._handover = None


def _times(start: float) -> dict[str, Any]:
    """The times of the last step, under BrowserGym's names. Waiting and reading count as part of the action here."""
    now = time.time()
    at_once = ("wait_for_page_loading", "validation", "get_observation")
    bounds = {f"{name}_{end}": now for name in at_once for end in ("start", "stop")}
    return {"task_info": {}, "action_exec_start": start, "action_exec_stop": now, "action_exec_timeout": 0.0, **bounds}
