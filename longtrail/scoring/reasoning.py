"""Reasoning: which required facts the decision's evidence cites, and how much it cites that is irrelevant."""

from collections.abc import Sequence

from longtrail.checks.facts import Fact
from longtrail.records.result import FactResult, Metric
from longtrail.scoring.citations import MOST_IRRELEVANT
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.shown_pages import delivered


def reasoning(case: DecisionView) -> Metric:
    """Share of required facts that a piece of evidence cites, minus the share of distractors that are cited. 0 without
    any evidence, and 0 if more than MOST_IRRELEVANT pieces cite nothing relevant. Bounds [0, 1]."""
    if case.citations is None:
        return Metric(value=0.0, reason="no decision")
    if not case.citations.evidence:
        return Metric(value=0.0, reason="the decision has no evidence: only quotations of records count")
    stray = case.citations.irrelevant(case.task.investigation_facts, case.rules)
    if len(stray) > MOST_IRRELEVANT:
        numbers = ", ".join(map(str, stray))
        return Metric(
            value=0.0,
            reason=f"{len(stray)} pieces cite neither required nor supporting evidence ({numbers}; one piece of the "
            f"rules is free), more than {MOST_IRRELEVANT}",
        )
    missing = [fact for fact in case.facts if not fact.counted]
    wrong = case.citations.distractors(case.task.distractors, case.task.investigation_facts)
    share = 1 - len(missing) / len(case.facts) - len(wrong) / len(case.task.distractors)
    reasons = [f"not cited once shown: {sentences(missing)}"] if missing else ["every required fact was cited"]
    reasons += [f'cites as a reason: {distractor.says.rstrip(".")} ("{quote}")' for distractor, quote in wrong]
    return Metric(value=max(0.0, share), reason="; ".join(reasons))


def sentences(facts: Sequence[FactResult | Fact]) -> str:
    """What facts say, in one line."""
    return "; ".join(fact.says.rstrip(".") for fact in facts)


def noted(case: DecisionView) -> dict[str, Metric]:
    """The measures of evidence that an earlier episode left in the agent's history; not defined if there is none."""
    facts = [fact for fact in case.task.required if delivered(fact, case.noted_pages) is not None]
    cited = {fact.id for fact in case.facts if fact.counted}
    return {
        "noted_given": _share(facts, [fact for fact in facts if fact.id in cited], "cited by the decision"),
        "noted_read_again": _share(
            facts, [fact for fact in facts if delivered(fact, case.pages) is not None], "shown again"
        ),
    }


def _share(facts: Sequence[Fact], some: Sequence[Fact], word: str) -> Metric:
    if not facts:
        return Metric(value=None, reason="nothing was noted before the noise")
    return Metric(
        value=len(some) / len(facts), reason=f"{len(some)} of {len(facts)} facts noted before the noise {word}"
    )
