"""Investigation: was the hidden evidence opened, shown and stated? (PATHWAYS, section 4)"""

from collections.abc import Sequence

from longtrail.records.result import FactResult
from longtrail.records.trajectory import Step


def paper_investigation(steps: Sequence[Step], trail: Sequence[frozenset[str]], critical: frozenset[str]) -> int | None:
    """Number of the first step that acted on a critical page, or None; the measure is 1 or 0.

    Some critical page was loaded and a further action was taken with it in view (PATHWAYS, section 4: interaction).
    Leaving the page in any way (a link, an address, back) also counts, because it was in view for a turn.
    """
    for step, pages in zip(steps, trail, strict=True):
        if pages & critical and step.action is not None:
            return step.number
    return None


def evidence_share(facts: Sequence[FactResult]) -> float:
    """Delivered / required. Bounds [0, 1]. `investigation` is 1 iff this is 1."""
    _required(facts)
    return sum(fact.delivered is not None for fact in facts) / len(facts)


def paper_reasoning(facts: Sequence[FactResult]) -> float:
    """Share of required facts found in thoughts and justification (PATHWAYS, section 4). Bounds [0, 1]."""
    _required(facts)
    return sum(fact.said for fact in facts) / len(facts)


def reasoning(facts: Sequence[FactResult], contradicted: int, asserted: int, distractors: int) -> float:
    """Share of required facts stated after they were shown, minus wrong assertions. Bounds [0, 1].

    counted/required - contradicted/required - asserted/distractors, floor 0: a fact of which the opposite is stated
    costs that fact's share, a distractor given as a reason costs its share of the distractors. So stating everything
    possible scores nothing.
    """
    _required(facts)
    share = (sum(fact.counted for fact in facts) - contradicted) / len(facts)
    return max(0.0, share - (asserted / distractors if distractors else 0.0))


def _required(facts: Sequence[FactResult]) -> None:
    if not facts:
        raise ValueError("the task requires no fact: investigation and reasoning are undefined")
