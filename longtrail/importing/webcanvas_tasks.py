"""Published key nodes as a tasks file, and scores of published trajectories by it.

The file is YAML, a list of `NodeTask`. It is not a suite: a published task is one instruction without a second part
and without a solution, which can't be derived from its nodes. Its `key_steps` can be used in any long-context task.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml
from pydantic import Field, TypeAdapter

from longtrail.checks.hosts import host_of
from longtrail.checks.key_steps import Hit, evaluate
from longtrail.checks.webcanvas import WebCanvasStep
from longtrail.errors import DataError
from longtrail.importing.webcanvas import PublishedNode, PublishedTrajectory, WebCanvasTask
from longtrail.records.observation import Observation
from longtrail.records.record import Record
from longtrail.records.trajectory import Outcome, Step
from longtrail.yaml_file import read_yaml, validate

OUTSIDE = ("cache_data", "final_answer")
"""Nodes for actions that our agents don't have; Mind2Web-Live has none of them."""


class NodeTask(Record):
    """One published task."""

    id: str
    """The published index."""
    task: str
    host: str = ""
    """Host of the annotator's first address; empty if none was recorded."""
    reference_length: int
    """Steps that the annotator took, opening the site included."""
    key_steps: tuple[WebCanvasStep, ...] = Field(min_length=1)


class TrajectoryScore(Record):
    """The score of one published trajectory by a task's nodes."""

    task: str
    status: str
    published: str
    """The last score in its own log, such as `2 / 3`."""
    hits: tuple[Hit, ...]
    undecidable: tuple[str, ...] = ()
    """Nodes that a log without documents can't decide."""


_TASKS: TypeAdapter[tuple[NodeTask, ...]] = TypeAdapter(tuple[NodeTask, ...])


def as_tasks(published: Sequence[WebCanvasTask], file: Path) -> tuple[NodeTask, ...]:
    """Tasks with their nodes in the compatibility mode. Raises DataError for an unknown match function."""
    found = []
    for number, one in enumerate(published, 1):
        steps = [_step(node, file, f"record {number}.evaluation.{at}", at) for at, node in enumerate(one.evaluation)]
        host = next((host for node in one.evaluation if (host := host_of(node.content.url))), "")
        found.append(
            NodeTask(
                id=one.index,
                task=one.task,
                host=host,
                reference_length=one.reference_task_length,
                key_steps=tuple(steps),
            )
        )
    return tuple(found)


def _step(node: PublishedNode, file: Path, at: str, number: int) -> WebCanvasStep:
    if node.match.startswith(OUTSIDE):
        raise DataError(file, f"{at}.match_function_name", f"{node.match} concerns an action that no agent here has")
    content = node.content
    if node.method not in ("", "selector"):
        raise DataError(file, f"{at}.method", f"expected selector, got {node.method!r}")
    return validate(
        TypeAdapter(WebCanvasStep),
        {
            "name": f"node-{number + 1}",
            "match": node.match,
            "key": content.key,
            "answer": content.reference_answer,
            "netloc": content.netloc,
            "path": content.path,
            "url": content.url,
        },
        file,
        at,
    )


def write_tasks(tasks: Sequence[NodeTask], path: Path) -> None:
    """As YAML. Raises DataError."""
    data = [task.model_dump(mode="json", exclude_defaults=True) for task in tasks]
    for task in data:
        task["key_steps"] = [{"kind": "webcanvas", **step} for step in task["key_steps"]]
    try:
        path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120), encoding="utf-8")
    except OSError as error:
        raise DataError(path, "", f"can't be written: {error.strerror}") from error


def read_node_tasks(path: Path) -> tuple[NodeTask, ...]:
    """Read the file of `write_tasks`. Raises DataError."""
    return validate(_TASKS, read_yaml(path), path)


def fare(trajectories: Sequence[PublishedTrajectory], tasks: Sequence[NodeTask]) -> tuple[TrajectoryScore, ...]:
    """Every trajectory whose task is among these, compared by their words, ignoring punctuation and case."""
    known: Mapping[str, NodeTask] = {_said(task.task): task for task in tasks}
    found = []
    for one in trajectories:
        task = known.get(_said(one.task))
        if task is None:
            continue
        undecidable = tuple(key.name for key in task.key_steps if key.undecidable or not key.match.startswith("url"))
        found.append(
            TrajectoryScore(
                task=one.task,
                status=one.status,
                published=one.steps[-1].score,
                hits=evaluate(task.key_steps, logged(one)),
                undecidable=undecidable,
            )
        )
    return tuple(found)


def logged(one: PublishedTrajectory) -> tuple[Step, ...]:
    """A log's steps, of which only the addresses are known: the next action was chosen where the last one led."""
    before = ["", *(step.url for step in one.steps)]
    return tuple(
        Step(
            number=number,
            phase="main",
            observation=Observation(url=url, text=""),
            thought=step.thought,
            action=None,
            raw=step.action[:4_000],
            outcome=Outcome(ok=True, url=step.url),
        )
        for number, (url, step) in enumerate(zip(before, one.steps, strict=False), 1)
    )


def _said(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))
