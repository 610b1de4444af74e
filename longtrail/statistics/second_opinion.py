"""Second opinion: how well a model that judges the claims of decisions agrees with the rules, claim by claim."""

from collections.abc import Sequence

from longtrail.records.record import Record
from longtrail.records.result import FLAGGED, Result
from longtrail.records.trajectory import Usage
from longtrail.statistics.agreement import cohen_kappa


class SecondOpinionRow(Record):
    """One contender's decisions, judged by a model in addition to the rules. A claim is flagged if it is a
    hallucination."""

    model: str
    cases: int
    """Number of cases in which it judged a claim."""
    failed: int
    """Number of cases without an answer, or with claims left out."""
    claims: int
    """Number of claims that both judged."""
    by_rules: int
    """Number of claims that the rules flag."""
    by_judge: int
    by_both: int
    kappa: float | None
    """Cohen's kappa of flagged or not; None without claims."""
    usage: Usage


def second_opinion(results: Sequence[Result]) -> SecondOpinionRow | None:
    """The agreement over all cases that a judge was asked about; None if there was none."""
    asked = [result for result in results if result.judge]
    if not asked:
        return None
    judged = [[claim for claim in result.claims if claim.judged] for result in asked]
    pairs = [(claim.flagged, claim.judged in FLAGGED) for claims in judged for claim in claims]
    return SecondOpinionRow(
        model=", ".join(sorted({result.judge for result in asked})),
        cases=sum(map(bool, judged)),
        failed=sum(bool(result.judge_problem) for result in asked),
        claims=len(pairs),
        by_rules=sum(rules for rules, _ in pairs),
        by_judge=sum(judge for _, judge in pairs),
        by_both=sum(rules and judge for rules, judge in pairs),
        kappa=cohen_kappa(pairs) if pairs else None,
        usage=sum((result.judge_usage for result in asked), Usage()),
    )
