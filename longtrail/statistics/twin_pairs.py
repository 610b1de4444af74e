"""Twin pairs: measures of two cases together, of a task and of its twin under the same condition.

Both get the same request, and another decision is right in each. An agent that guesses or remembers decides both alike.
"""

from collections.abc import Iterable, Iterator, Sequence

from longtrail.checks.decisions import OPTIMAL
from longtrail.records.case import SHIFTS
from longtrail.records.result import Metric, Result

_PARTS = {"twin_proven": "proven", "twin_decision": "decision"}  # measure of a pair -> the one that must be 1 in both


def with_pairs(results: Iterable[Result]) -> tuple[Result, ...]:
    """The results, in the same order; the first case of each pair has the pair's measures.

    A pair is a task and its counterfactual twin, or two tasks of a suite that name each other, if neither is in a pair
    with a counterfactual twin. Contender, condition and repeat are the same. Without a valid case of both twins there
    is no pair. Cases with an appeal make none.
    """
    all_results = tuple(results)
    if not any(result.case.partner for result in all_results):
        return all_results
    valid = [result for result in all_results if result.outcome != "invalid" and not result.case.appeal]
    measured = {first.case.id: _measured(first, second) for first, second in _pairs(valid)}
    return tuple(measured.get(result.case.id, result) for result in all_results)


def _pairs(results: Sequence[Result]) -> Iterator[tuple[Result, Result]]:
    """First and second case of each pair: the shipped records come first, else the task whose id does."""
    cells = {(_cell(result), result.case.task): result for result in results}
    paired = set()
    for changed in (result for result in results if result.case.twin):
        if plain := cells.get((_cell(changed), changed.case.partner)):
            paired.add(plain.case.task)
            yield plain, changed
    for first in (result for result in results if not result.case.twin and result.case.task < result.case.partner):
        second = cells.get((_cell(first), first.case.partner))
        if second and not paired & {first.case.task, second.case.task}:
            yield first, second


def _cell(result: Result) -> tuple[object, ...]:
    case = result.case
    condition = case.suite, case.prompt, case.placement, case.noise_tokens, case.variant, case.repeat, case.shift
    return result.contender.model_dump_json(), *condition


def _measured(first: Result, second: Result) -> Result:
    if first.case.suite in SHIFTS:
        return first.model_copy(update={"metrics": {**first.metrics, "memory_effect": _memory_effect(first, second)}})
    metrics = {}
    for name, part in _PARTS.items():
        missed = [result.case.task for result in (first, second) if result.number(part) != OPTIMAL]
        reason = f"{part} is not 1 in {' and '.join(missed)}" if missed else f"{part} is 1 in both"
        metrics[name] = Metric(value=not missed, reason=f"{first.case.task} and {second.case.task}: {reason}")
    return first.model_copy(update={"metrics": {**first.metrics, **metrics}})


def _memory_effect(first: Result, second: Result) -> Metric:
    """Of the tickets whose right decision differs between a shift and its twin, the share decided rightly in both."""
    pairs = [(a, b) for a, b in zip(first.tickets, second.tickets, strict=False) if a.truth != b.truth]
    if not pairs:
        return Metric(value=None, reason="one of the shifts was not scored")
    both = sum(a.right and b.right for a, b in pairs)
    return Metric(value=both / len(pairs), reason=f"{both} of {len(pairs)} decisions changed rightly")
