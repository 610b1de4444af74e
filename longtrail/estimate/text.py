"""The estimate as text: a table for each contender, its time and cost, and the effect of limits."""

from collections.abc import Mapping, Sequence
from typing import Any

from longtrail.agents.spec import AgentSpec
from longtrail.estimate.cases import ASSUMPTIONS, Estimate, estimates, hours, rubric_usage, usd
from longtrail.estimate.usage import CountedUsage
from longtrail.llm.limits import CallLimits
from longtrail.llm.models import PRICES, facts, usd_per_token
from longtrail.options.run_options import Options
from longtrail.report.terminal import table
from longtrail.tasks.cases import PlannedCase

HEAD = ["", "cases", "steps", "calls", "prompt tokens", "of these cached", "answer tokens", "cost"]


def estimate_text(
    estimate: Estimate, limits: CallLimits, args: Mapping[str, Any], workers: int, alone: bool = True
) -> str:
    """The estimate of one contender's run; `alone`: it doesn't share the limits and the budget."""

    def row(name: str, spent: CountedUsage) -> list[str]:
        counts = (spent.cases, spent.steps, spent.calls, spent.prompt_tokens, spent.cached_tokens, spent.answer_tokens)
        return [name, *(f"{number:,}" for number in counts), _usd(_cost(spent, model, args))]

    model = estimate.contender.model
    whole = estimate.whole
    body = [row(suite.replace("_", " "), total) for suite, total in estimate.suites.items()]
    body += [row("all", whole)] if len(body) > 1 else []
    body += [row("all, to the step limits", estimate.limit)]
    lines = [f"{estimate.contender.label}, profile {estimate.contender.profile}", "", table(HEAD, body), ""]
    lines.append(_time(whole, limits, workers))
    cost = _cost(whole, model, args)
    if cost is None:
        options = " and ".join(f"--model-arg {price}=USD" for price in PRICES)
        return "\n".join([*lines, f"Cost: unknown, as the model's prices are; give {options}."])
    lines += [f"Cost: about {_usd(cost)}.", *_budget(cost, limits if alone else CallLimits())]
    return "\n".join(lines)


def total_text(estimates: Sequence[Estimate], limits: CallLimits, args: Mapping[str, Any], workers: int) -> str:
    """The estimate of a run of several contenders, which share its limits and its budget."""
    whole = sum((estimate.whole for estimate in estimates), CountedUsage())
    costs = [_cost(estimate.whole, estimate.contender.model, args) for estimate in estimates]
    lines = ["The whole run", "", _time(whole, limits, workers)]
    if None in costs:
        return "\n".join([*lines, "Cost: unknown, as the price of one of the models is."])
    cost = sum(cost or 0.0 for cost in costs)
    return "\n".join([*lines, f"Cost: about {_usd(cost)}.", *_budget(cost, limits)])


def rubric_text(cases: Sequence[PlannedCase], options: Options) -> str:
    """What the judge of rubrics adds; empty if it is not asked."""
    usage = rubric_usage(cases)
    if not options.judge or not usage.calls:
        return ""
    cost = _cost(usage, options.judge, options.judge_args)
    tokens = f"{usage.prompt_tokens:,} prompt tokens, {usage.answer_tokens:,} answer tokens"
    return f"Rubrics, judged by {options.judge}: {usage.calls:,} calls more, {tokens}, {_usd(cost)}"


SOME, FEW = 12, 50
"""How many cases are estimated for this line: all of a full run would take minutes. And so few cases of a model without
a price say nothing."""
MUCH_USD, MUCH_HOURS = 5.0, 1.0
"""A run that is expected to cost or take more says so before it starts."""


def large_run_line(cases: Sequence[PlannedCase], options: Options, workers: int) -> str:
    """One line if these cases will cost or take much, by the estimate of some of them; empty if not, or if nothing is
    known."""
    if not all(AgentSpec.parse(contender.agent).calls_model for contender in options.contenders):
        return ""
    if len(cases) < FEW and all(
        _cost(CountedUsage(), each.model, options.model_args) is None for each in options.contenders
    ):
        return ""
    some = cases[:: -(-len(cases) // SOME)]
    found = estimates(some, options)
    whole = sum((estimate.whole for estimate in found), CountedUsage())
    cost = sum(_cost(estimate.whole, estimate.contender.model, options.model_args) or 0.0 for estimate in found)
    times = len(cases) / len(some)
    cost, time = cost * times, times * hours(whole, workers, options.limits.rpm, options.limits.tpm)
    if cost <= MUCH_USD and time <= MUCH_HOURS:
        return ""
    price = f"cost about {_usd(cost)} and " if cost else ""
    limit = _budget(cost, options.limits) if options.limits.budget else ["--budget N ends it at N USD."]
    return " ".join([f"{len(cases):,} cases will {price}take about {_hours(time)} (see --estimate).", *limit])


def assumptions() -> str:
    lines = (line if line.startswith(" ") else f"- {line}" for line in ASSUMPTIONS)
    return "\n".join(["Assumed:", *lines, "Nothing was run, called or written."])


def _time(whole: CountedUsage, limits: CallLimits, workers: int) -> str:
    free, limited = hours(whole, workers, None, None), hours(whole, workers, limits.rpm, limits.tpm)
    by = f"{workers} worker{'s' if workers > 1 else ''}"
    if limited > free:
        given = " and ".join(
            f"--{name} {value:,}" for name, value in (("rpm", limits.rpm), ("tpm", limits.tpm)) if value
        )
        return f"Time: about {_hours(limited)} under {given} ({_hours(free)} without, {by})."
    return f"Time: about {_hours(free)} with {by}."


def _cost(spent: CountedUsage, model: str | None, args: Mapping[str, Any]) -> float | None:
    """In USD; None: the model's price is unknown."""
    known = facts(model or "")
    return usd(spent, known, usd_per_token(known, args))


def _budget(cost: float, limits: CallLimits) -> list[str]:
    if limits.budget is None or cost <= limits.budget:
        return []
    return [f"The budget of {_usd(limits.budget)} will end the run early."]


def _usd(amount: float | None) -> str:
    return "unknown" if amount is None else f"${amount:,.2f}"


def _hours(amount: float) -> str:
    return f"{amount:.1f} h" if amount >= 1 else f"{max(1, round(amount * 60))} min"
