"""Checked run: the results of a finished run, checked against its plan and its episodes. Nothing is scored here.

The digests detect accidents, lost files and edits of single files. Only `longtrail rescore` detects a result that was
edited together with the list. Forged episodes are not detected.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.case import LONG
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Case, Contender, Provenance, Trouble
from longtrail.runs.manifest import Manifest
from longtrail.runs.result_file import read_result
from longtrail.runs.store import Run, file_stem
from longtrail.runs.sums import edited

LOST = "this planned case has no intact episode"


@dataclass(frozen=True)
class CheckedRun:
    """A run's results, and the problems with its files."""

    results: tuple[Result, ...]
    """As written in results.jsonl, by case id."""
    missing: tuple[str, ...] = ()
    """Planned cases without an intact episode, or without a result."""
    changed: tuple[str, ...] = ()
    """Cases whose line in results.jsonl does not match one of their intact episodes, or was not planned."""
    torn: str = ""
    """Why results.jsonl can't be read; in that case no result counts."""
    edited: tuple[str, ...] = ()
    """Files that changed after the run's last session."""
    lost: tuple[Result, ...] = field(default=(), repr=False)
    """An invalid result for each missing case; it counts as 0."""

    @property
    def counted(self) -> tuple[Result, ...]:
        """The results that all rates use: one for every planned case; a case without an episode is invalid."""
        absent = set(self.missing)
        return (*(result for result in self.results if result.case.id not in absent), *self.lost)

    def problems(self) -> tuple[str, ...]:
        """The run's problems, one line each; empty if it is complete."""
        found = []
        if self.torn:
            found.append(f"{self.torn}: `longtrail rescore` writes it again")
        if self.missing:
            found.append(
                f"{len(self.missing)} planned cases have no record, e.g. {self.missing[0]}: counted as invalid"
            )
        if self.changed:
            told = "results that do not belong to an episode of the run (edited, or not made by it)"
            found.append(f"{len(self.changed)} {told}, e.g. {self.changed[0]}: `longtrail rescore` makes them again")
        if self.edited:
            found.append(f"{len(self.edited)} files were changed after the end of the run, e.g. {self.edited[0]}")
        return tuple(found)


def check_run(run: Run) -> CheckedRun:
    """Check a finished run's results against its files. Raises DataError if its manifest can't be read."""
    manifest, results, torn = run.manifest, tuple[Result, ...](), ""
    try:
        results = run.results()
    except DataError as error:
        torn = str(error)
    attempts = run.attempts()
    planned = set(manifest.cases)
    recorded = Counter(result.case.id for result in results)
    changed = [
        result.case.id
        for result in results
        if (planned and result.case.id not in planned)
        or recorded[result.case.id] > 1
        or not _belongs(run, result, attempts.get(file_stem(result.case.id), []), manifest.data)
    ]
    lost = set(run.missing())
    missing = tuple(case for case in manifest.cases if case in lost or case not in recorded)
    return CheckedRun(
        results,
        missing,
        tuple(dict.fromkeys(case for case in changed if case not in missing)),
        torn,
        _edited(run, missing),
        lost_results(manifest, missing),
    )


def _belongs(run: Run, result: Result, files: Sequence[Path], data: str) -> bool:
    """Whether a line of results.jsonl equals the result stored with one of the case's intact episodes."""
    name = f"{file_stem(result.case.id)}.a{result.attempt}.json"
    episode = next((path for path in files if path.name == name), None)
    beside = read_result(run, episode, data)[0] if episode is not None else None
    return beside is not None and beside.result == result


def _edited(run: Run, missing: Sequence[str]) -> tuple[str, ...]:
    """Changed files, without those that only show that cases are missing (reported separately)."""
    gone = tuple(f"/{file_stem(case)}.a" for case in missing)
    lists = ("results.jsonl",) if missing else ()
    return tuple(name for name in edited(run) if name not in lists and not any(stem in name for stem in gone))


def lost_results(manifest: Manifest, missing: Iterable[str]) -> tuple[Result, ...]:
    """An invalid result for each of these planned cases that the plan describes."""
    known = {one.case.id: one for one in manifest.planned}
    return tuple(_lost(known[case].case, known[case].contender, manifest) for case in missing if case in known)


def _lost(case: Case, contender: Contender, manifest: Manifest) -> Result:
    reason = f"storage: {LOST}"
    long = case.suite in LONG
    return Result(
        case=case,
        contender=contender,
        provenance=Provenance(longtrail=manifest.longtrail, data=manifest.data, task=""),
        outcome="invalid",
        reason=reason,
        category="other",
        metrics={"error_category": Metric(value="other", reason=reason)} if long else {},
        trouble=Trouble(kind="storage", message=LOST),
    )
