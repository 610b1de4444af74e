"""Terminal: the live line of a session and the leaderboard as a plain table. Names are stripped of terminal codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from longtrail.records.result import Result
from longtrail.records.trajectory import Usage
from longtrail.report.case_line import CaseLine
from longtrail.report.figures import NONE, context, percent, seconds, span, tokens, usd
from longtrail.report.text import clip, plain
from longtrail.statistics.aggregate import Rate, ResultRow

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
    return "\n\n".join([*tables, LEGEND] if tables else [])


def appeal_line(turns: Sequence[int], asked: int) -> str:
    """How many of the appeal cases have so many turns, said before the run; empty where all have what was asked for.
    `turns`: of each case, what its task has."""
    if asked == 1 or all(own >= asked for own in turns):
        return ""
    counts = ", ".join(f"{sum(own >= n for own in turns)} have {n}" for n in range(1, asked + 1))
    return (
        f"--appeal-turns {asked}: of {len(turns)} appeal cases {counts}; rates after a turn are over those that have it"
    )


def appeal_rates(rows: Sequence[ResultRow]) -> tuple[str, ...]:
    """A line for each row whose appeals had several turns: the rate after each, over the cases that had it."""
    found = []
    for row in rows:
        for name, rates in row.by_turn.items():
            if len(rates) > 1:
                told = ", ".join(f"turn {turn}: {100 * rate.mean:.0f} % of {rate.n}" for turn, rate in rates.items())
                found.append(f"{row.contender.label}, {row.suite.replace('_', ' ')}, {name}: {told}")
    return tuple(found)


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
    parts = [] if long else ["investigation", "reasoning", "decision", "executed"]
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
        cells += [_mean(row.rates.get(part)) for part in parts]
        used = row.usage.prompt_tokens + row.usage.completion_tokens
        others = row.cases - (row.headline.n if row.headline else 0)
        body.append([*cells, str(others), str(row.cases), percent(row.invalid_rate), tokens(used), usd(row.usage.usd)])
    return table(head, body)


def _mean(rate: Rate | None) -> str:
    return percent(rate.mean if rate else None)


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
