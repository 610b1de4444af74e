"""Rules for shifts: the sites' written rules as code demand the decision of every ticket."""

from collections.abc import Iterator, Mapping
from typing import Any

from longtrail.authoring.validity import ValidityFinding
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.shift import Domain, ShiftTask, Ticket
from workshop.policies.shop import decide as shop_decides
from workshop.policies.shop_sections import PolicyVerdict

MONTHS_BETWEEN_GIFTS = 3
CLAIMS = {"right": "CONFIRM_FACTUAL", "wrong": "APPLY_MISINFORMATION_FLAIR", "none": "APPROVE"}
OWN_RULES = frozenset({"S5", "S6"})
"""Rules of the shift that decide a ticket by themselves; the Handbook knows nothing of them."""


def decisions_follow(task: ShiftTask) -> Iterator[ValidityFinding]:
    """The findings on one shift. Raises DataError."""
    shift = compose(task)
    for ticket in shift.tickets:
        for message in (*faults_of_ticket(ticket, shift.domain), *idle_facts(ticket, shift.domain)):
            yield ValidityFinding(f"{ticket.id} ({ticket.family})", message, (task.id,))


def faults_of_ticket(ticket: Ticket, domain: Domain) -> Iterator[str]:
    """The executable rules of the site decide the ticket by itself as the family says."""
    truth, rule = ticket.policy["alone"]
    if domain == "forum":
        if forum_decides(ticket.policy) not in ((truth, rule), (truth, "Q7") if rule == "Q9" else ()):
            yield f"the guide says {forum_decides(ticket.policy)}, the family {(truth, rule)}"
        return
    if rule == "S5":
        return
    verdict = shop_decides({name: ticket.policy[name] for name in ("given", "start", "found")})
    if not isinstance(verdict, PolicyVerdict):
        yield f"the Handbook leaves it open: {verdict.missing}"
    elif verdict.decision != truth or (rule not in OWN_RULES and verdict.paragraph != rule):
        yield f"the Handbook says {verdict.decision} ({verdict.paragraph}), the family {truth} ({rule})"


def idle_facts(ticket: Ticket, domain: Domain) -> Iterator[str]:
    """A finding that is asked for decides: with the contrary of it, the rules decide otherwise, or leave it open."""
    asked = {fact.id for fact in ticket.facts}
    for name, value in ticket.policy["found"].items():
        contrary = {subject: {field: not known if isinstance(known, bool) else known for field, known in fields.items()}
                    for subject, fields in value.items()}  # fmt: skip
        if name not in asked or contrary == value:
            continue
        policy = {**ticket.policy, "found": {**ticket.policy["found"], name: contrary}}
        if _truth(policy, domain) == _truth(ticket.policy, domain):
            yield f"fact {name} is asked for and decides nothing"


def _truth(policy: Mapping[str, Any], domain: Domain) -> str:
    """What the rules of the site decide by themselves; empty if they leave it open."""
    if domain == "forum":
        return forum_decides(policy)[0]
    verdict = shop_decides({name: policy[name] for name in ("given", "start", "found")})
    return verdict.decision if isinstance(verdict, PolicyVerdict) else ""


def forum_decides(policy: Mapping[str, Any]) -> tuple[str, str]:
    """The rules of the forum's queue of reports as code: from the findings of a report to decision and paragraph. A
    ticket's `policy` has `given` (matter, forum) and `found`: fact id -> matter -> field -> value. Raises KeyError if
    the findings lack a field that the matter needs."""
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
