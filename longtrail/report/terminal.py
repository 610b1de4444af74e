"""Terminal: the live line of a session and the leaderboard as a plain table. Names are stripped of terminal codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from longtrail.records.result import Result
from longtrail.records.trajectory import Usage
from longtrail.report.case_line import CaseLine
from longtrail.report.figures import NONE, context, percent, seconds, span, tokens, usd
from longtrail.report.text import clip, plain
from longtrail.statistics.aggregate import Rate, ResultRow
from longtrail.statistics.second_opinion import SecondOpinionRow

WIDEST = 34
"""Characters of a contender's name."""


@dataclass(slots=True)
class RunProgress:
    """How far a session has come. A case that is reported again (a retry) replaces its earlier line."""

    total: int = 0
    lines: dict[str, CaseLine] = field(default_factory=dict)

    def add(self, line: CaseLine) -> None:
        """Take note of a finished case."""
        self.lines[line.id] = line

    def count(self, outcome: str) -> int:
        """Finished cases with this outcome."""
        return sum(line.outcome == outcome for line in self.lines.values())

    @property
    def usd(self) -> float | None:
        """What the finished cases cost; None if the price of any is unknown."""
        prices = [line.usd for line in self.lines.values()]
        known = [price for price in prices if price is not None]
        return sum(known) if len(known) == len(prices) else None


def progress_line(progress: RunProgress, elapsed: float) -> str:
    """`37/120 · 31 passed · 4 failed · 2 invalid · 1.2M tokens · $3.41 · 6 min 20 s left`, after `elapsed` seconds."""
    done = len(progress.lines)
    parts = [f"{done}/{progress.total}"]
    parts += [f"{progress.count(outcome)} {outcome}" for outcome in ("passed", "failed", "invalid")]
    if used := sum(line.tokens for line in progress.lines.values()):
        price = progress.usd
        parts += [f"{tokens(used)} tokens", "cost unknown" if price is None else usd(price)]
    left = progress.total - done
    if done and left > 0:
        parts.append(f"{seconds(elapsed / done * left)} left")
    return " · ".join(parts)


LEGEND = "n: cases behind the rates; others: appeals and the relocated control, which have rates of their own"


def leaderboard_table(rows: Sequence[ResultRow]) -> str:
    """A table for each suite: headline with interval and its n, its parts, cases, invalid rate, tokens and cost.

    n and `others` (appeals, the `relocated` control) add up to `cases`.
    """
    suites = list(dict.fromkeys(row.suite for row in rows))
    tables = [_suite([row for row in rows if row.suite == suite]) for suite in suites]
    below = "\n".join([LEGEND, *second_opinion_lines(rows)])
    return "\n\n".join([*tables, below] if tables else [])


def second_opinion_lines(rows: Sequence[ResultRow]) -> list[str]:
    """What a model (`--judge`) says of the decisions' claims, a line for each contender and suite that it judged."""
    asked = [(row, row.judge) for row in rows if row.judge]
    return [f"second opinion on {plain(row.contender.label)}, {row.suite}: {_opinion(judge)}" for row, judge in asked]


def _opinion(judge: SecondOpinionRow) -> str:
    kappa = "no claim was judged" if judge.kappa is None else f"kappa {judge.kappa:.2f} over {judge.claims} claims"
    counts = f"{judge.by_rules} by the rules, {judge.by_judge} by {plain(judge.model)}, {judge.by_both} by both"
    failed = f"; not fully judged: {judge.failed} cases" if judge.failed else ""
    return f"{kappa} of {judge.cases} cases (flagged: {counts}); {usd(judge.usage.usd)}{failed}"


def sharing_line(results: Sequence[Result]) -> str:
    """How many first parts were played and how many shared, and what that saved; empty where none was shared."""
    shared = [result for result in results if result.first_part_of]
    if not shared:
        return ""
    played = len({result.first_part_of for result in shared})
    saved = sum((result.saved for result in shared), Usage())
    spared = f", {tokens(saved.prompt_tokens + saved.completion_tokens)} tokens and {usd(saved.usd)} saved"
    return f"first parts: {played} played and shared by {len(shared)} more cases" + (spared if saved.calls else "")


def _suite(rows: Sequence[ResultRow]) -> str:
    long = rows[0].suite == "long_context"
    lengths = sorted({length for row in rows for length in row.by_length})
    parts = ["answered"] if long else ["investigation", "reasoning", "decision", "executed"]
    head = [rows[0].suite.replace("_", " "), rows[0].primary, "95 %", "n"]
    for length in lengths:
        head += [context(length), "relocated"] if length == 0 else [context(length)]
    head += [*parts, "others", "cases", "invalid", "tokens", "cost"]
    body = []
    for row in sorted(rows, key=lambda row: -(row.headline.mean if row.headline else -1.0)):
        cells = [clip(plain(row.contender.label), WIDEST), _mean(row.headline)]
        cells.append(span(row.headline.low, row.headline.high) if row.headline else NONE)
        cells.append(str(row.headline.n if row.headline else 0))
        for length in lengths:
            cells += [_mean(row.by_length.get(length))] + ([_mean(row.relocated)] if length == 0 else [])
        cells += [_asked(row.rates.get(part)) if long else _mean(row.rates.get(part)) for part in parts]
        used = row.usage.prompt_tokens + row.usage.completion_tokens
        others = row.cases - (row.headline.n if row.headline else 0)
        body.append([*cells, str(others), str(row.cases), percent(row.invalid_rate), tokens(used), usd(row.usage.usd)])
    return table(head, body)


def _mean(rate: Rate | None) -> str:
    return percent(rate.mean if rate else None)


def _asked(rate: Rate | None) -> str:
    """A mean with the cases that it rests on: not every instruction asks something."""
    return f"{_mean(rate)} of {rate.n}" if rate else NONE


def table(head: list[str], body: list[list[str]]) -> str:
    """A plain table: first column to the left, the others to the right."""
    widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
    ruled = [head, ["─" * width for width in widths], *body]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in ruled
    )
