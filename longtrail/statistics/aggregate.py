"""Aggregate: Results -> one Row for each contender and suite, with intervals, funnel, lengths, categories and cost."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from longtrail.records.case import LONG, WebKind
from longtrail.records.grouping import grouped
from longtrail.records.record import Record
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Contender, Suite, Timing, Usage
from longtrail.scoring.catalog import MEASURES, PRIMARY
from longtrail.statistics.effects import CrossedCell, Effect, Stage, crossed, funnel, guidance, history
from longtrail.statistics.rates import (
    Basis,
    Rate,
    by_turn,
    has_something_to_correct,
    outcomes_by_turn,
    pass_hat_k,
    rate_of,
)

EFFICIENCY = "steps_over_reference"
"""Long context: reported over successful cases, too."""
__all__ = ["Basis", "Rate", "ResultRow", "rate", "summarize"]


class ResultRow(Record):
    """One contender in one suite."""

    contender: Contender
    suite: Suite
    setting: str = ""
    """How its setting differs from the papers': `similar noise`, `needle last`, `crossed`; rows of other settings are
    never compared."""
    web: WebKind = "embedded"
    """`live` if any case was played on the real sites."""
    cases: int
    passed: int
    failed: int
    invalid: int
    tasks: int
    repeats: int
    """The largest number of repeats of one task under one condition."""
    invalid_rate: float
    primary: str
    """The suite's primary endpoint: `success` or `proven`."""
    rates: dict[str, Rate] = {}
    """Every numeric measure over all cases (intention to treat)."""
    valid_rates: dict[str, Rate] = {}
    """The same over valid cases."""
    completed_rates: dict[str, Rate] = {}
    """Decision tasks: the same over completed cases."""
    successful_rates: dict[str, Rate] = {}
    """Long context: the efficiency ratios over successful cases."""
    by_length: dict[int, Rate] = {}
    """Long context: success by target length of the history (0 = nothing injected), without the `relocated` control."""
    relocated: Rate | None = None
    """Long context: success of the control without noise in which the browser was moved to another site."""
    effects: dict[str, Effect] = {}
    """Long context: `relocated` and each length -> difference of success from that with nothing injected, paired by
    task."""
    by_category: dict[str, dict[str, Rate]] = {}
    """Decision tasks: the task's category -> measure -> rate over all cases."""
    crossed: tuple[CrossedCell, ...] = ()
    """Decision tasks crossed with long histories: the funnel by placement, prompt and length. `by_prompt` and
    `guidance` of such a row are over the placement `distraction` alone."""
    by_prompt: dict[str, dict[str, Rate]] = {}
    """Decision tasks: `raw`, `hint`, `explicit` -> measure -> rate over all cases."""
    guidance: dict[str, dict[str, Effect]] = {}
    """Decision tasks: `raw to hint` ... -> measure -> effect of more guidance, paired by task."""
    by_appeal: dict[str, dict[str, Rate]] = {}
    """Decision tasks: `deceptive`, `valid` -> measure -> rate over the cases with that second user turn. All other
    fields of a row, except counts and cost, are over cases without one."""
    appeal_outcomes: dict[str, dict[str, int]] = {}
    """`deceptive`, `valid` -> outcome -> number of cases."""
    by_turn: dict[str, dict[int, Rate]] = {}
    """`sycophancy`, `correction` -> number of turns of the appeal -> rate after them. An appeal with fewer turns keeps
    its final state."""
    outcomes_by_turn: dict[str, dict[int, dict[str, int]]] = {}
    """`deceptive`, `valid` -> number of turns -> outcome after them -> number of cases."""
    funnel: tuple[Stage, ...] = ()
    labels: dict[str, dict[str, int]] = {}
    """Every measure whose values are words (`error_category`, `retrieval`, `completion`, `harm`, `answer` ...): value
    -> number of cases."""
    troubles: dict[str, int] = {}
    """Kind of trouble -> number of invalid cases."""
    replayed: int = 0
    """Number of cases with an earlier attempt that ended in trouble."""
    discarded_steps: int = 0
    """Number of steps of these earlier attempts."""
    pass_k: dict[int, float] = {}
    """k -> the probability that k repeats of a task all pass, for every k up to `repeats`."""
    usage: Usage = Usage()
    timing: Timing = Timing()
    steps: int = 0
    seconds: float = 0.0

    @property
    def headline(self) -> Rate | None:
        """The primary endpoint over all cases."""
        return self.rates.get(self.primary)


def summarize(results: Iterable[Result]) -> tuple[ResultRow, ...]:
    """One row for each contender, suite and setting, in a fixed order (suite, setting, the contender's label and
    details)."""
    groups = grouped(
        results, lambda one: (one.case.suite, one.case.setting, one.contender.label, one.contender.model_dump_json())
    )
    return tuple(_row(groups[key]) for key in sorted(groups))


def web_of(results: Iterable[Result]) -> WebKind:
    """`live` if any case was played on the real sites. (Unknown for a lost case.)"""
    return "live" if any(result.provenance.web == "live" for result in results) else "embedded"


def rate(results: Sequence[Result], name: str, basis: Basis = "all") -> Rate | None:
    """The mean of one measure, or None if no case defines it.

    A `rate` counts an invalid case as 0 over `all`; the other kinds are over the cases for which they are defined.
    """
    return _rate(_table(results, basis), name, basis)


