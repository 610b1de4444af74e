"""Rescore: scores every case of a run again from its files; the same files and tasks give identical results."""

import gc
import os
import sys
import threading
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
"""Number of cases from which several processes are faster than one."""
BATCH = 10
"""Number of cases in a batch."""
Batch = Sequence[Sequence[Path]]
"""For each case its episode files, latest first."""
Scored = tuple[list[Result], list[tuple[str, str]]]
"""The outcome of a batch: its results, and the files moved to quarantine, with reasons."""
_AT_WORK: dict[str, tuple[Run, Mapping[str, Task]]] = {}
"""A scoring process's state, shared by its batches."""


@dataclass(frozen=True, slots=True)
class RescoredRun:
    """The outcome of scoring a run again."""

    results: tuple[Result, ...]
    missing: tuple[str, ...]
    """Planned cases without an intact episode."""
    changed: tuple[str, ...]
    """Cases whose written result was different, or that are in only one of the two lists."""
    edited: tuple[str, ...] = ()
    """Files that had changed after the run's last session."""


def rescore(run: Run, tasks: Mapping[str, Task], processes: int | None = None) -> tuple[Result, ...]:
    """Score every case of a run from its files, by case id; one trajectory per case, as `Run.episodes` chooses it.
    `processes`: by default 1 for small runs, otherwise the number of processors that this process may use. Raises
    DataError if a task of the run is not among `tasks`.
    """
    groups = list(run.attempts().values())
    count = processes or (_processors() if len(groups) >= PARALLEL_FROM else 1)
    if count == 1:
        return tuple(result for files in groups if (result := score_latest(run, tasks, files)) is not None)
    batches = [groups[start : start + BATCH] for start in range(0, len(groups), BATCH)]
    scored = _score_in_processes(run, tasks, batches, count)
    run.quarantined += [aside for _, put_aside in scored for aside in put_aside]
    return tuple(result for results, _ in scored for result in results)


def _score_in_processes(run: Run, tasks: Mapping[str, Task], batches: Sequence[Batch], count: int) -> list[Scored]:
    with ProcessPoolExecutor(count, get_context(_way_to_start()), _begin, (run.folder, dict(tasks))) as pool:
        return list(pool.map(_score_batch, batches))


def rescore_files(run: Run, tasks: Mapping[str, Task]) -> RescoredRun:
    """Score a run again and write its results: the list, and each result with its episode."""
    written = _written(run) if run.results_file.is_file() else None
    changed_files = edited(run)
    results = rescore(run, tasks)
    data = run.manifest.data
    for result in results:
        write_result(run, result, checksum(task_of(run, tasks, result.case)), data)
    run.write_results(results)
    seal(run)
    changed = () if written is None else _different(written, {result.case.id: result for result in results})
    return RescoredRun(results, run.missing(), changed, changed_files)


def _written(run: Run) -> Mapping[str, Result]:
    """The content of results.jsonl; empty if it is incomplete, so that every case counts as changed."""
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
    steps = sum(len(attempt.steps) for path in earlier if (attempt := run.latest([path])) is not None)
    return result.model_copy(update={"discarded_steps": steps})


def task_of(run: Run, tasks: Mapping[str, Task], case: Case) -> Task:
    """The task of a case. Raises DataError if there is none."""
    task = tasks.get(case.task)
    if task is None:
        raise DataError(run.folder, case.id, f"there is no task {case.task!r}")
    return task


def _begin(folder: Path, tasks: Mapping[str, Task]) -> None:
    gc.disable()  # scored records have no reference cycles, and the search for them takes a tenth of the time
    _AT_WORK["run"] = (Run.open(folder), tasks)


def _way_to_start() -> str:
    """The fork method, which starts fast, if this process has no other threads whose locks would be copied, such as a
    browser's."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"


def _score_batch(batch: Batch) -> Scored:
    run, tasks = _AT_WORK["run"]
    run.quarantined = []
    results = [result for files in batch if (result := score_latest(run, tasks, files)) is not None]
    return results, run.quarantined


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
