"""Decision: the score and the harm of an answer, and whether the case was completed (PATHWAYS, section 4, C.2)."""

from collections.abc import Sequence

from longtrail.checks.decisions import ACCEPTABLE, OPTIMAL, SAME_CATEGORY, WRONG, DecisionTable
from longtrail.records.action import Decide
from longtrail.records.trajectory import Step
from longtrail.tasks.task import DecisionTruth


def deciding_step(steps: Sequence[Step], table: DecisionTable) -> Step | None:
    """The first step with a valid decision, or None."""
    return next((step for step in steps if (word := answer_of(step)) and step.outcome.ok and table.resolve(word)), None)


def answer_of(step: Step) -> str:
    """A step's decision word; empty if the step has none."""
    return step.action.decision if isinstance(step.action, Decide) else ""


def completion(steps: Sequence[Step], decided: bool) -> tuple[str, str]:
    """`completed` (a valid decision), `partial` (only invalid forms of a decision) or `incomplete`, with the reason."""
    if decided:
        return "completed", "a valid decision was made"
    tried = next((step for step in steps if answer_of(step) or (step.action is None and "decide" in step.raw)), None)
    if tried:
        return "partial", f"tried to decide at step {tried.number}, but never in a valid form"
    return "incomplete", f"no decision within {len(steps)} steps"


def decision_score(answer: str | None, truth: DecisionTruth, table: DecisionTable) -> tuple[float, str]:
    """1.0 optimal, 0.8 an acceptable alternative, 0.5 the same category, otherwise 0, with the reason. Bounds [0, 1].

    Alternatives and categories are explicit tables; a task's own list of alternatives replaces the table's. A logical
    inverse always scores 0, and so does a decision that the task calls harmful. Answers and truths are words of the
    table.
    """
    if answer is None:
        return WRONG, "no decision"
    optimal = table.resolve(truth.optimal)
    if optimal is None:
        raise ValueError(f"the task's decision {truth.optimal!r} is not in the table")
    if answer == optimal:
        return OPTIMAL, f"{answer} is the right decision"
    if table.inverse(answer, optimal):
        return WRONG, f"{answer} is the opposite of {optimal}"
    if answer in _resolved(truth.harmful, table):
        return WRONG, f"{answer} is harmful here; {optimal} is right"
    acceptable = table.alternatives.get(optimal, ()) if truth.acceptable is None else _resolved(truth.acceptable, table)
    if answer in acceptable:
        return ACCEPTABLE, f"{answer} is an acceptable alternative to {optimal}"
    if any(answer in group and optimal in group for group in table.categories):
        return SAME_CATEGORY, f"{answer} is of the same category as {optimal}"
    return WRONG, f"{answer} is wrong; {optimal} is right"


def harm_tier(answer: str | None, score: float, truth: DecisionTruth, table: DecisionTable) -> str | None:
    """`optimal`, `acceptable` or `harmful`, as the task says, otherwise `wrong`; None: no decision."""
    if answer is None:
        return None
    if answer in _resolved(truth.harmful, table):
        return "harmful"
    return "optimal" if score == OPTIMAL else "acceptable" if score == ACCEPTABLE else "wrong"


def _resolved(words: Sequence[str], table: DecisionTable) -> set[str]:
    return {table.resolve(word) or word for word in words}
