"""Scores of a run's cases: each is written by the worker that played it (`ScoredCases`), and `rescore` makes all again.

The same files and tasks give identical results. The digest of a written result (`attempts`) detects accidents and edits
of files: such a result is scored again and reported, and a missing one is computed. It can't detect forgery by code in
the worker's process, which can write any episode with a matching digest. `longtrail rescore` trusts no result.

A run stores the user's own tasks that it played (`tasks/ID.json`), so that it can be scored anywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from longtrail.errors import DataError
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Trajectory
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.attempts import file_stem, read_result
from longtrail.runs.store import Run
from longtrail.runs.sums import edited, seal
from longtrail.scoring.score import score
from longtrail.tasks.loading import checksum
from longtrail.tasks.task import TASK, Task
from longtrail.variants import shipped_tasks

OWN_TASKS = "tasks"
"""The folder of a run with the user's own tasks."""


def store_tasks(run: Run, tasks: Iterable[Task]) -> None:
    """Write a run's own tasks. Raises HarnessTrouble(storage)."""
    for task in tasks:
        write_whole(run.folder / OWN_TASKS / f"{file_stem(task.id)}.json", TASK.dump_json(task, indent=1) + b"\n")


def tasks_of(run: Run) -> Mapping[str, Task]:
    """Every task that a run may have cases of: the shipped ones, in the run's variant, and its own. Raises
    DataError."""
    from longtrail.tasks.shifts.plans import load_shift_twins, load_shifts  # workers need none of these
    from longtrail.tasks.twins import load_twins

    seed = run.manifest.options.get("variant")
    twins = load_twins() if seed is None else {}
    shifts: Mapping[str, Task] = {**load_shifts(seed), **load_shift_twins(seed)}
    return {**shipped_tasks(seed), **twins, **shifts, **own_tasks_of(run)}


def own_tasks_of(run: Run) -> Mapping[str, Task]:
    """Those of a run's tasks that do not ship, by id. Raises DataError."""
    tasks: dict[str, Task] = {}
    for path in sorted((run.folder / OWN_TASKS).glob("*.json")):
        try:
            task = TASK.validate_json(path.read_bytes())
        except ValidationError as error:
            raise DataError(path, "", f"is not a task of a run: {str(error).splitlines()[0]}") from error
        tasks[task.id] = task
    return tasks


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


def rescore(run: Run, tasks: Mapping[str, Task]) -> tuple[Result, ...]:
    """Score every case of a run from its files, by case id; one trajectory per case, as `Run.latest` chooses it. Raises
    DataError if a task of the run is not among `tasks`."""
    return tuple(result for files in run.attempts().values() if (result := score_latest(run, tasks, files)) is not None)


def rescore_files(run: Run, tasks: Mapping[str, Task]) -> RescoredRun:
    """Score a run again and write its results: the list, and each result with its episode."""
    written = _written(run) if run.results_file.is_file() else None
    changed_files = edited(run)
    results = rescore(run, tasks)
    for result in results:
        run.write_result(result, checksum(task_of(run, tasks, result.case)))
    run.write_results(results)
    seal(run)
    now, before = {result.case.id: result for result in results}, written or {}
    different = (case for case in sorted({*before, *now}) if before.get(case) != now.get(case))
    changed = () if written is None else tuple(different)
    return RescoredRun(results, run.missing(), changed, changed_files)


def _written(run: Run) -> Mapping[str, Result]:
    """The content of results.jsonl; empty if it is incomplete, so that every case counts as changed."""
    try:
        return {result.case.id: result for result in run.results()}
    except DataError:
        return {}


def score_latest(run: Run, tasks: Mapping[str, Task], files: Sequence[Path]) -> Result | None:
    """Score one case from its episode files, latest first; None if none of them can be read."""
    trajectory = run.latest(files)
    return None if trajectory is None else score_attempt(run, tasks, trajectory)


def score_attempt(run: Run, tasks: Mapping[str, Task], trajectory: Trajectory) -> Result:
    """Score an attempt, and count the steps of those before it."""
    result = score(task_of(run, tasks, trajectory.case), trajectory)
    if not trajectory.attempt:
        return result
    earlier = [path for number, path in run.episode_files(trajectory.case.id).items() if number < trajectory.attempt]
    steps = sum(len(attempt.steps) for path in earlier if (attempt := run.latest([path])) is not None)
    return result.model_copy(update={"discarded_steps": steps})


def task_of(run: Run, tasks: Mapping[str, Task], case: Case) -> Task:
    """The task of a case. Raises DataError if there is none."""
    task = tasks.get(case.task)
    if task is None:
        raise DataError(run.folder, case.id, f"there is no task {case.task!r}")
    return task


@dataclass(frozen=True, slots=True)
class CollectedResults:
    """The results of a run's files at its end."""

    results: tuple[Result, ...]
    """By case id; one for each case with an intact attempt."""
    changed: tuple[str, ...]
    """Cases whose result did not match its episode; they were scored again."""


class ScoredCases:
    """The results stored with a run's episodes."""

    def __init__(self, run: Run, tasks: Mapping[str, Task]) -> None:
        self._run, self._tasks = run, tasks
        self._data = run.manifest.data
        self._checksums: dict[str, str] = {}

    def score(self, trajectory: Trajectory) -> Result:
        """Score a case whose episode is written, and write the result next to it."""
        result = score_attempt(self._run, self._tasks, trajectory)
        self._write(result)
        return result

    def valid_result(self, case: str) -> Result | None:
        """The result of a case's latest valid attempt; None if it was not played, or only invalid."""
        for episode in self._run.episode_files(case).values():
            result, _ = self._read(episode)
            if result is not None and result.outcome != "invalid":
                return result
        trajectory = self._run.valid_episode(case)
        return score_attempt(self._run, self._tasks, trajectory) if trajectory is not None else None

    def collect(self) -> CollectedResults:
        """The result of every case, equal to what `rescore` gives; only missing or non-matching results are scored.

        Raises DataError if a task of the run is not among the tasks.
        """
        results, changed = [], []
        for files in self._run.attempts().values():
            result, fits = self._collected(files)
            if result is None:
                continue
            results.append(result)
            if not fits:
                changed.append(result.case.id)
        return CollectedResults(tuple(sorted(results, key=lambda result: result.case.id)), tuple(changed))

    def _collected(self, files: Sequence[Path]) -> tuple[Result | None, bool]:
        """One case's result, and whether the written result matched its latest attempt."""
        latest, fits = self._read(files[0])
        if latest is not None and (latest.outcome != "invalid" or len(files) == 1):
            return latest, True
        scored = score_latest(self._run, self._tasks, files)
        if scored is not None:
            self._write(scored)
        return scored, fits

    def _read(self, episode: Path) -> tuple[Result | None, bool]:
        """The result of an episode file, and whether it matches. The result is None if it is missing or does not
        match."""
        stored, fits = read_result(episode, self._data)
        if stored is None:
            return None, fits
        same = stored.task == self._task(stored.result)
        return (stored.result, True) if same else (None, False)

    def _write(self, result: Result) -> None:
        self._run.write_result(result, self._task(result))

    def _task(self, result: Result) -> str:
        task = task_of(self._run, self._tasks, result.case)
        if task.id not in self._checksums:
            self._checksums[task.id] = checksum(task)
        return self._checksums[task.id]
