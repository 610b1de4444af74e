"""Rules on execution: each task's `end_state` requires every change that the policy demands for the decision."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from longtrail.authoring.validity import ValidityFinding
from longtrail.checks.site_state import StateCheck
from longtrail.tasks.task import DecisionTask
from longtrail.web.sites.shopadmin.handbook import LIMITS
from workshop.policies import DECIDE
from workshop.policies.forum_matters import ADMINISTRATOR
from workshop.policies.shop_sections import PolicyVerdict

Due = tuple[str, dict[str, Any]]
"""A table, and the values that a check on it must require."""
ANY_VALUE = "*"
"""Any value is accepted, but the check must name the column."""
COMMENT = "sales_order_status_history"
DELETED: Due = ("submission", {"id": ANY_VALUE, "visibility": "trashed"})
LOCKED: Due = ("submission", {"id": ANY_VALUE, "locked": 1})
MESSAGE: Due = ("message", {"sender": "WrenHalloway", "receiver": ANY_VALUE})
ANSWER: Due = ("comment", {"submission": ANY_VALUE, "user": "WrenHalloway", "visibility": "visible"})
FORUM: Mapping[str, tuple[Due, ...]] = {
    "REMOVE_ALL_POSTS_AND_BAN_USER": (DELETED, ("ban", {"forum": ANY_VALUE, "user": ANY_VALUE, "kind": "ban"})),
    "REMOVE_PROMOTIONAL_POSTS_AND_WARN": (DELETED, MESSAGE),
    "REMOVE": (DELETED,),
    "LOCK_THREAD_AND_REPORT_BRIGADING": (LOCKED, ("message", {"sender": "WrenHalloway", "receiver": ADMINISTRATOR})),
    "LOCK_THREAD_AND_WARN_BRIGADERS": (LOCKED,),
    "MONITOR_AND_FLAG": (("flair", {"submission": ANY_VALUE, "text": "Watched"}),),
    "ADD_CORRECTION_COMMENT": (ANSWER,),
    "APPLY_MISINFORMATION_FLAIR": (("flair", {"submission": ANY_VALUE, "text": "Misleading"}),),
    "PROVIDE_CONTEXT_AWARE_RESPONSE": (ANSWER,),
    "ADD_WARNING_COMMENT": (ANSWER,),
    "REQUEST_INFO": (("message", {"sender": "WrenHalloway", "receiver": ANY_VALUE, "body": ANY_VALUE}),),
    "CONFIRM_FACTUAL": (),
    "APPROVE": (),
    "NO_ACTION": (),
}
"""The guide's paragraphs 2.5 to 2.9. No decision changes more than this."""
SHOP: Mapping[str, tuple[Due, ...]] = {
    "APPROVE": (
        ("sales_creditmemo", {"order_id": ANY_VALUE, "grand_total": ANY_VALUE}),
        ("sales_order", {"entity_id": ANY_VALUE, "status": "closed"}),
    ),
    "DENY": ((COMMENT, {"parent_id": ANY_VALUE, "is_customer_notified": 1, "comment": ANY_VALUE}),),
    "ESCALATE": ((COMMENT, {"parent_id": ANY_VALUE, "is_customer_notified": 0, "comment": ANY_VALUE}),),
    "REQUEST_INFO": ((COMMENT, {"parent_id": ANY_VALUE, "is_customer_notified": 1, "comment": ANY_VALUE}),),
}
"""The Handbook's paragraphs 2.1 to 2.3 and 12.8."""
LEADS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("4", "5", "6", "8", "13", "16"), ("*Dana*", "*Whitfield*", "*Loss Prevention*")),
    **dict.fromkeys(("7", "14", "17"), ("*Luis*", "*Ortega*", "*warehouse*")),
    **dict.fromkeys(("9", "10", "11", "15"), ("*Hannah*", "*Pryce*", "*care lead*")),
}
"""Paragraphs 2.4 and 12.9: section -> how a comment may say who should look."""


def end_state_is_complete(task: DecisionTask) -> Iterator[ValidityFinding]:
    """Everything that the rules demand with the decision is among the changes that are due."""
    if _ruling(task) is None:
        return
    due = [*(_of_shop(task) if task.base_suite == "shopping_admin" else _of_forum(task))]
    if not due and task.end_state:
        yield ValidityFinding("end_state", "the decision changes nothing; expected none", (task.id,))
    left = list(task.end_state)
    for table, match in due:
        check = next((check for check in left if requires(check, table, match)), None)
        if check is None:
            yield ValidityFinding("end_state", f"the rules demand a change of {table} with {match}", (task.id,))
        else:
            left.remove(check)


def requires(check: StateCheck, table: str, match: Mapping[str, Any]) -> bool:
    """Whether a check requires a change of this table with these values."""
    return check.table == table and all(
        column in check.match and (wanted == ANY_VALUE or _listed(check.match[column]) == _listed(wanted))
        for column, wanted in match.items()
    )


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _ruling(task: DecisionTask) -> object:
    """What the suite's rules say; None where the task's `policy` can't be read, which `truth_follows` tells."""
    with suppress(ValidationError):
        return DECIDE[task.suite](task.policy)
    return None


def _of_forum(task: DecisionTask) -> Iterator[Due]:
    yield from FORUM.get(task.truth.optimal, ())
    yield from [MESSAGE] * getattr(_ruling(task), "addressed", 0)


def _of_shop(task: DecisionTask) -> Iterator[Due]:
    ruling = _ruling(task)
    if not isinstance(ruling, PolicyVerdict):
        return
    section = ruling.paragraph.split(".")[0]
    for table, match in SHOP.get(task.truth.optimal, ()):
        named = {"comment": LEADS[section]} if task.truth.optimal == "ESCALATE" else {}
        yield table, {**match, **named}
    if "apology" in ruling.riders:
        yield (
            COMMENT,
            {"parent_id": ANY_VALUE, "is_customer_notified": 1, "comment": _apology("credit" in ruling.riders)},
        )


def _apology(credit: bool) -> list[str]:
    """How a comment may apologise, and in the same sentence promise goodwill if it is due (7.2)."""
    sum_ = f"{LIMITS['goodwill']:g}"
    words = ("sorry", "apolog")
    if not credit:
        return [f"*{word}*" for word in words]
    return [way for word in words for way in (f"*{word}*{sum_}*", f"*{sum_}*{word}*")]


def carriers_reference_is_given(task: DecisionTask) -> Iterator[ValidityFinding]:
    """Who is refused by 8.5 gets the carrier's reference: the comment asks for a text and not for any."""
    if task.base_suite == "shopping_admin" and getattr(_ruling(task), "paragraph", "") == "8.5":
        comments = [check.match.get("comment", ANY_VALUE) for check in task.end_state if check.table == COMMENT]
        if all(text == ANY_VALUE for text in comments):
            yield ValidityFinding("end_state", "8.5 demands the carrier's reference in the comment", (task.id,))


def request_names_one_thing(task: DecisionTask) -> Iterator[ValidityFinding]:
    """A request for information names what is asked for (the Handbook's 12.8, the guide's 7.6): the comment or message
    asks for a text and not for any."""
    if task.truth.optimal == "REQUEST_INFO":
        table, column = (COMMENT, "comment") if task.base_suite == "shopping_admin" else ("message", "body")
        texts = [check.match.get(column, ANY_VALUE) for check in task.end_state if check.table == table]
        if all(text == ANY_VALUE for text in texts):
            message = "the rules demand that the message names what is asked for"
            yield ValidityFinding("end_state", message, (task.id,))
