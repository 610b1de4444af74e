"""Summary: a run as Markdown for a CI job's page or a pull request: verdict, table, most informative failures."""

from collections.abc import Sequence
from dataclasses import dataclass

from longtrail.gate.findings import GateReport, SuiteComparison
from longtrail.gate.formatting import escape, flipped, markdown, markdown_table, points
from longtrail.report.figures import percent, span, usd
from longtrail.report.telling import Telling
from longtrail.report.text import clip
from longtrail.statistics.aggregate import Rate, ResultRow

HEAD = ("who", "suite", "measure", "%", "95 %", "n", "cases", "invalid", "cost")
LONGEST = 300
"""Maximum characters of a failure's sentence."""


@dataclass(frozen=True, slots=True)
class Since:
    """One contender of the run against itself in an earlier one."""

    run: str
    label: str
    suites: tuple[SuiteComparison, ...]


NO_EARLIER = "There is no earlier run of the same contender with the same settings and data to compare with."


def summary(
    run: str,
    rows: Sequence[ResultRow],
    told: Sequence[Telling],
    gate: GateReport | None = None,
    changes: Sequence[Since] | None = None,
) -> str:
    """The whole page. With the gate's report, its verdict, figures and flipped cases come first. `changes`: without a
    gate, the changes since earlier runs; empty: there are no earlier runs; None: not mentioned."""
    lines = [markdown(gate)] if gate else []
    lines += [f"## Longtrail: {escape(run)}", ""]
    lines += markdown_table(HEAD, map(_row, rows)) if rows else ["No case was finished."]
    if changes is not None:
        lines += ["", *(line for one in changes for line in _since(one))] if changes else ["", NO_EARLIER]
    if told:
        lines += ["", "### Clearest failures", ""]
        lines += [f"- **{escape(one.case)}**: {escape(clip(one.sentence, LONGEST))}" for one in told]
    return "\n".join(lines) + "\n"


def _since(one: Since) -> list[str]:
    lines = [f"### {escape(one.label)} since {escape(one.run)}", ""]
    for suite in one.suites:
        found = suite.primary
        interval = (
            f"95 % interval {points(found.low)} to {points(found.high)}, {found.tasks} task{'s' * (found.tasks != 1)}"
        )
        lines += [
            f"- {escape(suite.suite.replace('_', ' '))}: {escape(found.endpoint)} {percent(found.before)} -> "
            f"{percent(found.after)}, {points(found.change)} points ({interval})"
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
