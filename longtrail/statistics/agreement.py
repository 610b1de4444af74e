"""Agreement between raters (Cohen's and Fleiss' kappa) and between measures (Pearson's and Spearman's correlation)."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean


def cohen_kappa(pairs: Sequence[tuple[object, object]]) -> float:
    """Two raters over the same items: (observed - chance) / (1 - chance); 1.0 if both always give the same single mark.

    Bounds [-1, 1]. Raises ValueError without items.
    """
    if not pairs:
        raise ValueError("no items")
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(a == b for a, b in pairs) / n
    chance = sum(first[value] * second[value] for value in first) / n**2
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
    totals = sum(counts, Counter[object]())
    chance = sum((c / (raters * len(items))) ** 2 for c in totals.values())
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
