"""Merging: checks the shards that several machines played (`--shard K/N`) and joins them into one run.

Nothing is written before everything is checked; the merged run is written completely or not at all.
"""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.call_book import FILE as CALL_BOOK
from longtrail.options.value_forms import Shard
from longtrail.records.result import Result
from longtrail.runs.checked import CACHE, check_run
from longtrail.runs.manifest import Manifest, differences, software_differences
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME, chain_of, seal, sums_of

_OF_A_SESSION = ("stop", "lock", "controller", "gate.json", "workers", "running", CACHE, CALL_BOOK)
PER_SHARD = frozenset((NAME, "run.json", "results.jsonl", *_OF_A_SESSION))
"""Files and folders that each shard has for itself; they differ."""
MADE_ANEW = frozenset(("index.html", "cases.html", "data"))
"""Pages about all cases of a run."""
PAGE = "report.html"


@dataclass(frozen=True)
class MergePlan:
    """Shards that belong together, and the run that they are; nothing is written yet."""

    parts: tuple[Run, ...]
    """By number."""
    manifest: Manifest
    results: tuple[Result, ...]
    """By case id."""

    def earlier(self, folder: Path) -> Run | None:
        """The run in this folder, if it was merged from these parts; None if there is no folder. Raises UsageError if
        there is anything else."""
        if not folder.exists():
            return None
        if not (folder / "run.json").is_file() or Run.open(folder).manifest.parts != self.manifest.parts:
            raise UsageError(f"{folder} already contains a run; choose another name with --into")
        return Run.open(folder)

    def episodes(self, earlier: Run | None) -> frozenset[str]:
        """The files of the run's episodes. `earlier`: the run if it was written before; it may have been continued."""
        runs = self.parts if earlier is None else (earlier,)
        return frozenset(f"episodes/{path.name}" for run in runs for path in (run.folder / "episodes").iterdir())

    def write(self, folder: Path) -> Run:
        """Write the run into a new folder. Raises UsageError if files of parts contradict each other,
        HarnessTrouble(storage) if it can't be written."""
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".merge-", dir=folder.parent) as draft:
                _write(self, Path(draft) / "run").folder.rename(folder)
        except OSError as error:
            raise HarnessTrouble("storage", f"{folder} can't be written: {error.strerror or error}") from error
        return Run.open(folder)


def join(parts: Sequence[Run], name: str) -> MergePlan:
    """The run of this name that the shards are together. Raises UsageError, which names run and field, if they don't
    belong together or are incomplete."""
    in_order = checked_shards(parts)
    results = sorted((result for part in in_order for result in whole_results(part)), key=lambda scored: scored.case.id)
    _one_browser(in_order, results)
    return MergePlan(tuple(in_order), _manifest(in_order, name), tuple(results))


def merged_name(parts: Sequence[Run]) -> str:
    """The name of the first shard's run without `-1ofN`. Raises UsageError if it is not a shard."""
    shards = {part: shard_of(part) for part in parts}
    first = min(shards, key=lambda part: shards[part].number)
    return first.folder.name.removesuffix(shards[first].suffix)


def shard_of(part: Run) -> Shard:
    """The shard of this run. Raises UsageError if it is not a shard."""
    shard = part.manifest.options.get("shard")
    if not shard:
        raise UsageError(f"{part.folder.name}: shard: this run was made without --shard")
    return Shard.model_validate(shard)


def checked_shards(parts: Sequence[Run]) -> list[Run]:
    """The shards by number. Checks with their manifests that each occurs once and that command and plan agree."""
    by_number: dict[int, Run] = {}
    first = parts[0]
    for part in parts:
        name, shard = part.folder.name, shard_of(part)
        if shard.of != shard_of(first).of:
            raise UsageError(f"{name}: shard: is {shard}, and {first.folder.name} is {shard_of(first)}")
        if shard.number in by_number:
            raise UsageError(f"{name}: shard: {shard} is given twice, by {by_number[shard.number].folder.name} too")
        by_number[shard.number] = part
        _same(first, part)
    of = shard_of(first).of
    if gone := [str(number) for number in range(1, of + 1) if number not in by_number]:
        raise UsageError(f"{first.folder.name}: shard: {', '.join(gone)} of {of} is missing")
    in_order = [part for _, part in sorted(by_number.items())]
    _cases_once(in_order)
    return in_order


def _same(first: Run, part: Run) -> None:
    """Raise UsageError for the first field that differs between two shards but must agree."""
    name, before, manifest = first.folder.name, first.manifest, part.manifest
    for field, expected, actual in (*differences(before, manifest, "shard"), *software_differences(before, manifest)):
        raise UsageError(f"{part.folder.name}: {field}: is {_short(actual)}, and {_short(expected)} in {name}")
    if strange := sorted(set(before.whole) ^ set(manifest.whole)):
        counts = f"{len(manifest.whole)} cases, and {len(before.whole)} in {name}"
        raise UsageError(f"{part.folder.name}: plan: has {counts}, e.g. {strange[0]}")


