"""Checked run: the results of a finished run, checked against its plan and its episodes. Nothing is scored here.

The digests detect accidents, lost files and edits of single files. Only `longtrail rescore` detects a result that was
edited together with the list. Forged episodes are not detected.
"""

import contextlib
import hashlib
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from longtrail.errors import DataError
from longtrail.records.case import LONG
from longtrail.records.record import Record
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Case, Contender, Provenance, Trouble
from longtrail.runs.atomic_file import read_whole
from longtrail.runs.attempts import body_sha256, file_stem, read_body, read_result
from longtrail.runs.manifest import Manifest
from longtrail.runs.store import Run
from longtrail.runs.sums import LISTED, edited
from longtrail.runs.sums import NAME as SUMS
from longtrail.runs.under_way import begun_attempts
from longtrail.statistics.twin_pairs import with_pairs

LOST = "this planned case has no intact episode"
CACHE = "checked.json"


def is_lost(result: Result) -> bool:
    """Whether a result stands for a planned case without an episode."""
    return result.trouble is not None and result.trouble.message == LOST


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
    begun: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Case -> the steps of each attempt that had begun and has no episode, because its worker or session ended."""

    @cached_property
    def counted(self) -> tuple[Result, ...]:
        """The results that all rates use: one for every planned case; a case without an episode is invalid. The first
        case of each pair of twins has the pair's measures."""
        absent = set(self.missing)
        return with_pairs((*(result for result in self.results if result.case.id not in absent), *self.lost))

    def problems(self) -> tuple[str, ...]:
        """The run's problems, one line each; empty if it is complete."""
        lines = []
        if self.torn:
            lines.append(f"{self.torn}: `longtrail rescore` writes it again")
        if self.missing:
            lines.append(
                f"{len(self.missing)} planned cases have no record, e.g. {self.missing[0]}: counted as invalid"
            )
        if self.changed:
            description = "results that do not belong to an episode of the run (edited, or not made by it)"
            lines.append(
                f"{len(self.changed)} {description}, e.g. {self.changed[0]}: `longtrail rescore` makes them again"
            )
        if self.edited:
            lines.append(f"{len(self.edited)} files were changed after the end of the run, e.g. {self.edited[0]}")
        if SUMS in self.edited:
            lines.append(f"{SUMS}, the list of the run's files, is missing or was changed")
        return tuple(lines)


def check_run(run: Run) -> CheckedRun:
    """Check a finished run's results against its files. Raises DataError if its manifest can't be read."""
    manifest, lines, torn = run.manifest, list[tuple[bytes, Result]](), ""
    try:
        lines = list(run.result_lines())
    except DataError as error:
        lines, torn = [], str(error)
    attempts, files = run.attempts(), _Files(run, manifest.data)
    intact = {stem for stem, paths in attempts.items() if [path for path in paths if files.intact(path)]}
    unmatched = [result.case.id for line, result in lines if not files.belongs(line, result)]
    checked = _checked(run, tuple(result for _, result in lines), intact, edited(run, files.sums), unmatched)
    return replace(checked, torn=torn)


def _checked(
    run: Run, results: tuple[Result, ...], intact: Collection[str], files: Iterable[str], unmatched: Iterable[str] = ()
) -> CheckedRun:
    """`intact`: stems of the cases with an intact episode; `files`: those that changed; `unmatched`: cases whose line
    does not match an episode."""
    manifest = run.manifest
    planned = set(manifest.cases)
    recorded = Counter(result.case.id for result in results)
    wrong = {*unmatched, *(case for case, lines in recorded.items() if lines > 1 or (planned and case not in planned))}
    missing = tuple(case for case in manifest.cases if case not in recorded or file_stem(case) not in intact)
    return CheckedRun(
        results,
        missing,
        tuple(case for case in recorded if case in wrong - set(missing)),
        "",
        _edited(files, missing),
        lost_results(manifest, missing),
        _begun_steps(run),
    )


