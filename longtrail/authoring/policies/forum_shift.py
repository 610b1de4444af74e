"""The rules of the forum's queue of reports as code: from the findings of a report to a decision and its paragraph.

A ticket's `policy` has `given` (matter, forum) and `found`: fact id -> matter -> field -> value.
"""

from collections.abc import Mapping
from typing import Any

MONTHS_BETWEEN_GIFTS = 3
CLAIMS = {"right": "CONFIRM_FACTUAL", "wrong": "APPLY_MISINFORMATION_FLAIR", "none": "APPROVE"}


def decide(policy: Mapping[str, Any]) -> tuple[str, str]:
    """Decision and paragraph. Raises KeyError if the findings lack a field that the matter needs."""
    matter = policy["given"]["matter"]
    findings = {name: value for found in policy["found"].values() for name, value in found.get(matter, {}).items()}
    if matter == "meeting" and "confirmed" not in findings:
        return "REQUEST_INFO", "Q10"
    if matter == "claim":
        return CLAIMS[findings["verdict"]], "Q6"
    if matter == "tone":
        return "ADD_WARNING_COMMENT" if findings["newcomer"] else "REMOVE", "Q3"
    if matter == "gift":
        granted, paragraph = findings["months"] >= MONTHS_BETWEEN_GIFTS, "Q8"
    else:
        field, paragraph = {"sale": ("pass", "Q4"), "copy": ("consent", "Q5"), "meeting": ("confirmed", "Q7")}[matter]
        granted = findings[field]
    return "APPROVE" if granted else "REMOVE", paragraph
