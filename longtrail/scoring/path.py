"""Path: how an investigation went: what it was shown, which critical pages it opened, and how directly."""

from collections.abc import Sequence
from typing import Literal

from longtrail.records.result import FactResult, Metric
from longtrail.records.trajectory import Step
from longtrail.scoring.decision_view import DecisionView

GAMMA = 0.95
PAPER_STEPS = 25
PathRelation = Literal["on_path", "relevant", "diverged"]
Trail = Sequence[frozenset[str]]
"""The keys of the pages shown at each step."""


def path_metrics(view: DecisionView) -> dict[str, Metric]:
    """All measures of this module for one decision case."""
    relations = path_relations(view)
    off = next((index for index, relation in enumerate(relations) if relation == "diverged"), None)
    left = "never left the path" if off is None else f"left the path at step {view.steps[off].number}"
    return {
        **evidence_metrics(view.facts, {fact.id: ", ".join(fact.pages) for fact in view.task.required}),
        **critical_metrics(view.steps, view.trail, view.critical, view.helpful),
        "efficiency": Metric(
            value=efficiency(view.trail, view.critical, view.helpful),
            reason=f"{_on(view.trail, view.critical)} of {len(view.trail)} steps on critical pages",
        ),
        "first_divergence": Metric(value=None if off is None else view.steps[off].number, reason=left),
        "recovered": Metric(value=None if off is None else "on_path" in relations[off:], reason=left),
    }


def evidence_metrics(facts: Sequence[FactResult], places: dict[str, str]) -> dict[str, Metric]:
    """`investigation` and `evidence_share`: required facts delivered / required; bounds [0, 1]. `places`: fact -> where
    it is shown. Raises ValueError if there are no facts."""
    if not facts:
        raise ValueError("the task requires no fact: investigation and reasoning are undefined")
    unseen = [fact for fact in facts if fact.delivered is None]
    missing = "; ".join(f"{fact.says.rstrip('.')} ({places[fact.id]})" for fact in unseen)
    reason = f"never shown before the decision: {missing}" if unseen else "every required fact was shown"
    return {
        "investigation": Metric(value=not unseen, reason=reason),
        "evidence_share": Metric(value=(len(facts) - len(unseen)) / len(facts), reason=reason),
    }


def critical_metrics(
    steps: Sequence[Step], trail: Trail, critical: frozenset[str], relevant: frozenset[str]
) -> dict[str, Metric]:
    """The paper's investigation and its efficiency.

    Investigation: some critical page was loaded and a further action was taken with it in view (PATHWAYS, section 4:
    interaction). Leaving the page in any way (a link, an address, back) also counts.
    """
    views = zip(steps, trail, strict=True)
    acted = next((step.number for step, keys in views if keys & critical and step.action is not None), None)
    opened = f"acted on a critical page at step {acted}" if acted else "no critical page was opened and acted on"
    start = min(trail[0], default=None) if trail else None
    return {
        "paper_investigation": Metric(value=acted is not None, reason=opened),
        "paper_efficiency_cumulative": Metric(
            value=paper_efficiency_cumulative(trail, critical, relevant, start),
            reason=f"{_on(trail, critical)} of {len(trail)} steps on critical pages; a sum over steps, no share",
        ),
    }


def _on(trail: Trail, critical: frozenset[str]) -> int:
    return sum(bool(keys & critical) for keys in trail)


def efficiency(trail: Trail, critical: frozenset[str], relevant: frozenset[str]) -> float:
    """(1/T) sum_{t=1..T} 0.95^t I(s_t), with I = 1.0 on a critical page, 0.1 on a relevant one, else 0.

    Bounds [0, 0.95]. No steps: 0.
    """
    weights = [1.0 if pages & critical else 0.1 if pages & relevant else 0.0 for pages in trail]
    return sum(GAMMA**t * weight for t, weight in enumerate(weights, 1)) / len(trail) if trail else 0.0


def paper_efficiency_cumulative(
    trail: Trail, critical: frozenset[str], relevant: frozenset[str], start: str | None
) -> float:
    """sum_{t=0..min(T,25)-1} 0.95^t I', with I' = 1.0 critical, 0.5 relevant, 0.1 the start page, else 0.

    Not divided by T: the published tables have these values (above 1). Bounds [0, 14.5].
    """
    total = 0.0
    for t, pages in enumerate(trail[:PAPER_STEPS]):
        weight = 1.0 if pages & critical else 0.5 if pages & relevant else 0.1 if start and start in pages else 0.0
        total += GAMMA**t * weight
    return total


def path_relations(view: DecisionView) -> tuple[PathRelation, ...]:
    """How each step of a decision task is related to the reference's path.

    A step is on the path if it showed a new required page, a new page of the written rules or a required fact, or if it
    was the decision with all facts shown. It is relevant if it led to (or stayed on) a critical or relevant page or the
    start. Otherwise it diverged.
    """
    trail, wanted = view.trail, view.critical | view.table.rule_pages
    shown = {fact.delivered for fact in view.facts}
    start = trail[0] if trail else frozenset()
    visited = start & wanted
    relations: list[PathRelation] = []
    for index, step in enumerate(view.steps):
        after = trail[index + 1] if index + 1 < len(trail) else frozenset()
        decides = step.action is not None and step.action.type == "decide"
        if (after & wanted) - visited or step.number + 1 in shown or (decides and None not in shown):
            relations.append("on_path")
        elif not decides and after & (wanted | view.helpful | start):
            relations.append("relevant")
        else:
            relations.append("diverged")
        visited |= after & wanted
    return tuple(relations)
