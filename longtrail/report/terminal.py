"""The leaderboard as plain tables in the terminal."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from longtrail.agents.spec import AgentSpec
from longtrail.records.case import HARD, LONG, SHIFTS
from longtrail.records.grouping import grouped
from longtrail.records.result import FailureCause, Result
from longtrail.records.trajectory import Usage
from longtrail.report.figures import NONE, context, percent, span, tokens, usd
from longtrail.report.text import clip, plain
from longtrail.statistics.aggregate import Rate, ResultRow
from longtrail.statistics.effects import LOST_AT, CrossedCell
from longtrail.yaml_file import read_yaml

WIDEST = 34
"""Maximum characters of a contender's name."""
SHIFT_PARTS = ("independent_proven", "dependent_proven", "tickets_right", "tickets_executed", "handover")
DECISION_PARTS = ("investigation", "reasoning", "decision", "executed")
"""The stages of the funnel."""
APP_PARTS = ("key_step_rate", "paper_investigation", "investigation", "reasoning", "decision")
"""The parts of success on an own app; each is a column if some task has it."""


CROSSED_LEGEND = (
    "proven by length of the history; in brackets, where cases that are proven at 0 are lost: c not completed, "
    "i investigation, r reasoning, d decision"
)
LEGEND = "n: cases behind the rates; others: appeals and the relocated control, which have rates of their own"


CAUSES: dict[str, dict[str, str]] = read_yaml(Path(__file__).with_name("causes.yaml"))
"""Kind of failure -> what `happened`, and what to do about it (`advice`)."""


def cause_lines(results: Iterable[Result]) -> list[str]:
    """For each kind of failure that the agent did not end itself: the number of cases, the commonest message with its
    number, and what to do."""
    found = [result.cause for result in results if result.outcome == "failed" and result.cause is not None]
    causes = grouped(found, lambda cause: cause.kind)
    lines = []
    for kind, among in sorted(causes.items(), key=lambda item: -len(item[1])):
        message, count = Counter(cause.message for cause in among).most_common(1)[0]
        often = f", most often ({count} x) {clip(plain(message), 300)}" if message else ""
        answers = _answers(among) if kind in ("no_valid_action", "cut_off") else ""
        cause = CAUSES[kind]
        lines.append(f"failed: {len(among)} x {cause['happened']}{answers}{often}. To do: {cause['advice']}.")
    return lines


def _answers(causes: Sequence[FailureCause]) -> str:
    """How many answers had no valid action, and one of them."""
    count, steps = sum(cause.steps for cause in causes), sum(cause.of for cause in causes)
    example = next((cause.example for cause in causes if cause.example), "")
    return f" ({count} of {steps} answers{', such as ' + repr(plain(example)) if example else ''})"


def leaderboard_table(rows: Sequence[ResultRow]) -> str:
    """A table for each suite: headline with interval and its n, its parts, cases, invalid rate, tokens and cost.

    n and `others` (appeals, the `relocated` control) add up to `cases`.
    """
    suites = list(dict.fromkeys((row.suite, row.setting) for row in rows))
    tables = [_suite([row for row in rows if (row.suite, row.setting) == suite]) for suite in suites]
    for suite in dict.fromkeys(row.suite for row in rows if row.crossed):
        tables.append(_crossed([row for row in rows if row.suite == suite and row.crossed]))
    below = "\n".join([LEGEND, *twin_lines(rows), *replay_lines(rows)])
    return "\n\n".join([*tables, below] if tables else [])


def twin_lines(rows: Sequence[ResultRow]) -> list[str]:
    """How many pairs of twins are proven and decided correctly in both worlds, a line for each row that has pairs."""
    return [
        f"pairs of twins, {plain(row.contender.label)}, {row.suite}: both proven {percent(proven.mean)}, both decided "
        f"correctly {percent(row.rates['twin_decision'].mean)} (n {proven.n})"
        for row in rows
        if (proven := row.rates.get("twin_proven"))
    ]


def replay_lines(rows: Sequence[ResultRow]) -> list[str]:
    """Which contenders' cases were played again after trouble, and how many steps were discarded."""
    again = [row for row in rows if row.replayed]
    return [
        f"played again after trouble: {row.replayed} of {row.cases} cases of {plain(row.contender.label)}, "
        f"{row.suite} ({row.discarded_steps} steps discarded)"
        for row in again
    ]


