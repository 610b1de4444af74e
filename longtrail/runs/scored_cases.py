"""Scored cases: each case is scored once, by the worker that played it; the controller collects and verifies.

A worker writes the result next to the episode, with a digest over the episode file's sha256, the task, the data and
the result. A result whose digest does not match is scored again and reported. A missing result (its worker died, or an
older version made the run) is computed. The digest detects accidents and edits of files. It can't detect forgery by
code in the worker's process, which can write any episode with a matching digest. `longtrail rescore` trusts no result
and scores every episode again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory
from longtrail.runs.attempts import read_result
from longtrail.runs.rescore import score_attempt, score_latest, task_of
from longtrail.runs.store import Run
from longtrail.tasks.loading import checksum
from longtrail.tasks.task import Task


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

    def recorded(self, case: str) -> Result | None:
        """The result of a case's latest valid attempt; None if it was not played, or only invalid."""
        for episode in self._run.attempts_at(case).values():
            result, _ = self._read(episode)
            if result is not None and result.outcome != "invalid":
                return result
        trajectory = self._run.recorded(case)
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
