"""Crossed: decision tasks with long histories: the funnel by length, and the losses at each stage with longer
histories, paired by task."""

from collections.abc import Callable, Iterable, Sequence

from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.statistics.effects import Effect, effect
from longtrail.statistics.funnel import DECISION_GATES, Stage, funnel
from longtrail.tasks.cases import GUIDED

LOST_AT = ("completed", "investigation", "reasoning", "decision")
"""The stages at which a case fails."""


class CrossedCell(Record):
    """One placement, prompt condition and length."""

    placement: str
    prompt: str
    length: int
    """Length of the history in tokens; 0: no noise."""
    funnel: tuple[Stage, ...]
    proven: float
    """Mean over the tasks."""
    change: Effect | None = None
    """Difference of `proven` from that without noise, same placement and prompt, paired by task; None for length 0."""
    paired: int = 0
    """Number of cases that were proven without noise and played with it."""
    lost_cases: dict[str, tuple[str, ...]] = {}
    """Ids of those that are lost with noise, by stage or `invalid`. The rest is proven again."""

    @property
    def lost(self) -> dict[str, int]:
        """Stage -> number of lost cases."""
        return {stage: len(cases) for stage, cases in self.lost_cases.items()}


def crossed(results: Iterable[Result]) -> tuple[CrossedCell, ...]:
    """Every cell, by placement, prompt and length."""
    groups: dict[tuple[str, str, int], list[Result]] = {}
    for result in results:
        case = result.case
        if case.placement:
            groups.setdefault((case.placement, case.prompt or "", case.noise_tokens or 0), []).append(result)
    order = {placement: rank for rank, placement in enumerate(GUIDED)}
    prompts = {prompt: rank for rank, prompt in enumerate(GUIDED["distraction"])}
    keys = sorted(groups, key=lambda key: (order[key[0]], prompts.get(key[1], 0), key[2]))  # type: ignore[index]
    return tuple(_cell(key, groups) for key in keys)


def _cell(key: tuple[str, str, int], groups: dict[tuple[str, str, int], list[Result]]) -> CrossedCell:
    placement, prompt, length = key
    cases, without_noise = groups[key], groups.get((placement, prompt, 0), [])
    change = effect(without_noise, cases, "proven") if length else None
    own_effect = effect(cases, cases, "proven")
    paired, lost = _lost(without_noise, cases) if length else (0, {})
    return CrossedCell(
        placement=placement,
        prompt=prompt,
        length=length,
        funnel=funnel(cases),
        proven=own_effect.after if own_effect else 0.0,
        change=change,
        paired=paired,
        lost_cases=lost,
    )


def _lost(without_noise: Sequence[Result], with_noise: Sequence[Result]) -> tuple[int, dict[str, tuple[str, ...]]]:
    """The number of cases proven without noise, and which of them are lost with it, by stage."""
    before = {(result.case.task, result.case.repeat) for result in without_noise if _falls_out_at(result) is None}
    played_again = [result for result in with_noise if (result.case.task, result.case.repeat) in before]
    fallen: dict[str, tuple[str, ...]] = {}
    for stage in (*LOST_AT, "invalid"):
        if cases := tuple(result.case.id for result in played_again if _falls_out_at(result) == stage):
            fallen[stage] = cases
    return len(played_again), fallen


def _falls_out_at(result: Result) -> str | None:
    """The first stage that a case fails; None: it is proven."""
    if result.outcome == "invalid":
        return "invalid"
    gates: list[tuple[str, Callable[[Result], bool]]] = [gate for gate in DECISION_GATES if gate[0] in LOST_AT]
    return next((name for name, passes in gates if not passes(result)), None)