class _Files:
    """A run's files, each read once."""

    def __init__(self, run: Run, data: str) -> None:
        self._run, self._data = run, data
        self.sums: dict[str, str] = {}
        """File -> its sum, of those that were read."""
        self._episodes: dict[str, str] = {}
        """Episode file -> the checksum in it, of those that are intact."""

    def intact(self, episode: Path) -> bool:
        """Whether an episode file is complete and was not changed."""
        self._episodes[episode.name] = body_sha256(self._read("episodes", episode.name))
        return bool(self._episodes[episode.name])

    def belongs(self, line: bytes, result: Result) -> bool:
        """Whether a line of results.jsonl equals the result stored with one of the case's intact episodes."""
        name = f"{file_stem(result.case.id)}.a{result.attempt}.json"
        if not (sha256 := self._episodes.get(name)):
            return False
        if read_body(self._read("results", name), sha256, self._data) == line:
            return True
        beside, _ = read_result(self._run.folder / "episodes" / name, self._data)
        return beside is not None and beside.result == result

    def _read(self, part: str, name: str) -> bytes:
        path = self._run.folder / part / name
        if not path.exists():
            return b""
        data = read_whole(path)
        self.sums[f"{part}/{name}"] = hashlib.sha256(data).hexdigest()
        return data


def _begun_steps(run: Run) -> dict[str, list[int]]:
    return {case: [attempt.steps for attempt in attempts] for case, attempts in begun_attempts(run.folder).items()}


def _edited(files: Iterable[str], missing: Sequence[str]) -> tuple[str, ...]:
    """Changed files, without those that only show that cases are missing (reported separately)."""
    gone = tuple(f"/{file_stem(case)}.a" for case in missing)
    lists = ("results.jsonl",) if missing else ()
    return tuple(name for name in files if name not in lists and not any(stem in name for stem in gone))


def lost_results(manifest: Manifest, missing: Iterable[str]) -> tuple[Result, ...]:
    """An invalid result for each of these planned cases that the plan describes."""
    planned_cases = {planned.case.id: planned for planned in manifest.planned}
    return tuple(
        _lost(planned_cases[case].case, planned_cases[case].contender, manifest)
        for case in missing
        if case in planned_cases
    )


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


class _StoredCheck(Record):
    """The result of checking a finished run, stored with the run until one of its files changes.

    Every session writes pages at its end, when most runs in the folder are unchanged. The cache compares size, times
    and inode of their files instead of reading them again. Code that must be certain (`longtrail report`, a gate, a
    baseline) calls `check_run`.
    """

    files: str
    """Digest over names, sizes, times and inodes of the files that the check read."""
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()


def check_again(run: Run) -> CheckedRun:
    """Like `check_run`, but returns the last result if no file has changed since."""
    files = _digest(run.folder)
    with contextlib.suppress(OSError, ValueError, DataError):
        stored = _StoredCheck.model_validate_json((run.folder / CACHE).read_bytes())
        if stored.files == files:
            lost = lost_results(run.manifest, stored.missing)
            return CheckedRun(
                tuple(run.results()), stored.missing, stored.changed, "", stored.edited, lost, _begun_steps(run)
            )
    return checked_anew(run)


def checked_anew(run: Run) -> CheckedRun:
    """Like `check_run`, and stores the result."""
    files = _digest(run.folder)
    checked = check_run(run)
    if not checked.torn:
        _store_check(run, checked, files)
    return checked


def checked_as_written(run: Run, results: Sequence[Result], changed: Iterable[str]) -> CheckedRun:
    """Like `checked_anew`, of results that were just collected from the run's files and written; nothing is read again.
    `changed`: files that had changed since an earlier session."""
    checked = _checked(run, tuple(results), {file_stem(result.case.id) for result in results}, changed)
    _store_check(run, checked, _digest(run.folder))
    return checked


def _store_check(run: Run, checked: CheckedRun, files: str) -> None:
    """Write the cache; if the disk is full, the next check reads all files again."""
    stored = _StoredCheck(files=files, missing=checked.missing, changed=checked.changed, edited=checked.edited)
    draft = run.folder / f".{CACHE}.{os.getpid()}"
    with contextlib.suppress(OSError):
        draft.write_text(stored.model_dump_json(), encoding="utf-8")
        draft.replace(run.folder / CACHE)


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    names = [folder / name for name in ("run.json", "results.jsonl", SUMS)]
    for part in LISTED:
        with contextlib.suppress(OSError), os.scandir(folder / part) as entries:
            names += sorted(Path(entry.path) for entry in entries)
    for path in names:
        with contextlib.suppress(OSError):
            at = path.stat()
            digest.update(f"{path.name} {at.st_size} {at.st_mtime_ns} {at.st_ctime_ns} {at.st_ino}\n".encode())
    return digest.hexdigest()
