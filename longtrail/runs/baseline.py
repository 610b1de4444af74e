"""Baseline: the scores of a finished run that a comparison needs, in memory or as a small checksummed file."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from longtrail.errors import UsageError
from longtrail.options.flags import fields
from longtrail.records.record import Record
from longtrail.records.result import CaseOutcome, Result
from longtrail.records.trajectory import Case, Contender, Provenance
from longtrail.runs.checked import CheckedRun, check_run
from longtrail.runs.manifest import Manifest
from longtrail.runs.store import Run
from longtrail.runs.sums import chain_of

FORM = 1
REASON = 240
"""Maximum characters of a reason: more than pages and terminals show, which mark what they cut."""


class Scored(Record):
    """One case of a run: its outcome and every numeric measure."""

    case: Case
    contender: int = 0
    """Index in `Scores.contenders`."""
    provenance: int = 0
    """Index in `Scores.provenances`."""
    outcome: CaseOutcome
    attempt: int = 0
    """Number of earlier attempts that ended in trouble, or that had begun and have no episode."""
    reason: str = ""
    values: dict[str, float] = {}


class SourceRun(Record):
    """A run whose scores are in a baseline."""

    name: str
    commit: str = ""
    """Of the agent's folder, see `Manifest.commit`."""
    chain: str = ""
    """Of its files' sums: shows whether a run is the one that the scores came from."""

    def __str__(self) -> str:
        details = [
            *([f"commit {self.commit}"] if self.commit else []),
            *([f"chain {self.chain[:12]}"] if self.chain else []),
        ]
        return f"{self.name} ({', '.join(details)})" if details else self.name


class Scores(Record):
    """The part of a finished run that comparisons need."""

    form: int = FORM
    manifest: Manifest
    """Its options are those that change what is measured (flags whose effect is `measured`)."""
    contenders: tuple[Contender, ...]
    provenances: tuple[Provenance, ...]
    cases: tuple[Scored, ...]
    problems: tuple[str, ...] = ()
    """Problems with the run's files; with any of them, the run can't be compared."""
    lost: tuple[str, ...] = ()
    """Planned cases without an intact episode; they are also among the cases, as invalid."""
    sources: tuple[SourceRun, ...] = ()
    """The runs that the scores are of; several if their repeats were pooled."""

    @property
    def name(self) -> str:
        return self.manifest.name

    def missing(self) -> tuple[str, ...]:
        """Planned cases without a score or without an episode."""
        scored = {scored_case.case.id for scored_case in self.cases} - set(self.lost)
        return tuple(case for case in self.manifest.cases if case not in scored)


def scores_of(run: Run) -> Scores:
    """The scores of a run from its results. Raises UsageError if it is not finished, DataError if a file is wrong."""
    if not run.results_file.is_file():
        raise UsageError(
            f"{run.folder}: the run is not finished (results.jsonl is missing); `longtrail rescore` writes it"
        )
    return scores_from(run.manifest, check_run(run), chain_of(run))


def scores_from(manifest: Manifest, checked: CheckedRun, chain: str = "") -> Scores:
    """The scores of a run whose results were checked. `chain`: of its files."""
    contenders: dict[str, tuple[int, Contender]] = {}
    provenances: dict[str, tuple[int, Provenance]] = {}
    cases = []
    for result in checked.counted:
        contender_index, _ = contenders.setdefault(
            result.contender.model_dump_json(), (len(contenders), result.contender)
        )
        made, _ = provenances.setdefault(result.provenance.model_dump_json(), (len(provenances), result.provenance))
        cases.append(
            Scored(
                case=result.case,
                contender=contender_index,
                provenance=made,
                outcome=result.outcome,
                attempt=result.attempt + len(checked.begun.get(result.case.id, ())),
                reason=" ".join(result.reason.split())[:REASON],
                values=_numbers(result),
            )
        )
    settings = {name: manifest.options[name] for name in fields("measured") if name in manifest.options}
    return Scores(
        manifest=manifest.model_copy(update={"options": settings, "planned": ()}),
        contenders=tuple(contender for _, contender in contenders.values()),
        provenances=tuple(provenance for _, provenance in provenances.values()),
        cases=tuple(cases),
        problems=checked.problems(),
        lost=checked.missing,
        sources=(SourceRun(name=manifest.name, commit=manifest.commit, chain=chain),),
    )


def _numbers(result: Result) -> dict[str, float]:
    numbers = {name: result.number(name) for name in result.metrics}
    return {name: round(value, 9) for name, value in numbers.items() if value is not None}


