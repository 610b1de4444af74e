"""Path: how an investigation went: which critical pages it opened, how directly, and when it had enough."""

from collections.abc import Sequence
from typing import Literal

from longtrail.records.record import Record
from longtrail.records.result import FactResult, Metric
from longtrail.records.trajectory import Step
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.measure import DECISION, DECISION_AND_APP, conditional, label, mean, rate

GAMMA = 0.95
PAPER_STEPS = 25
IDLE = 3
"""A decision is overdue after this many page views without anything new."""
MEASURES = (
    rate(
        "paper_investigation",
        DECISION_AND_APP,
        "1 if a critical page was loaded and any action was taken while it was in view (scrolling, clicking, "
        "typing, leaving it, or deciding)",
        "PW 4 (`Acc_inv`)",
    ),
    rate("investigation", DECISION_AND_APP, "1 if every required fact was delivered"),
    rate("evidence_share", DECISION_AND_APP, "required facts delivered / required"),
    mean(
        "efficiency",
        DECISION,
        "(1/T) sum over t = 1..T of 0.95^t I(t); I is 1.0 on a critical page, 0.1 on a relevant one, else 0",
        "PW 4",
        high=GAMMA,
    ),
    mean(
        "paper_efficiency_cumulative",
        DECISION_AND_APP,
        "sum over t = 0..min(T, 25)-1 of 0.95^t I'(t); I' is 1.0 critical, 0.5 relevant, 0.1 the start page, else "
        "0; not divided by T, so it is a sum over steps and usually above 1",
        "PW, tables",
        high=14.46,
    ),
    label(
        "sufficiency",
        DECISION,
        "`premature` (decided without every required fact), `sufficient`, `overdue` (after the rules and the last "
        "required fact had been shown, at least 3 page views repeated earlier content before the agent acted or "
        "decided)",
        labels=("premature", "sufficient", "overdue"),
    ),
    mean(
        "first_divergence",
        DECISION,
        "number of the first step that was neither on the path nor near it",
        "PW, figures 11, 12",
        high=None,
    ),
    conditional("recovered", DECISION, "1 if a step after that was on the path again"),
)
PathRelation = Literal["on_path", "relevant", "diverged"]


class PathComparison(Record):
    """A trajectory compared with the reference path."""

    places: tuple[PathRelation, ...]
    """One label for each step."""
    first_divergence: int | None
    """Number of the first step that was off the path."""
    recovered: bool | None
    """Whether a later step was on the path again; None: no step was off the path."""


def path_metrics(case: DecisionView) -> dict[str, Metric]:
    """All measures of this module for one decision case."""
    share = evidence_share(case.facts)
    unseen = [fact for fact in case.facts if fact.delivered is None]
    pages = {fact.id: ", ".join(fact.pages) for fact in case.task.required}
    missing = "; ".join(f"{fact.says.rstrip('.')} ({pages[fact.id]})" for fact in unseen)
    shown = f"never shown before the decision: {missing}" if unseen else "every required fact was shown"
    label, why = sufficiency(case.facts, case.steps, case.trail, case.rules, decided=case.deciding is not None)
    compared = compare(case)
    off = compared.first_divergence
    left = f"left the path at step {off}" if off else "never left the path"
    return {
        "investigation": Metric(value=share == 1.0, reason=shown),
        "evidence_share": Metric(value=share, reason=shown),
        **critical_metrics(case.steps, case.trail, case.critical, case.relevant),
        "efficiency": Metric(
            value=efficiency(case.trail, case.critical, case.relevant),
            reason=f"{_on(case.trail, case.critical)} of {len(case.trail)} steps on critical pages",
        ),
        "sufficiency": Metric(value=label, reason=why),
        "first_divergence": Metric(value=off, reason=left),
        "recovered": Metric(value=compared.recovered, reason=left),
    }


def critical_metrics(
    steps: Sequence[Step], trail: Sequence[frozenset[str]], critical: frozenset[str], relevant: frozenset[str]
) -> dict[str, Metric]:
    """The paper's investigation and its efficiency."""
    acted = paper_investigation(steps, trail, critical)
    opened = f"acted on a critical page at step {acted}" if acted else "no critical page was opened and acted on"
    on = _on(trail, critical)
    start = min(trail[0], default=None) if trail else None
    total = paper_efficiency_cumulative(trail, critical, relevant, start)
    return {
        "paper_investigation": Metric(value=acted is not None, reason=opened),
        "paper_efficiency_cumulative": Metric(
            value=total, reason=f"{on} of {len(trail)} steps on critical pages; a sum over steps, no share"
        ),
    }


def _on(trail: Sequence[frozenset[str]], critical: frozenset[str]) -> int:
    """The number of steps on critical pages."""
    return sum(bool(keys & critical) for keys in trail)