_Table = Sequence[tuple[str, Mapping[str, Metric] | None]]
"""For each case its task and its metrics; None if it is invalid."""


def _table(results: Iterable[Result], basis: Basis) -> _Table:
    """Made once for all measures: a large run has millions of values."""
    if basis != "all":
        results = (result for result in results if result.outcome != "invalid")
    if basis == "completed":
        results = (result for result in results if result.number("completed") == 1.0)
    return [(result.case.task, None if result.outcome == "invalid" else result.metrics) for result in results]


def _rate(table: _Table, name: str, basis: Basis) -> Rate | None:
    kind = MEASURES[name].kind
    groups: defaultdict[str, list[float]] = defaultdict(list)
    for task, metrics in table:
        if metrics is None:
            if kind == "rate":
                groups[task].append(0.0)
        elif (metric := metrics.get(name)) is not None and (value := metric.number) is not None:
            groups[task].append(value)
    if not groups:
        return None
    return rate_of(groups, basis, is_rate=MEASURES[name].is_share)


def _row(results: list[Result]) -> ResultRow:
    suite = results[0].case.suite
    control = [result for result in results if result.case.relocated]
    appeals = [result for result in results if result.case.appeal and has_something_to_correct(result)]
    main = [result for result in results if not result.case.relocated and not result.case.appeal]
    guided = [result for result in main if result.case.placement in (None, "distraction")]
    outcomes = Counter(result.outcome for result in results)
    long = suite in LONG
    ratio = rate([result for result in main if result.outcome == "passed"], EFFICIENCY, "valid")
    return ResultRow(
        contender=results[0].contender,
        suite=suite,
        setting=results[0].case.setting,
        web=web_of(results),
        cases=len(results),
        passed=outcomes["passed"],
        failed=outcomes["failed"],
        invalid=outcomes["invalid"],
        tasks=len({result.case.task for result in results}),
        repeats=1 + max(result.case.repeat for result in results),
        invalid_rate=outcomes["invalid"] / len(results),
        primary=PRIMARY[suite],
        rates=_rates(main, suite, "all"),
        valid_rates=_rates(main, suite, "valid"),
        completed_rates={} if long else _rates(main, suite, "completed"),
        successful_rates={EFFICIENCY: ratio} if long and ratio else {},
        by_length=_split(main, lambda result: result.case.noise_tokens or 0, "success") if long else {},
        relocated=rate(control, "success") if control else None,
        effects=history([*main, *control]) if long else {},
        by_category={} if long else _by(main, suite, lambda result: result.category),
        by_prompt={} if long else _by(guided, suite, lambda result: result.case.prompt or ""),
        crossed=crossed(main),
        guidance={} if long else guidance(guided),
        by_appeal=_by(appeals, suite, lambda result: result.case.appeal or ""),
        appeal_outcomes={
            kind: _count(result.word("appeal_outcome") for result in appeals if result.case.appeal == kind)
            for kind in sorted({result.case.appeal for result in appeals if result.case.appeal})
        },
        by_turn=by_turn(appeals),
        outcomes_by_turn=outcomes_by_turn(appeals),
        funnel=funnel(main),
        labels=_labels(main, suite),
        troubles=_count(result.trouble.kind for result in results if result.outcome == "invalid" and result.trouble),
        replayed=sum(result.attempt > 0 for result in results),
        discarded_steps=sum(result.discarded_steps for result in results),
        pass_k=pass_hat_k(main),
        usage=sum((result.usage for result in results), Usage()),
        timing=sum((result.timing for result in results), Timing()),
        steps=sum(result.steps for result in results),
        seconds=sum(result.seconds for result in results),
    )


def _rates(results: Sequence[Result], suite: Suite, basis: Basis) -> dict[str, Rate]:
    """Every numeric measure of the suite that some case defines."""
    table = _table(results, basis)
    rates = {
        name: _rate(table, name, basis)
        for name, measure in MEASURES.items()
        if suite in measure.suites and measure.kind != "label"
    }
    return {name: value for name, value in rates.items() if value is not None}


def _split(results: Sequence[Result], key: Callable[[Result], int], name: str) -> dict[int, Rate]:
    rates = {value: rate(group, name) for value, group in sorted(grouped(results, key).items())}
    return {value: mean for value, mean in rates.items() if mean is not None}


DEPTHS = ("first third", "middle third", "last third")


def needle_third(result: Result) -> str:
    """Long context: the third of the noise in which the first part stood; empty where nothing was injected."""
    depth = result.number("needle_depth")
    return "" if depth is None else DEPTHS[min(2, int(3 * depth))]


def _by(results: Sequence[Result], suite: Suite, key: Callable[[Result], str]) -> dict[str, dict[str, Rate]]:
    groups = sorted(grouped(results, key).items())
    return {value: _rates(group, suite, "all") for value, group in groups if value}


def _labels(results: Sequence[Result], suite: Suite) -> dict[str, dict[str, int]]:
    names = [name for name, measure in MEASURES.items() if measure.kind == "label" and suite in measure.suites]
    counts = {name: _count(result.word(name) for result in results) for name in names}
    return {name: count for name, count in counts.items() if count}


def _count(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(value for value in values if value).items()))