def pooled(runs: Sequence[Scores]) -> Scores:
    """The scores of several runs of the same contenders as those of one with more repeats; oldest first. Raises
    UsageError if their contenders differ."""
    pool = runs[0]
    for added in runs[1:]:
        labels = [sorted(contender.label for contender in run.contenders) for run in (added, pool)]
        if len(added.contenders) != len(pool.contenders) or any(c not in pool.contenders for c in added.contenders):
            contenders = f"{added.name} has {', '.join(labels[0])}, and {pool.name} {', '.join(labels[1])}"
            raise UsageError(f"{contenders}: they can't be pooled")
        pool = _with_repeats_of(pool, added)
    return pool


def _with_repeats_of(pool: Scores, added: Scores) -> Scores:
    """`other` supplies the manifest, as it is newer."""
    repeats = 1 + max((scored.case.repeat for scored in pool.cases), default=-1)
    contenders = [pool.contenders.index(contender) for contender in added.contenders]
    ids, cases = {}, []
    for scored in added.cases:
        case = scored.case
        number = case.repeat + repeats
        ids[case.id] = f"{case.id.removesuffix(f'-r{case.repeat}')}-r{number}"
        update = {
            "case": case.model_copy(update={"id": ids[case.id], "repeat": number}),
            "contender": contenders[scored.contender],
            "provenance": scored.provenance + len(pool.provenances),
        }
        cases.append(scored.model_copy(update=update))
    planned = (*pool.manifest.cases, *(ids.get(case, case) for case in added.manifest.cases))
    return Scores(
        manifest=added.manifest.model_copy(update={"cases": planned}),
        contenders=pool.contenders,
        provenances=(*pool.provenances, *added.provenances),
        cases=(*pool.cases, *cases),
        problems=(*pool.problems, *added.problems),
        lost=(*pool.lost, *(ids[case] for case in added.lost)),
        sources=(*pool.sources, *added.sources),
    )


def read_scores(path: Path) -> Scores:
    """The scores of a run's folder or of a file from `write_baseline`. If the runs of a file are at hand, in `../runs/`
    beside its folder, it is compared with them. Raises UsageError or DataError."""
    if path.is_dir():
        return scores_of(Run.open(path))
    try:
        content = json.loads(path.read_bytes())
        data, checksum = content["scores"], content["sha256"]
    except OSError as error:
        raise UsageError(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{path}: is not a baseline file; create one with `longtrail baseline RUN`") from error
    if checksum != _checksum(data):
        raise UsageError(f"{path}: the checksum does not match: the file is damaged or was changed")
    try:
        scores = Scores.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise UsageError(f"{path}: is not a baseline of form {FORM}: {' '.join(str(error).split())[:200]}") from error
    if scores.form != FORM or not _coherent(scores):
        raise UsageError(f"{path}: is not a baseline of form {FORM}")
    return scores.model_copy(update={"problems": (*scores.problems, *_differences_from_runs(scores, path))})


def _differences_from_runs(scores: Scores, file: Path) -> tuple[str, ...]:
    """Why a baseline file does not have what its runs have; empty if it does, or if a run is not at hand."""
    folders = [file.resolve().parent.parent / "runs" / source.name for source in scores.sources]
    if not folders or not all((folder / "results.jsonl").is_file() for folder in folders):
        return ()
    runs = [scores_of(Run.open(folder)) for folder in folders]
    changed = [source.name for source, run in zip(scores.sources, runs, strict=True) if (source,) != run.sources]
    if changed:
        return (f"{', '.join(changed)}: the run has changed since this baseline was made",)
    same = _content(pooled(runs)) == _content(scores)
    return () if same else (f"{file.name} was edited: it differs from its runs",)


def _content(scores: Scores) -> tuple[object, ...]:
    """What a comparison uses."""
    return scores.manifest, scores.contenders, scores.provenances, scores.cases, scores.lost


def _coherent(scores: Scores) -> bool:
    """Whether all indices are valid, and no case occurs twice."""
    indices_valid = all(
        0 <= case.contender < len(scores.contenders) and 0 <= case.provenance < len(scores.provenances)
        for case in scores.cases
    )
    return indices_valid and len({case.case.id for case in scores.cases}) == len(scores.cases)


def write_baseline(scores: Scores, path: Path) -> Path:
    """Write scores as JSON with one line per case, so that changes of a baseline are readable in a diff."""
    data = scores.model_dump(mode="json", exclude_defaults=True) | {"form": FORM}
    cases = ",\n".join(_compact(case) for case in data["cases"])
    other_fields = "".join(f"{_compact(name)}:{_compact(value)},\n" for name, value in data.items() if name != "cases")
    text = f'{{"sha256":"{_checksum(data)}","scores":{{\n{other_fields}"cases":[\n{cases}\n]}}}}\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error
    return path


def _compact(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _checksum(data: object) -> str:
    """Checksum of the content; formatting and line endings don't matter."""
    return hashlib.sha256(_compact(data).encode("utf-8", "surrogatepass")).hexdigest()