def _cases_once(parts: Sequence[Run]) -> None:
    """Raise UsageError unless exactly one shard plans each case."""
    planned: dict[str, Run] = {}
    for part in parts:
        if not part.manifest.cases:
            raise UsageError(f"{part.folder.name}: cases: none is planned; the run ended before its first case")
        for case in part.manifest.cases:
            if case in planned:
                raise UsageError(f"{part.folder.name}: cases: {case} is planned by {planned[case].folder.name} too")
            planned[case] = part
    if strange := sorted(set(planned) ^ set(parts[0].manifest.whole)):
        raise UsageError(f"{parts[0].folder.name}: plan: {strange[0]} is in the plan or in a shard, but not in both")


def whole_results(part: Run) -> tuple[Result, ...]:
    """The results of a shard. Raises UsageError if a case is not recorded or a file was changed after its session."""
    name = part.folder.name
    again = f"run `pytest ... --resume={name}` to play the rest"
    if not part.results_file.is_file() or not chain_of(part):
        raise UsageError(f"{name}: results.jsonl: the run is not finished; {again}")
    checked = check_run(part)
    if checked.missing:
        description = f"{len(checked.missing)} of {len(part.manifest.cases)} have no record, e.g. {checked.missing[0]}"
        raise UsageError(f"{name}: cases: {description}; {again}")
    if problems := checked.problems():
        raise UsageError(f"{name}: files: {problems[0]}")
    return checked.results


def _one_browser(parts: Sequence[Run], results: Sequence[Result]) -> None:
    """Raise UsageError if the shards were played with different versions of the browser."""
    case_of_browser = {result.provenance.browser: result.case.id for result in results if result.provenance.browser}
    if len(case_of_browser) > 1:
        owner = {case: part.folder.name for part in parts for case in part.manifest.cases}
        (first, first_case), (second, second_case) = list(case_of_browser.items())[:2]
        raise UsageError(f"{owner[second_case]}: browser: is {second}, and {first} in {owner[first_case]}")


def _write(joined: MergePlan, folder: Path) -> Run:
    """Write the merged run to a temporary folder."""
    run = Run.create(folder, joined.manifest)
    run.close()
    for part in joined.parts:
        for path in sorted(part.folder.rglob("*")):
            within = path.relative_to(part.folder)
            draft = any(name.startswith(".") for name in within.parts)
            if path.is_file() and not draft and within.parts[0] not in PER_SHARD | MADE_ANEW:
                _copy(part, path, folder / _renamed(within, shard_of(part)))
    run.write_results(joined.results)
    seal(run)
    copied = sums_of(run)
    for part in joined.parts:
        for name, digest in sums_of(part).items():
            if name not in PER_SHARD and copied.get(name) != digest:
                raise HarnessTrouble("storage", f"{part.folder.name}: {name} was changed during copying")
    return run


def _manifest(parts: Sequence[Run], name: str) -> Manifest:
    """The manifest of the run, as if one machine had played it."""
    first = parts[0].manifest
    planned_cases = {planned.case.id: planned for part in parts for planned in part.manifest.planned}
    return first.model_copy(
        update={
            "name": name,
            "started": min(part.manifest.started for part in parts),
            "options": {**first.options, "run": name, "shard": None, "balance": None},
            "cases": first.whole,
            "planned": tuple(planned_cases[case] for case in first.whole if case in planned_cases),
            "whole": (),
            "parts": {part.folder.name: chain_of(part) for part in parts},
            "left_out": _other_runs(parts),
        }
    )


def _other_runs(parts: Sequence[Run]) -> tuple[str, ...]:
    """Runs beside these that played one of the same shards of the same plan: with them, somebody could choose."""
    plan = set(parts[0].manifest.whole)
    folders = {part.folder for part in parts}
    others = []
    for path in sorted(path for part in parts for path in part.folder.parent.glob("*/run.json")):
        manifest = Run.open(path.parent).manifest
        if path.parent not in folders and manifest.options.get("shard") and set(manifest.whole) == plan:
            others.append(path.parent.name)
    return tuple(dict.fromkeys(others))


def _renamed(within: Path, shard: Shard) -> Path:
    """Each shard's session page, and the output of its apps."""
    per_shard = within == Path(PAGE) or within.match("app-*.log")
    return within.with_stem(within.stem + shard.suffix) if per_shard and len(within.parts) == 1 else within


def _copy(part: Run, path: Path, to: Path) -> None:
    if to.exists() and to.read_bytes() != path.read_bytes():
        raise UsageError(f"{part.folder.name}: {path.relative_to(part.folder)}: differs from the file in another part")
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 100 else f"{text[:100]}..."
