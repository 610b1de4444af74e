"""The summary of a run for a CI job, in Markdown: verdict, figures, changes and the most informative failures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from longtrail.agents.spec import BASELINES
from longtrail.gate.findings import GateReport
from longtrail.records.result import Result
from longtrail.report.figures import percent, span, usd
from longtrail.report.gate_text import escape, flipped, markdown, markdown_table, points
from longtrail.report.leaderboard.changes import EarlierComparison
from longtrail.report.text import clip
from longtrail.statistics.aggregate import Rate, ResultRow

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


HEAD = ("who", "suite", "measure", "%", "95 %", "n", "cases", "invalid", "cost")
LONGEST = 300
"""Maximum characters of a failure's sentence."""


NO_EARLIER = "There is no earlier run of the same contender with the same settings and data to compare with."


def summary(
    run: str,
    rows: Sequence[ResultRow],
    failures: Sequence[FailureSummary],
    gate: GateReport | None = None,
    changes: Sequence[EarlierComparison] | None = None,
) -> str:
    """The whole page. With the gate's report, its verdict, figures and flipped cases come first. `changes`: without a
    gate, the changes since earlier runs; empty: there are no earlier runs; None: not mentioned."""
    lines = [markdown(gate)] if gate else []
    lines += [f"## Longtrail: {escape(run)}", ""]
    lines += markdown_table(HEAD, map(_row, rows)) if rows else ["No case was finished."]
    if changes is not None:
        lines += ["", *(line for change in changes for line in _since(change))] if changes else ["", NO_EARLIER]
    if failures:
        lines += ["", "### Clearest failures", ""]
        lines += [f"- **{escape(failure.case)}**: {escape(clip(failure.sentence, LONGEST))}" for failure in failures]
    return "\n".join(lines) + "\n"


def _since(change: EarlierComparison) -> list[str]:
    lines = [f"### {escape(change.label)} since {escape(change.run)}", ""]
    for suite in change.suites:
        finding = suite.primary
        interval = f"95 % interval {points(finding.low)} to {points(finding.high)}"
        tasks = f"{finding.tasks} task{'s' * (finding.tasks != 1)}"
        lines += [
            f"- {escape(suite.suite.replace('_', ' '))}: {escape(finding.endpoint)} {percent(finding.before)} -> "
            f"{percent(finding.after)}, {points(finding.change)} points ({interval}, {tasks})"
        ]
        lines += flipped(suite) or ["  no case changed"]
    return [*lines, ""]


def _row(row: ResultRow) -> list[str]:
    rate: Rate | None = row.headline
    interval = span(rate.low, rate.high) if rate else ""
    figures = [percent(rate.mean if rate else None), interval, str(rate.n if rate else 0)]
    suite = escape(row.suite.replace("_", " "))
    return [
        row.contender.label,
        suite,
        escape(row.primary),
        *figures,
        str(row.cases),
        percent(row.invalid_rate),
        usd(row.usage.usd),
    ]
