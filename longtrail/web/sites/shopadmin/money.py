"""Money: sums in whole cents, so that every total adds up. Shares are rounded so that the parts sum up to the whole."""

from collections.abc import Sequence


def cents(dollars: float) -> int:
    """Dollars as whole cents."""
    return round(dollars * 100)


def dollars(amount: int) -> float:
    """Cents as dollars, for the database."""
    return round(amount / 100, 2)


def split(amount: int, weights: Sequence[int]) -> list[int]:
    """Divide an amount in proportion to the weights; the parts sum up to the amount."""
    total, before, weight_before, parts = sum(weights), 0, 0, []
    for weight in weights:
        weight_before += weight
        upto = round(amount * weight_before / total) if total else 0
        parts.append(upto - before)
        before = upto
    return parts


def share(amount: int, before: int, count: int, whole: int) -> int:
    """The share of `count` of `whole` pieces after `before` pieces were already settled; all shares sum up to the
    amount."""
    return round(amount * (before + count) / whole) - round(amount * before / whole)
