"""Agreement between raters (Cohen's and Fleiss' kappa), between measures (Pearson's and Spearman's correlation), and
between the rules and a model that judges the claims of decisions."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from longtrail.records.record import Record
from longtrail.records.result import FLAGGED, Result
from longtrail.records.trajectory import Usage


def cohen_kappa(pairs: Sequence[tuple[object, object]]) -> float:
    """Two raters over the same items: (observed - chance) / (1 - chance); 1.0 if both always give the same single
    mark.

    Bounds [-1, 1]. Raises ValueError without items.
    """
    if not pairs:
        raise ValueError("no items")
    n = len(pairs)
    first, other = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(a == b for a, b in pairs) / n
    chance = sum(first[value] * other[value] for value in first) / n**2
    return 1.0 if chance == 1 else (observed - chance) / (1 - chance)


def fleiss_kappa(items: Sequence[Sequence[object]]) -> float:
    """Several raters; each item is a list with every rater's mark. 1.0 if all always give the same single mark. At
    most 1.

    Raises ValueError without items, with fewer than two raters, or if items differ in their number of marks.
    """
    raters = len(items[0]) if items else 0
    if raters < 2 or any(len(item) != raters for item in items):
        raise ValueError("expected at least one item, each with the same two or more marks")
    counts = [Counter(item) for item in items]
    within = fmean((sum(c * c for c in count.values()) - raters) / (raters * (raters - 1)) for count in counts)
    whole = sum(counts, Counter[object]())
    chance = sum((c / (raters * len(items))) ** 2 for c in whole.values())
    return 1.0 if chance == 1 else (within - chance) / (1 - chance)


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """The linear correlation of paired values, in [-1, 1]; None if one of them is constant."""
    return _correlation("pearsonr", xs, ys)


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float | None:
    """The correlation of ranks (ties share their mean rank), in [-1, 1]; None if one of them is constant."""
    return _correlation("spearmanr", xs, ys)


def _correlation(name: str, xs: Sequence[float], ys: Sequence[float]) -> float | None:
    from scipy import stats  # imported here: it is slow to import and rarely needed

    if len(xs) != len(ys):
        raise ValueError(f"expected pairs, got {len(xs)} and {len(ys)} values")
    if min(_spread(xs), _spread(ys)) < 1e-12:
        return None
    return float(getattr(stats, name)(xs, ys).statistic)


def _spread(values: Sequence[float]) -> float:
    return max(values) - min(values)


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
    """The agreement over all cases whose claims a judge was asked about; None if there was none. (In own tasks it is
    asked about rubrics, which have a measure of their own.)"""
    asked = [result for result in results if result.judge and result.case.suite != "app"]
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