def appeal_line(turns: Sequence[int], requested: int) -> str:
    """How many appeal cases have how many turns, printed before the run; empty if all have the requested number.
    `turns`: the number of turns of each case's task."""
    if requested == 1 or all(turns_asked >= requested for turns_asked in turns):
        return ""
    counts = ", ".join(f"{sum(turns_asked >= n for turns_asked in turns)} have {n}" for n in range(1, requested + 1))
    cases = f"of {len(turns)} appeal cases {counts}"
    return f"--appeal-turns {requested}: {cases}; a turn's rate is over the cases that have it"


def appeal_rates(rows: Sequence[ResultRow]) -> tuple[str, ...]:
    """One line for each row whose appeals had several turns: the rate after each turn, over the cases that had it."""
    lines = []
    for row in rows:
        for name, rates in row.by_turn.items():
            if len(rates) > 1:
                rates_text = ", ".join(
                    f"turn {turn}: {100 * rate.mean:.0f} % of {rate.n}" for turn, rate in rates.items()
                )
                lines.append(f"{row.contender.label}, {row.suite.replace('_', ' ')}, {name}: {rates_text}")
    return tuple(lines)


def sharing_line(results: Sequence[Result]) -> str:
    """How many first parts were played and shared, and what that saved; empty if none was shared."""
    shared = [result for result in results if result.first_part_of]
    if not shared:
        return ""
    played = len({result.first_part_of for result in shared})
    saved = sum((result.saved for result in shared), Usage())
    spared = f", {tokens(saved.prompt_tokens + saved.completion_tokens)} tokens and {usd(saved.usd)} saved"
    return f"first parts: {played} played and shared by {len(shared)} more cases" + (spared if saved.calls else "")


def mixed_models(results: Iterable[Result]) -> tuple[str, ...]:
    """One line for each contender whose cases were answered by several models: such a run is not comparable."""
    labels: dict[str, set[str]] = {}
    for result in results:
        if result.contender.model and result.provenance.model_reported:  # a user's own agent may use several models
            labels.setdefault(result.contender.label, set()).add(result.provenance.model_reported)
    return tuple(
        f"{label}: the server ran several models in this run: {', '.join(sorted(models))}"
        for label, models in labels.items()
        if len(models) > 1
    )


def _suite(rows: Sequence[ResultRow]) -> str:
    rows = sorted(rows, key=lambda row: -(row.headline.mean if row.headline else -1.0))
    columns = [
        [
            " ".join([rows[0].suite.replace("_", " "), rows[0].setting]).strip(),
            *(clip(plain(row.contender.label), WIDEST) for row in rows),
        ],
        [rows[0].primary, *(_mean(row.headline) for row in rows)],
        ["95 %", *(span(row.headline.low, row.headline.high) if row.headline else NONE for row in rows)],
        ["n", *(str(_n(row.headline)) for row in rows)],
        *_parts(rows),
        ["others", *(str(row.cases - _n(row.headline)) for row in rows)],
        ["cases", *(str(row.cases) for row in rows)],
        ["invalid", *(percent(row.invalid_rate) for row in rows)],
        ["tokens", *(tokens(row.usage.prompt_tokens + row.usage.completion_tokens) for row in rows)],
        ["cost", *(usd(row.usage.usd) for row in rows)],
        ["trust", *(AgentSpec.parse(row.contender.agent).trust(row.web) for row in rows)],
    ]
    head, *body = map(list, zip(*columns, strict=True))
    return table([cell.partition("\n")[0] for cell in head], body, [cell.partition("\n")[2] for cell in head])


def _crossed(rows: Sequence[ResultRow]) -> str:
    """Decision tasks with long histories: one line for each contender, placement and prompt."""
    body = [line for row in rows for line in crossed_rows(row, crossed_lengths(rows))]
    return "\n".join([table(crossed_head(rows), body), CROSSED_LEGEND])


