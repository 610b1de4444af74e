"""Summary: a run as Markdown for a CI job's page or a pull request: verdict, table and the clearest failures."""

from collections.abc import Sequence

from longtrail.gate.findings import GateReport
from longtrail.gate.formatting import escape, markdown, markdown_table
from longtrail.report.figures import percent, span, usd
from longtrail.report.telling import Telling
from longtrail.report.text import clip
from longtrail.statistics.aggregate import Rate, ResultRow

HEAD = ("who", "suite", "measure", "%", "95 %", "n", "cases", "invalid", "cost")
LONGEST = 300
"""Maximum characters of a failure's sentence."""


def summary(run: str, rows: Sequence[ResultRow], told: Sequence[Telling], gate: GateReport | None = None) -> str:
    """The whole page. With the gate's report, its verdict, figures and flipped cases stand first."""
    lines = [markdown(gate)] if gate else []
    lines += [f"## Longtrail: {escape(run)}", ""]
    lines += markdown_table(HEAD, map(_row, rows)) if rows else ["No case was finished."]
    if told:
        lines += ["", "### Clearest failures", ""]
        lines += [f"- **{escape(one.case)}**: {escape(clip(one.sentence, LONGEST))}" for one in told]
    return "\n".join(lines) + "\n"


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
