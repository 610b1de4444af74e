"""Hard ways: legitimate paths through tasks of the hard tier that their references do not take, played in a browser."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.oracle import Oracle, ReferenceScript, script
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import play_once
from longtrail.records.action import Decide
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender
from longtrail.scoring.score import score
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import DecisionTask
from longtrail.web.sealed import SealedWeb
from longtrail.yaml_file import read_yaml

FOLDER = Path(__file__).parent / "hard_ways"


class HardWay(Record):
    """One way through a task. The decision and its reasons are the reference's."""

    way: str
    """In words: `begins with the log, asks last`."""
    steps: tuple[ReferenceStep, ...]


@dataclass(frozen=True)
class TaskHardWay:
    """A way and its task."""

    task: DecisionTask
    way: HardWay

    @property
    def name(self) -> str:
        return f"{self.task.id}-{self.way.way}"


def hard_ways() -> Iterator[TaskHardWay]:
    """Every way of the YAML files."""
    tasks = load_tasks()
    of_tasks = TypeAdapter(dict[str, tuple[HardWay, ...]])
    for path in sorted(FOLDER.glob("*.yaml")):
        for task_id, found in of_tasks.validate_python(read_yaml(path)).items():
            task = tasks[task_id]
            assert isinstance(task, DecisionTask)
            yield from (TaskHardWay(task, way) for way in found)


def play_hard(taken: TaskHardWay, web: SealedWeb, browser: Browser) -> Result:
    """Play one way; returns its score."""
    planned = script(taken.task, "main").model_copy(update={"moves": (*taken.way.steps, ReferenceStep(decide=True))})
    return play_script(taken.task, planned, taken.name, web, browser)


def play_script(task: DecisionTask, planned: ReferenceScript, name: str, web: SealedWeb, browser: Browser) -> Result:
    """Play a script; returns its score. Raises AssertionError, with the last thought, if there is no decision."""

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        return Oracle(planned)

    context = EpisodeContext(web, browser, Contender(agent="walker"), factory=make)
    case = Case(id=f"way-{slug(name)[:120]}", suite=task.suite, task=task.id, prompt="raw")
    trajectory = play_once(case, task, context)
    assert trajectory.trouble is None, trajectory.trouble
    last = trajectory.steps[-1]
    assert isinstance(last.action, Decide), last.thought
    return score(task, trajectory)
