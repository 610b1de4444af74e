"""One run as its pages show it: plan, results so far, gate report, running cases, sides of its gate."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from longtrail.errors import DataError
from longtrail.gate.findings import CaseChange, EndpointFinding, GateReport
from longtrail.gate.pairing import PASSED
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite
from longtrail.report.addresses import case_list, run_folder
from longtrail.report.leaderboard.board import RunResults
from longtrail.report.progress import trace_href
from longtrail.runs.attempts import read_result
from longtrail.runs.checked import CheckedRun, check_run, is_lost
from longtrail.runs.manifest import Manifest, PlanEntry, settings
from longtrail.runs.store import Run
from longtrail.runs.sums import chain_of
from longtrail.runs.under_way import UnderWay, read_under_way
from longtrail.statistics.twin_pairs import with_pairs
from longtrail.tasks.cases import slug

UNCHECKED = CheckedRun(())
"""Of a run that has not ended."""


@dataclass(frozen=True, slots=True)
class RunView:
    """One run."""

    folder: Path
    manifest: Manifest
    board: RunResults
    gate: GateReport | None = None
    finished: bool = True
    open_cases: tuple[PlanEntry, ...] = ()
    """For an unfinished run: cases of the plan without a result."""
    playing: Mapping[str, UnderWay] = field(default_factory=dict)
    """Those of them that are being played."""
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
    recorded = {result.case.id for result in results}
    waiting = tuple(planned for planned in manifest.planned if planned.case.id not in recorded)
    playing = read_under_way(folder)
    return RunView(
        folder,
        manifest,
        RunResults(folder.name, with_pairs(results), settings=settings(manifest)),
        finished=False,
        open_cases=waiting,
        playing={planned.case.id: playing[planned.case.id] for planned in waiting if planned.case.id in playing},
    )


def view_runs(reports: Path, check: Callable[[Run], CheckedRun] = check_run) -> tuple[RunView, ...]:
    """The runs below `reports/runs`, oldest first. Shards whose merged run exists are left out."""
    runs = [Run.open(path.parent) for path in sorted((reports / "runs").glob("*/run.json"))]
    merged = {part for run in runs for part in run.manifest.parts.items()}
    views = [view_run(run.folder, check) for run in runs if (run.folder.name, chain_of(run)) not in merged]
    return tuple(sorted(views, key=lambda view: (view.manifest.started, view.name)))


def episode_page(result: Result) -> str:
    """Path of a case's page in the run's folder; empty if its episode is lost."""
    return "" if is_lost(result) else trace_href(result.case.id)


def read_gate(folder: Path) -> GateReport | None:
    """The gate's report of a run, if it was gated; None if the file can't be read."""
    try:
        return GateReport.model_validate_json((folder / "gate.json").read_bytes())
    except (OSError, ValueError):
        return None


def _so_far(run: Run, manifest: Manifest) -> list[Result]:
    rows = []
    for files in run.attempts().values():
        try:
            result, _ = read_result(files[0], manifest.data)
        except DataError:  # being written
            continue
        if result is not None:
            rows.append(result.result)
    return sorted(rows, key=lambda result: result.case.id)


@dataclass(frozen=True, slots=True)
class Arm:
    """One side: a contender in a run."""

    run: str
    label: str
    at: str | None = None
    """Path of the run's pages, relative to the page that shows the figures; None: there are none."""

    def figure(self, suite: Suite, finding: EndpointFinding) -> str:
        """Address of the cases behind an endpoint's figure; empty if unknown."""
        measure = "" if finding.measure == PASSED else finding.measure
        return self._cases(suite, measure, finding.conditions) if finding.conditions else ""

    def task(self, suite: Suite, finding: EndpointFinding) -> str:
        """Address of the cases behind one task's figure."""
        return self._cases(suite, finding.measure, finding.conditions, finding.endpoint) if finding.conditions else ""

    def change(self, suite: Suite, moved: CaseChange) -> str:
        """Address of the cases of a task under a condition."""
        return self._cases(suite, "", (moved.condition,), moved.task)

    def _cases(self, suite: Suite, measure: str, conditions: tuple[str, ...], task: str = "") -> str:
        if self.at is None:
            return ""
        where = {"condition": ",".join(conditions), "task": task}
        return case_list(self.at, suite, slug(self.label), measure, group="", **where)


def arm_of(name: str, at: str | None = None) -> Arm:
    """From `RUN (LABEL)`, as gates and comparisons name their sides."""
    run, _, label = name.removesuffix(")").partition(" (")
    return Arm(run, label, at)


def gate_arms(view: RunView, *, inside: bool = False) -> tuple[Arm, Arm] | None:
    """The sides of a run's gate, with paths relative to the reports folder, or to the run's folder (`inside`); None
    without a gate. A baseline whose run is missing has no path."""
    if view.gate is None:
        return None
    base = arm_of(view.gate.before)
    exists = base.run != "" and (view.folder.parent / base.run / "run.json").is_file()
    above = "../../" if inside else ""
    return (
        arm_of(view.gate.before, f"{above}{run_folder(base.run)}" if exists else None),
        arm_of(view.gate.after, "" if inside else run_folder(view.name)),
    )
