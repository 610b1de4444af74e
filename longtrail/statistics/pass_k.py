"""pass^k: the probability that an agent passes the same case k times out of k."""

from collections.abc import Iterable
from math import comb
from statistics import fmean

from longtrail.records.result import Result
from longtrail.records.trajectory import Case

Condition = tuple[str, int, bool, str, str, str, str]


def condition(case: Case) -> Condition:
    """The key that repeats share: the task and all conditions except the repeat's number."""
    words = case.prompt or "", case.appeal or "", case.placement or "", case.setting
    return case.task, case.noise_tokens or 0, case.relocated, *words


def pass_power(successes: int, repeats: int, k: int) -> float:
    """C(c, k) / C(n, k): unbiased estimate of the probability of k successes in k draws. Needs n >= k >= 1."""
    return comb(successes, k) / comb(repeats, k)


def pass_hat_k(results: Iterable[Result]) -> dict[int, float]:
    """k -> mean of C(c, k) / C(n, k) over the conditions, for every k up to the smallest number of repeats.

    Invalid cases count as failed repeats.
    """
    groups: dict[Condition, list[bool]] = {}
    for result in results:
        groups.setdefault(condition(result.case), []).append(result.outcome == "passed")
    if not groups:
        return {}
    most = min(map(len, groups.values()))
    return {k: fmean(pass_power(sum(g), len(g), k) for g in groups.values()) for k in range(1, most + 1)}
