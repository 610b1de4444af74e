"""States: which actions the platform allows in each state of an order, as in Magento 2.4."""

import sqlite3
from collections.abc import Mapping
from typing import Any

STATUSES_OF = {
    "new": ("pending",),
    "pending_payment": ("pending_payment",),
    "processing": ("processing", "fraud"),
    "complete": ("complete",),
    "closed": ("closed",),
    "canceled": ("canceled",),
    "holded": ("holded",),
    "payment_review": ("payment_review", "fraud"),
}
"""The statuses that a comment may set in each state; the first is the state's own."""
NOT_HOLDABLE = frozenset({"canceled", "payment_review", "complete", "closed", "holded"})
Order = sqlite3.Row | Mapping[str, Any]


def can_hold(order: Order) -> bool:
    """Open orders can be held; finished, held or reviewed ones can't."""
    return order["state"] not in NOT_HOLDABLE


def can_unhold(order: Order) -> bool:
    """Only orders on hold can be released."""
    return bool(order["state"] == "holded")


def can_cancel(order: Order) -> bool:
    """Before anything was invoiced, and not while held, reviewed or finished."""
    return order["state"] in ("new", "pending_payment", "processing") and order["total_paid"] == 0


def can_refund(order: Order) -> bool:
    """Something was paid and not fully refunded, and the order is neither held, reviewed, canceled nor closed."""
    blocked = order["state"] in ("holded", "payment_review", "canceled", "closed")
    return not blocked and refundable(order) > 0


def refundable(order: Order) -> float:
    """The amount that was paid and not yet refunded, in dollars."""
    return float(round(order["total_paid"] - order["total_refunded"], 2))


def after_refund(state: str, status: str, left: float, to_ship: int) -> tuple[str, str]:
    """State and status after a credit memo: closed if nothing is left to refund or ship, complete if all is shipped."""
    if left <= 0 and to_ship == 0:
        return "closed", "closed"
    if state == "processing" and to_ship == 0:
        return "complete", "complete"
    return state, status
