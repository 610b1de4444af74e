"""The summary of a run for a CI job, in Markdown: verdict, figures, changes and the most informative failures."""

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from longtrail.agents.spec import BASELINES
from longtrail.gate.findings import GateReport
from longtrail.records.result import Result
from longtrail.report import gate_text
from longtrail.report.leaderboard.changes import EarlierComparison
from longtrail.report.template_page import templates
from longtrail.report.text import plain
from longtrail.statistics.aggregate import ResultRow

MOST = 5


@dataclass(frozen=True, slots=True)
class FailureSummary:
    """A failure in words."""

    case: str
    sentence: str
    anchor: str
    """Anchor of the most informative step in the case's trace."""


def informative_failures(failed: Iterable[Result], most: int = MOST) -> tuple[Result, ...]:
    """The most informative of these: agents before baselines, those that came furthest first. New tasks come before
    others, then agents that are new to a task, then the rest."""
    baselines = set(BASELINES)
    left = sorted(failed, key=lambda result: (result.contender.agent in baselines, -_reached(result), result.case.id))
    chosen: list[Result] = []
    agents = [result for result in left if result.contender.agent not in baselines]
    for kind, among in (("task", left), ("agent", agents), ("case", left)):
        for result in among:
            if len(chosen) < most and _novelty(result, kind) not in [_novelty(each, kind) for each in chosen]:
                chosen.append(result)
    return tuple(chosen)


def _novelty(result: Result, kind: str) -> object:
    """What must be new of a further failure: its task, its task and agent, or its case."""
    of_case = {"task": "", "agent": result.case.task, "case": result.case.id}[kind]
    return result.case.task if kind == "task" else (of_case, result.contender.label)


def _reached(result: Result) -> float:
    """The share of required results that was reached, 0 to 1."""
    return result.number("evidence_share") or result.number("key_step_rate") or 0.0


NO_EARLIER = "There is no earlier run of the same contender with the same settings and data to compare with."
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+.!|<>~&$@:-])")


def escape(text: str) -> str:
    """Text that no Markdown or HTML renderer takes for markup, a link or a mention."""
    return _MARKUP.sub(r"\\\1", plain(text)).replace("\\<", "&lt;").replace("\\>", "&gt;").replace("\\@", "&#64;")


@cache
def _templates() -> jinja2.Environment:
    """Those of the reports, in which every value is escaped for Markdown, except what is marked as safe."""
    return templates().overlay(autoescape=False, finalize=_finalize, bytecode_cache=None)


def _finalize(value: object) -> str:
    return value if isinstance(value, Markup) else escape(str(value))


def markdown(report: GateReport) -> str:
    """A gate's report: verdict, figures and the cases that flipped."""
    return _templates().get_template("gate.md.j2").render(report=report, text=gate_text)


def summary(
    run: str,
    rows: Sequence[ResultRow],
    failures: Sequence[FailureSummary],
    gate: GateReport | None = None,
    changes: Sequence[EarlierComparison] | None = None,
) -> str:
    """The whole page. With the gate's report, its verdict, figures and flipped cases come first. `changes`: without a
    gate, the changes since earlier runs; empty: there are no earlier runs; None: not mentioned."""
    given = {"run": run, "rows": rows, "failures": failures, "changes": changes, "no_earlier": NO_EARLIER}
    page = _templates().get_template("summary.md.j2").render(given, text=gate_text)
    return f"{markdown(gate)}\n{page}" if gate else page


FILE = "gate.json"
SUMMARY = "GITHUB_STEP_SUMMARY"


def write_report(report: GateReport, folder: Path) -> str:
    """Write it to the run's folder, and to the job's summary if there is one. Returns what could not be written and
    why, or an empty text: an exception would change the exit code to that of a regression."""
    try:
        (folder / FILE).write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        return f"{folder / FILE} can't be written: {error.strerror}"
    return write_to_job_page(report)


def write_to_job_page(report: GateReport) -> str:
    """Add it to the GitHub job's page, if there is one. Returns why it could not be written, or an empty text."""
    try:
        append_to_job_page(markdown(report))
    except OSError as error:
        return f"{os.environ[SUMMARY]} can't be written: {error.strerror}"
    return ""


def job_page() -> str:
    """The file of GitHub's job page; empty if there is none."""
    return os.environ.get(SUMMARY, "")


def append_to_job_page(text: str) -> None:
    """Add Markdown to the GitHub job's page, if there is one. Raises OSError."""
    if page := job_page():
        with Path(page).open("a", encoding="utf-8") as file:
            file.write(text)