def paper_investigation(steps: Sequence[Step], trail: Sequence[frozenset[str]], critical: frozenset[str]) -> int | None:
    """Number of the first step that acted on a critical page, or None; the measure is 1 or 0.

    Some critical page was loaded and a further action was taken with it in view (PATHWAYS, section 4: interaction).
    Leaving the page in any way (a link, an address, back) also counts, because it was in view for a turn.
    """
    acted = (step for step, keys in zip(steps, trail, strict=True) if keys & critical and step.action is not None)
    return next((step.number for step in acted), None)


def evidence_share(facts: Sequence[FactResult]) -> float:
    """Delivered / required. Bounds [0, 1]. Raises ValueError if there are no facts."""
    if not facts:
        raise ValueError("the task requires no fact: investigation and reasoning are undefined")
    return sum(fact.delivered is not None for fact in facts) / len(facts)


def efficiency(trail: Sequence[frozenset[str]], critical: frozenset[str], relevant: frozenset[str]) -> float:
    """(1/T) sum_{t=1..T} 0.95^t I(s_t), with I = 1.0 on a critical page, 0.1 on a relevant one, else 0.

    Bounds [0, 0.95]. `trail`: the keys of the pages shown at each step. No steps: 0.
    """
    weights = [1.0 if pages & critical else 0.1 if pages & relevant else 0.0 for pages in trail]
    return sum(GAMMA**t * weight for t, weight in enumerate(weights, 1)) / len(trail) if trail else 0.0


def paper_efficiency_cumulative(
    trail: Sequence[frozenset[str]], critical: frozenset[str], relevant: frozenset[str], start: str | None
) -> float:
    """sum_{t=0..min(T,25)-1} 0.95^t I', with I' = 1.0 critical, 0.5 relevant, 0.1 the start page, else 0.

    Not divided by T: the published tables have these values (above 1). Bounds [0, 14.5].
    """
    total = 0.0
    for t, pages in enumerate(trail[:PAPER_STEPS]):
        weight = 1.0 if pages & critical else 0.5 if pages & relevant else 0.1 if start and start in pages else 0.0
        total += GAMMA**t * weight
    return total


def compare(case: DecisionView) -> PathComparison:
    """Compare a decision task's steps with the reference.

    A step is on the path if it showed a new required page, a new page of the written rules or a required fact, or if it
    was the decision with all facts shown. It is relevant if it led to (or stayed on) a critical or relevant page or the
    start. Otherwise it diverged.
    """
    steps, trail, wanted = case.steps, case.trail, case.critical | case.rules
    shown = {fact.delivered for fact in case.facts if fact.delivered is not None}
    complete = all(fact.delivered is not None for fact in case.facts)
    start = trail[0] if trail else frozenset()
    visited = start & wanted
    places: list[PathRelation] = []
    for index, step in enumerate(steps):
        after = trail[index + 1] if index + 1 < len(trail) else frozenset()
        decides = step.action is not None and step.action.type == "decide"
        if (after & wanted) - visited or step.number + 1 in shown or (decides and complete):
            places.append("on_path")
        elif not decides and after & (wanted | case.relevant | start):
            places.append("relevant")
        else:
            places.append("diverged")
        visited |= after & wanted
    off = next((index for index, label in enumerate(places) if label == "diverged"), None)
    return PathComparison(
        places=tuple(places),
        first_divergence=None if off is None else steps[off].number,
        recovered=None if off is None else "on_path" in places[off:],
    )


def sufficiency(
    facts: Sequence[FactResult],
    steps: Sequence[Step],
    trail: Sequence[frozenset[str]],
    rules: frozenset[str],
    *,
    decided: bool,
) -> tuple[str | None, str]:
    """`premature`, `sufficient` or `overdue`, with the reason. Not defined without a decision.

    The clock starts when all required facts and, if it was opened, the first page of the rules (`rules`) have been
    shown. It stops at the first action that changes something in the site, or the decision.
    Overdue: at least IDLE page views in between showed nothing new.
    """
    if not decided:
        return None, "no decision"
    number = steps[-1].number
    missing = [fact.says.rstrip(".") for fact in facts if fact.delivered is None]
    if missing:
        return "premature", f"decided at step {number} without having been shown: {'; '.join(missing)}"
    last = max((fact.delivered or 0 for fact in facts), default=0)
    acted = next((step.number for step in steps if step.number > last and _changes_site(step)), number)
    read = [step.number for step, pages in zip(steps, trail, strict=True) if pages & rules and step.number <= acted]
    last = max([last, *read[:1]])
    idle = _idle(steps, last, acted)
    reason = f"all was shown by step {last}, acted on at step {acted}; {idle} page views between showed nothing new"
    return ("overdue" if idle >= IDLE else "sufficient"), reason


def _changes_site(step: Step) -> bool:
    return any(request.method == "POST" and request.status < 400 for request in step.requests)


def _idle(steps: Sequence[Step], last: int, acted: int) -> int:
    """Number of page views after step `last` and before step `acted` that showed a page unchanged."""
    shown: set[tuple[str, str]] = set()
    before: tuple[str, str] | None = None
    idle = 0
    for step in steps:
        view = step.observation.url, step.observation.text
        idle += last < step.number < acted and view != before and view in shown
        shown.add(view)
        before = view
    return idle
