"""Rules on accounts: what a shop task's story makes of its customer agrees with section 9 of the Handbook."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from longtrail.authoring.validity import ValidityFinding
from longtrail.tasks.task import DecisionTask
from longtrail.web.sites.shopadmin.handbook import LIMITS
from workshop.policies import DECIDE

_NUMBER = re.compile(r"\b0{3,}(\d+)\b")
"""An order's number as people write it: 000000575."""
_OPEN = range(9, 12)
"""The sections that are read only if section 9 decides nothing, and section 9."""


def share_of_returns_agrees(task: DecisionTask) -> Iterator[ValidityFinding]:
    """`policy` counts the orders and credit memos of the customer as the story does. If it doesn't count them, and no
    earlier section decides, there are too few credit memos for section 9 to decide otherwise."""
    counts = _counts(task.story, task.trigger) if task.base_suite == "shopping_admin" else None
    verdict: Any = None
    with suppress(ValidationError):  # reported by `truth_follows`
        verdict = DECIDE[task.suite](task.policy)
    if counts is None or verdict is None:
        return
    stated = {name: value for fields in _settled(task.policy, "returns") for name, value in fields.items()}
    for name, count in counts.items():
        if stated.get(name, count) != count:
            message = f"returns.{name} is {stated[name]}, but the story has {count}"
            yield ValidityFinding("policy.found", message, (task.id,))
    orders, memos = counts["orders"], counts["returns"]
    section = int(getattr(verdict, "paragraph", "0").split(".")[0])
    if "returns" not in stated and 100 * memos > LIMITS["return_share"] * orders and section in _OPEN:
        message = f"{memos} credit memos on {orders} orders are a lot by 9.2: facts must count both"
        yield ValidityFinding("policy.found", message, (task.id,))


def _settled(policy: Mapping[str, Any], section: str) -> Iterator[Mapping[str, Any]]:
    for settles in (policy.get("start", {}), *policy.get("found", {}).values()):
        yield settles.get(section, {})


def _counts(story: Mapping[str, Any], trigger: str) -> dict[str, int] | None:
    """The orders of the customer whose order the trigger names, and their credit memos; None: it names none."""
    orders = {order.get("id"): order for order in story.get("orders", ()) if "customer" in order}
    named = next((orders[int(n)] for n in _NUMBER.findall(trigger) if int(n) in orders), None)
    if named is None:
        return None
    customer_orders = [order for order in orders.values() if order["customer"] == named["customer"]]
    past = next((c.get("past") for c in story.get("customers", ()) if c.get("id") == named["customer"]), None) or {}
    return {
        "orders": len(customer_orders) + past.get("orders", 0),
        "returns": sum(len(order.get("refunds") or ()) for order in customer_orders),
    }
