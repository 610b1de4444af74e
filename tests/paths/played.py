"""Paths: ways through a task that its reference does not take, played by a real browser."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.oracle import Oracle, ReferenceScript, script
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import play_once
from longtrail.records.action import Decide, Finish
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.web.sealed import SealedWeb
from longtrail.yaml_file import read


class Way(Record):
    """One way through one part of a long-context task, or through a decision task. There, the decision and its reasons
    are the reference's."""

    way: str
    """In words: `reads the cards, sets no filter`."""
    part: Literal["a1", "a2", "main"] = "main"
    right: bool = True
    forgets: bool = False
    """Whether it is a wrong way through the second part of a discovered task, with another value than the right one."""
    misses: tuple[str, ...] = ()
    """Of a wrong way: the key steps that it must miss."""
    steps: tuple[ReferenceStep, ...]


@dataclass(frozen=True)
class TaskWay:
    """A way and its task."""

    task: LongContextTask | DecisionTask
    way: Way

    @property
    def name(self) -> str:
        verdict = "right" if self.way.right else "wrong"
        return f"{self.task.id}-{self.way.part}-{verdict}-{self.way.way}"

    @property
    def script(self) -> ReferenceScript:
        if isinstance(self.task, DecisionTask):
            moves = (*self.way.steps, ReferenceStep(decide=True))
            return script(self.task, "main").model_copy(update={"moves": moves})
        return ReferenceScript(moves=(*self.way.steps, ReferenceStep(finish="Done.")))


def ways(folder: Literal["ways", "hard_ways"]) -> list[TaskWay]:
    """Every way of the YAML files: through long-context tasks, or tasks of the hard tier."""
    tasks, of_tasks = load_tasks(), TypeAdapter(dict[str, tuple[Way, ...]])
    files = sorted((Path(__file__).parent / folder).glob("*.yaml"))
    found = [pair for file in files for pair in read(of_tasks, file).items()]
    return [TaskWay(tasks[task], way) for task, written in found for way in written]


def play(taken: TaskWay, web: SealedWeb, browser: Browser) -> Result:
    """Play one way; returns its score. Raises AssertionError, with the last thought, if it does not come to its end."""
    trajectory = record(taken, web, browser)
    last = trajectory.phase(taken.way.part)[-1]
    assert isinstance(last.action, Decide | Finish), f"it was not ended: {trajectory.end(taken.way.part)}"
    assert isinstance(last.action, Decide) or last.action.answer == "Done.", last.thought
    return score(taken.task, trajectory)


def record(taken: TaskWay, web: SealedWeb, browser: Browser, *, stop_on_success: bool = False) -> Trajectory:
    """Play one way; nothing is done in the task's other part."""

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        return Oracle(taken.script if assignment.phase == taken.way.part else ReferenceScript(moves=()))

    settings = EpisodeSettings(stop_on_success=stop_on_success)
    context = EpisodeContext(web, browser, Contender(agent="walker"), factory=make, settings=settings)
    condition = {"prompt": "raw"} if taken.way.part == "main" else {"noise_tokens": 0}
    case = Case(id=f"way-{slug(taken.name)[:120]}", suite=taken.task.suite, task=taken.task.id, **condition)
    trajectory = play_once(case, taken.task, context)
    assert trajectory.trouble is None, trajectory.trouble
    return trajectory
