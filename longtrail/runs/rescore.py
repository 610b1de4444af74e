"""Rescore: every case of a run scored again from its files; the same files and tasks give the same bytes."""

import gc
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Trajectory
from longtrail.runs.result_file import write_result
from longtrail.runs.store import Run
from longtrail.runs.sums import edited, seal
from longtrail.scoring.score import score
from longtrail.tasks.loading import checksum
from longtrail.tasks.task import Task

PARALLEL_FROM = 200
"""Cases from which on starting processes pays."""
BATCH = 25
"""Cases that a process takes at a time."""
_AT_WORK: dict[str, tuple[Run, Mapping[str, Task]]] = {}
"""A scoring process' own: what all of its batches share."""


@dataclass(frozen=True, slots=True)
class RescoredRun:
    """What came of scoring a run again."""

    results: tuple[Result, ...]
    missing: tuple[str, ...]
    """Planned cases without an intact episode."""
    changed: tuple[str, ...]
    """Cases whose written result was another one, or that only one of the two holds."""
    edited: tuple[str, ...] = ()
    """Files that were others before than at the end of the run's last session."""


def rescore(run: Run, tasks: Mapping[str, Task], processes: int | None = None) -> tuple[Result, ...]:
    """Score every case of a run from its files, by case id; one trajectory a case, as `Run.episodes` chooses them.

    `processes`: by default 1 for small runs, else one for each processor that this process may use.
    Raises DataError if a task of the run is not among `tasks`.
    """
    groups = list(run.attempts().values())
    count = processes or (_processors() if len(groups) >= PARALLEL_FROM else 1)
    if count == 1:
        return tuple(result for files in groups if (result := score_latest(run, tasks, files)) is not None)
    batches = [groups[start : start + BATCH] for start in range(0, len(groups), BATCH)]
    results: list[Result] = []
    # spawn: a fork would copy the threads' locks of a session that drives a browser
    with ProcessPoolExecutor(count, get_context("spawn"), _begin, (run.folder, dict(tasks))) as pool:
        for scored, put_aside in pool.map(_score_batch, batches):
            results += scored
            run.quarantined += put_aside
    return tuple(results)


def rescore_files(run: Run, tasks: Mapping[str, Task]) -> RescoredRun:
    """Score a run again and write its results: the list, and each one beside its episode."""
    written = _written(run) if run.results_file.is_file() else None
    found_edited = edited(run)
    results = rescore(run, tasks)
    data = run.manifest.data
    for result in results:
        write_result(run, result, checksum(task_of(run, tasks, result.case)), data)
    run.write_results(results)
    seal(run)
    changed = () if written is None else _different(written, {result.case.id: result for result in results})
    return RescoredRun(results, run.missing(), changed, found_edited)


def _written(run: Run) -> Mapping[str, Result]:
    """What stands in results.jsonl; nothing where it is torn, so that every case is told as another one."""
    try:
        return {result.case.id: result for result in run.results()}
    except DataError:
        return {}


def _different(before: Mapping[str, Result], after: Mapping[str, Result]) -> tuple[str, ...]:
    return tuple(case for case in sorted({*before, *after}) if before.get(case) != after.get(case))


def score_latest(run: Run, tasks: Mapping[str, Task], files: Sequence[Path]) -> Result | None:
    """Score one case from its episode files, latest first; None if none of them can be read."""
    trajectory = run.latest(files)
    return None if trajectory is None else score_attempt(run, tasks, trajectory)


def score_attempt(run: Run, tasks: Mapping[str, Task], trajectory: Trajectory) -> Result:
    """Score an attempt, and count the steps of those before it."""
    result = score(task_of(run, tasks, trajectory.case), trajectory)
    if not trajectory.attempt:
        return result
    earlier = [path for number, path in run.attempts_at(trajectory.case.id).items() if number < trajectory.attempt]
    steps = sum(len(found.steps) for path in earlier if (found := run.latest([path])) is not None)
    return result.model_copy(update={"discarded_steps": steps})


def task_of(run: Run, tasks: Mapping[str, Task], case: Case) -> Task:
    """The task of a case. Raises DataError if there is none."""
    task = tasks.get(case.task)
    if task is None:
        raise DataError(run.folder, case.id, f"there is no task {case.task!r}")
    return task


def _begin(folder: Path, tasks: Mapping[str, Task]) -> None:
    gc.disable()  # what is scored holds no cycles, and looking for them takes a tenth of the time
    _AT_WORK["run"] = (Run.open(folder), tasks)


def _score_batch(groups: Sequence[Sequence[Path]]) -> tuple[list[Result], list[tuple[str, str]]]:
    run, tasks = _AT_WORK["run"]
    run.quarantined = []
    found = [result for files in groups if (result := score_latest(run, tasks, files)) is not None]
    return found, run.quarantined


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