def _parts(rows: Sequence[ResultRow]) -> list[list[str]]:
    """The columns behind the headline: lengths of the history, or stages of the funnel."""
    if rows[0].suite not in LONG:
        names = APP_PARTS if rows[0].suite == "app" else SHIFT_PARTS if rows[0].suite in SHIFTS else DECISION_PARTS
        names = (*names, "obeyed_planted") if rows[0].suite in HARD else names
        headline_n = [_n(row.headline) for row in rows]
        return [
            _rates(name, [row.rates.get(name) for row in rows], headline_n)
            for name in names
            if rows[0].suite != "app" or any(name in row.rates for row in rows)
        ]
    columns = []
    for length in sorted({length for row in rows for length in row.by_length}):
        columns.append(_rates(context(length), [row.by_length.get(length) for row in rows]))
        columns += [_rates("relocated", [row.relocated for row in rows])] if length == 0 else []
    return [*columns, _rates("answered", [row.rates.get("answered") for row in rows])]


def _rates(name: str, rates: Sequence[Rate | None], headline_n: Sequence[int] = ()) -> list[str]:
    """A column of rates. n is below the heading if all rates share it, otherwise in each cell; it is left out if it
    equals the row's (`known`)."""
    counts = {rate.n for rate in rates if rate}
    same_count = bool(headline_n) and all(
        rate is None or rate.n == n for rate, n in zip(rates, headline_n, strict=True)
    )
    if same_count or not counts:
        return [name, *map(_mean, rates)]
    if len(counts) == 1:
        return [f"{name}\nn {counts.pop()}", *map(_mean, rates)]
    return [name, *(f"{_mean(rate)} (n {rate.n})" if rate else NONE for rate in rates)]


def _n(rate: Rate | None) -> int:
    return rate.n if rate else 0


def _mean(rate: Rate | None) -> str:
    return percent(rate.mean if rate else None)


def table(head: list[str], body: list[list[str]], below: Sequence[str] = ()) -> str:
    """A plain table: first column left-aligned, the others right-aligned. `below`: a second line of headings."""
    heads = [head, list(below)] if any(below) else [head]
    widths = [max(len(line[i]) for line in [*heads, *body]) for i in range(len(head))]
    ruled = [*heads, ["─" * width for width in widths], *body]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        for line in ruled
    )


def crossed_rows(row: ResultRow, lengths: Sequence[int]) -> list[list[str]]:
    """The lines of one contender: name, placement, prompt, then a cell for each of these lengths."""
    lines: dict[tuple[str, str], dict[int, CrossedCell]] = {}
    for cell in row.crossed:
        lines.setdefault((cell.placement, cell.prompt), {})[cell.length] = cell
    return [
        [clip(plain(row.contender.label), WIDEST), placement.replace("_", " "), prompt]
        + [_cell(cells.get(length)) for length in lengths]
        for (placement, prompt), cells in lines.items()
    ]


def crossed_lengths(rows: Sequence[ResultRow]) -> list[int]:
    """Every length of any line."""
    return sorted({cell.length for row in rows for cell in row.crossed})


def crossed_head(rows: Sequence[ResultRow]) -> list[str]:
    """The headings."""
    return [rows[0].suite.replace("_", " "), "before the noise", "prompt", *map(context, crossed_lengths(rows))]


def _cell(cell: CrossedCell | None) -> str:
    if cell is None:
        return NONE
    lost = " ".join(f"{stage[0]}{cell.lost[stage]}" for stage in LOST_AT if stage in cell.lost)
    return f"{percent(cell.proven)} ({lost})" if lost else percent(cell.proven)


FAILS_AGAIN = {
    "llm_context_overflow": "a model with a longer context window, or shorter --lengths",
    "llm_truncated": "a server that takes longer prompts (--max-model-len, --ctx-size, num_ctx), or shorter --lengths",
    "cassette_miss": "these calls recorded (--record)",
}
"""Kinds of trouble that the same command meets again -> what a new run needs."""


def resume_line(run: str, results: Iterable[Result], *, missing: bool = False) -> str:
    """How to play what is missing or invalid. An app that could not be played needs another configuration, and so
    another run; other troubles need one, too."""
    troubled = [result for result in results if result.outcome == "invalid"]
    kinds = {result.trouble.kind if result.trouble else "" for result in troubled}
    if troubled and not missing and kinds <= FAILS_AGAIN.keys():
        needs = "; ".join(FAILS_AGAIN[kind] for kind in sorted(kinds))
        return f"--resume={run} would fail again: the invalid cases need {needs}."
    if troubled and all(
        result.case.suite == "app" and result.trouble is not None and result.trouble.kind == "site_error"
        for result in troubled
    ):
        return "Check `app` in the task file (command, address, ready, hooks), and run the command again."
    return f"The same command with --resume={run} (without --run) runs what is missing."
