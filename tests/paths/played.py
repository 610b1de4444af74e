"""Paths: ways through one part of a long-context task that its reference does not take, played by a real browser."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.oracle import Oracle, ReferenceScript
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import play_once
from longtrail.records.action import Finish
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import LongContextTask
from longtrail.web.sealed import SealedWeb
from longtrail.yaml_file import read_yaml

FOLDER = Path(__file__).parent / "ways"


class Way(Record):
    """One way through one part."""

    way: str
    """In words: `reads the cards, sets no filter`."""
    part: Literal["a1", "a2"]
    right: bool
    forgets: bool = False
    """Whether it is a wrong way through the second part of a discovered task, with another value than the right one."""
    misses: tuple[str, ...] = ()
    """Of a wrong way: the key steps that it must miss."""
    steps: tuple[ReferenceStep, ...]


@dataclass(frozen=True)
class TaskWay:
    """A way and its task."""

    task: LongContextTask
    way: Way

    @property
    def name(self) -> str:
        verdict = "right" if self.way.right else "wrong"
        return f"{self.task.id}-{self.way.part}-{verdict}-{self.way.way}"


def ways() -> Iterator[TaskWay]:
    """Every way of the YAML files."""
    tasks = load_tasks()
    of_tasks = TypeAdapter(dict[str, tuple[Way, ...]])
    for path in sorted(FOLDER.glob("*.yaml")):
        for task_id, found in of_tasks.validate_python(read_yaml(path)).items():
            task = tasks[task_id]
            assert isinstance(task, LongContextTask)
            yield from (TaskWay(task, way) for way in found)


def play(taken: TaskWay, web: SealedWeb, browser: Browser) -> Result:
    """Play one way; returns its score. It must end within the part's step limit."""
    trajectory = record(taken, web, browser)
    last = trajectory.phase(taken.way.part)[-1]
    assert isinstance(last.action, Finish), f"it was not ended: {trajectory.end(taken.way.part)}"
    assert last.action.answer == "Done.", last.thought
    return score(taken.task, trajectory)


def record(taken: TaskWay, web: SealedWeb, browser: Browser, *, stop_on_success: bool = False) -> Trajectory:
    """Play one way; nothing is done in the task's other part."""
    script = ReferenceScript(moves=(*taken.way.steps, ReferenceStep(finish="Done.")))

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        return Oracle(script if assignment.phase == taken.way.part else ReferenceScript(moves=()))

    settings = EpisodeSettings(stop_on_success=stop_on_success)
    context = EpisodeContext(web, browser, Contender(agent="walker"), factory=make, settings=settings)
    case = Case(id=f"way-{slug(taken.name)[:120]}", suite=taken.task.suite, task=taken.task.id, noise_tokens=0)
    trajectory = play_once(case, taken.task, context)
    assert trajectory.trouble is None, trajectory.trouble
    return trajectory
