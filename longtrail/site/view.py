"""View: one run as its pages show it: plan, results so far, gate report, and running cases."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from longtrail.errors import DataError
from longtrail.gate.findings import GateReport
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender
from longtrail.report.board import RunResults
from longtrail.report.case_line import trace_href
from longtrail.runs.checked import LOST, CheckedRun, check_run
from longtrail.runs.manifest import Manifest
from longtrail.runs.result_file import read_result
from longtrail.runs.settings import settings
from longtrail.runs.store import Run
from longtrail.runs.sums import chain_of
from longtrail.runs.under_way import UnderWay, read_under_way

UNCHECKED = CheckedRun(())
"""Of a run that has not ended."""


@dataclass(frozen=True, slots=True)
class OpenCase:
    """A case of the plan without a result."""

    case: Case
    contender: Contender
    playing: UnderWay | None = None
    """None: it has not begun."""


@dataclass(frozen=True, slots=True)
class RunView:
    """One run."""

    folder: Path
    manifest: Manifest
    board: RunResults
    gate: GateReport | None = None
    finished: bool = True
    open_cases: tuple[OpenCase, ...] = ()
    """For an unfinished run: cases without a result."""
    checked: CheckedRun = UNCHECKED
    """For a finished run: what is known of its files."""

    @property
    def name(self) -> str:
        """The run's name."""
        return self.folder.name

    @property
    def results(self) -> Sequence[Result]:
        """Each case once, with the attempt that counts."""
        return self.board.results

    @property
    def href(self) -> str:
        """Path of its page in the reports folder."""
        return f"runs/{quote(self.name, safe='')}/index.html"


def view_run(folder: Path, check: Callable[[Run], CheckedRun] = check_run) -> RunView:
    """A finished or running run from its folder. Raises DataError if its manifest can't be read. `check`: with
    `check_again`, the files of an unchanged run are not read again.
    """
    run = Run.open(folder)
    manifest = run.manifest
    if run.results_file.is_file():
        checked = check(run)
        board = RunResults(
            folder.name,
            checked.counted,
            len(checked.missing),
            len(checked.changed) + len(checked.edited),
            checked.problems(),
            settings(manifest),
        )
        return RunView(folder, manifest, board, read_gate(folder), checked=checked)
    results = _so_far(run, manifest)
    known = {result.case.id for result in results}
    waiting = [one for one in manifest.planned if one.case.id not in known]
    playing = read_under_way(folder)
    return RunView(
        folder,
        manifest,
        RunResults(folder.name, results, settings=settings(manifest)),
        finished=False,
        open_cases=tuple(OpenCase(one.case, one.contender, playing.get(one.case.id)) for one in waiting),
    )


def view_runs(reports: Path, check: Callable[[Run], CheckedRun] = check_run) -> tuple[RunView, ...]:
    """The runs below `reports/runs`, oldest first. Shards whose merged run exists are left out."""
    runs = [Run.open(path.parent) for path in sorted((reports / "runs").glob("*/run.json"))]
    merged = {part for run in runs for part in run.manifest.parts.items()}
    found = [view_run(run.folder, check) for run in runs if (run.folder.name, chain_of(run)) not in merged]
    return tuple(sorted(found, key=lambda view: (view.manifest.started, view.name)))


def episode_page(result: Result) -> str:
    """Path of a case's page in the run's folder; empty if its episode is lost."""
    lost = result.trouble is not None and result.trouble.message == LOST
    return "" if lost else trace_href(result.case.id)


def read_gate(folder: Path) -> GateReport | None:
    """The gate's report of a run, if it was gated; None if the file can't be read."""
    try:
        return GateReport.model_validate_json((folder / "gate.json").read_bytes())
    except (OSError, ValueError):
        return None


def _so_far(run: Run, manifest: Manifest) -> list[Result]:
    found = []
    for files in run.attempts().values():
        try:
            result, _ = read_result(run, files[0], manifest.data)
        except DataError:  # being written
            continue
        if result is not None:
            found.append(result.result)
    return sorted(found, key=lambda result: result.case.id)
