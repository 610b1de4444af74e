"""Run page: all figures of one run; each links to its cases."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from longtrail.browser import resource_usage
from longtrail.options.flag_values import fields
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite, Usage
from longtrail.report import chart
from longtrail.report.leaderboard.board import SuiteBoard, boards
from longtrail.report.leaderboard.board_row import BoardRow
from longtrail.report.leaderboard.papers import decision_paper, long_context_paper
from longtrail.report.run.case_table import case_script, group
from longtrail.report.run.figures import CLAIM_KINDS, LineFigures
from longtrail.report.run.view import RunView, episode_page, gate_arms
from longtrail.report.template_page import render, script_hash
from longtrail.report.terminal import cause_lines
from longtrail.runs.manifest import Manifest, unsaid
from longtrail.tasks.cases import Conditions
from longtrail.tasks.task import Task

COMPOSED = frozenset({"contenders", "conditions", "rules"})
"""Options that several flags fill."""
LISTED = 500
"""Maximum number of cases that the page of cases lists without scripts."""


@dataclass(frozen=True, slots=True)
class RunSuite:
    """One suite of a run."""

    board: SuiteBoard
    figures: tuple[LineFigures, ...]

    def appeals(self) -> tuple[BoardRow, ...]:
        """The lines with appeals."""
        return tuple(line for line in self.board.lines if line.row.appeal_outcomes)

    def became(self, kind: str) -> frozenset[str]:
        """All outcomes of appeals of this kind, at the end or after a turn."""
        ends = [line.row.appeal_outcomes.get(kind, {}) for line in self.appeals()]
        turns = [counts for line in self.appeals() for counts in line.row.outcomes_by_turn.get(kind, {}).values()]
        return frozenset(name for counts in [*ends, *turns] for name in counts)


def run_files(view: RunView, tasks: Mapping[str, Task]) -> dict[str, str]:
    """The pages of a run and their data: path in the run's folder -> text."""
    suites = _suites(view)
    return {
        "index.html": _index(view, suites),
        "cases.html": _cases(view),
        "data/cases.js": case_script(view, tasks),
    }


def _index(view: RunView, suites: Iterable[RunSuite]) -> str:
    results = view.results
    return render(
        "run.html",
        view=view,
        manifest=view.manifest,
        suites=tuple(suites),
        usage=sum((result.usage for result in results), Usage()),
        seconds=sum(result.seconds for result in results),
        browsers=sorted({result.provenance.browser for result in results} - {""}),
        models=sorted({result.provenance.model_reported for result in results} - {""}),
        options=_options(view.manifest),
        outcomes={word: sum(result.outcome == word for result in results) for word in ("passed", "failed", "invalid")},
        causes=cause_lines(results),
        troubled=[result for result in results if result.outcome == "invalid"],
        machine=resource_usage.read_usage_lines(view.folder),
        workers=len(list((view.folder / "workers").glob("*.json"))),
        begun=_begun(view.manifest),
        episode_page=episode_page,
        group=group,
        chart=chart,
        kinds=CLAIM_KINDS,
        long_paper=long_context_paper(),
        decision_paper=decision_paper(),
        arms=gate_arms(view, inside=True),
        report=_session_page(view.folder),
        script=script_hash("tables.js"),
    )


def _cases(view: RunView) -> str:
    order = {"failed": 0, "invalid": 1, "passed": 2}
    listed = sorted(view.results, key=lambda result: (order[result.outcome], result.case.id))
    return render(
        "cases.html",
        view=view,
        listed=listed[:LISTED],
        more=max(0, len(listed) - LISTED),
        episode_page=episode_page,
        script=script_hash("cases_page.js"),
    )


def _suites(view: RunView) -> tuple[RunSuite, ...]:
    suites = []
    for board in boards([view.board]):
        board_here = replace(board, lines=tuple(line.seen_from("") for line in board.lines))
        figures = tuple(LineFigures(line, _results_of(view, line, board.suite)) for line in board_here.lines)
        suites.append(RunSuite(board_here, figures))
    return tuple(suites)


def _results_of(view: RunView, line: BoardRow, suite: Suite) -> list[Result]:
    return [result for result in view.results if result.case.suite == suite and result.contender == line.row.contender]


def _options(manifest: Manifest) -> tuple[str, ...]:
    """The flags of the command that differ from their defaults, except those of the contenders and the gate."""
    options = manifest.options
    shown = {
        flag: options[name]
        for name, flag in fields("measured", "planned").items()
        if name in options and name not in COMPOSED and options[name] != unsaid(name)
    }
    if isinstance(conditions := options.get("conditions"), dict):
        usual = Conditions().model_dump(mode="json")
        shown |= {
            f"--{name}": conditions[name] for name in ("lengths", "repeats") if conditions.get(name) != usual[name]
        }
    given = {flag: value for flag, value in shown.items() if value not in (None, "", [], {}, False)}
    return tuple(f"{flag} {_value_text(value)}" for flag, value in given.items())


def _value_text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, dict):
        return " ".join(f"{key}={item}" for key, item in value.items())
    return Path(str(value)).name if "/" in str(value) else str(value)


def _begun(manifest: Manifest) -> str:
    try:
        return f"{datetime.fromisoformat(manifest.started):%B %d, %Y, %H:%M} UTC"
    except ValueError:
        return manifest.started


def _session_page(run: Path) -> str:
    """The relative address of pytest-html's page: in the run's folder, or of the latest session; empty without one."""
    pages = ("report.html", "../../report.html")
    return next((page for page in pages if (run / page).is_file()), "")
