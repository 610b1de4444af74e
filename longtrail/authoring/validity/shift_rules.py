"""Rules for fair shifts: the written rules force every decision, evidence is in one place, twins differ only later."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from longtrail.authoring.policies.shop import decide as shop_decides
from longtrail.authoring.policies.shop_sections import PolicyVerdict
from longtrail.authoring.validity.finding import ValidityFinding
from longtrail.checks.page_names import page_key
from longtrail.clock import NOW
from longtrail.errors import DataError
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.plans import flips, generate
from longtrail.tasks.shifts.reference import reference_of
from longtrail.tasks.shifts.shift import SIZES, Domain, Shift, ShiftTask, Ticket, twin_of_shift
from longtrail.tasks.shifts.shop import PACKED
from longtrail.text.matcher import find
from longtrail.web.sites.forum.forum_site import CROWD
from longtrail.web.sites.forum.rows import load
from longtrail.web.sites.forum.story import STORY as FORUM_STORY
from longtrail.web.sites.forum.story import StoryRows
from longtrail.web.sites.shopadmin.build import ledger_of
from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.story import STORY

MONTHS_BETWEEN_GIFTS = 3
CLAIMS = {"right": "CONFIRM_FACTUAL", "wrong": "APPLY_MISINFORMATION_FLAIR", "none": "APPROVE"}
OWN_RULES = frozenset({"S5", "S6"})
"""Rules of the shift that decide a ticket by themselves; the Handbook knows nothing of them."""


def generated(domain: Domain, number: int, seed: int = 0) -> Iterator[ShiftTask]:
    """So many new shifts of a domain, of all sizes in turn; every other round is hard."""
    for at in range(number):
        size = SIZES[at % len(SIZES)]
        is_hard = size > SIZES[0] and bool(at // len(SIZES) % 2)
        yield generate(domain, size, 100_000 * (seed + 1) + at, f"shift-{domain}-{size}-new{at}", hard=is_hard)


def shift_findings(task: ShiftTask) -> Iterator[ValidityFinding]:
    """The findings of all rules on one shift. Raises DataError."""
    shift = compose(task)
    for ticket in shift.tickets:
        faults = (*_forced(ticket, shift.domain), *_decides(ticket, shift.domain))
        for message in (*faults, *_told_nowhere_else(ticket, shift), *_elsewhere(ticket)):
            yield ValidityFinding(f"{ticket.id} ({ticket.family})", message, (task.id,))
    faults = (*_reachable(task, shift), *_twins(task, shift), *_world(shift), *_out_of_order(shift))
    yield from (ValidityFinding("", message, (task.id,)) for message in faults)


def _forced(ticket: Ticket, domain: Domain) -> Iterator[str]:
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


def _decides(ticket: Ticket, domain: Domain) -> Iterator[str]:
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


def _out_of_order(shift: Shift) -> Iterator[str]:
    """What is logged about a parcel when it is packed comes before it leaves, everything else after that."""
    for order in shift.story.get("orders", ()):
        for parcel in order["shipments"]:
            for entry in parcel["comments"]:
                if (entry["at"] < parcel["at"]) is not entry["text"].startswith(PACKED):
                    yield f"order {order['id']}: {entry['text']!r} is logged {entry['at']:%b} {entry['at'].day}"


def _texts(shift: Shift) -> Iterator[tuple[frozenset[str], str]]:
    """Every text of the shift with the keys of its pages."""
    for message in (*shift.messages, *shift.archived):
        yield frozenset({f"inbox:{message.message}"}), f"{message.subject}\n{message.text}"
    for post in shift.story.get("submissions", ()):
        thread = f"forum:submission/{post['id']}"
        yield frozenset({thread}), f"{post['title']}\n{post.get('body', '')}"
        for comment in post["comments"]:
            author = f"forum:user/{comment['by'].lower()}"
            yield frozenset({thread, author, f"{author}/comments"}), comment["text"]
    for order in shift.story.get("orders", ()):
        number = order["id"]
        for comment in order["comments"]:
            yield frozenset({f"order:{number}", f"order:{number}/history"}), comment["text"]
        for parcel in order["shipments"]:
            for comment in parcel["comments"]:
                yield frozenset({f"shipment:{number}", f"order:{number}/history"}), comment["text"]


def _told_nowhere_else(ticket: Ticket, shift: Shift) -> Iterator[str]:
    """A fact's words are on its own pages; those of what comes from earlier are on no other."""
    earlier = {fact for need in ticket.needs for fact in need.facts}
    for fact in ticket.facts:
        places = [pages for pages, text in _texts(shift) if find(fact.shown, text, NOW)]
        if not any(pages & {*fact.pages} for pages in places):
            yield f"fact {fact.id} is on none of its pages"
        stray = [pages for pages in places if not pages & {*fact.pages}]
        if fact.id in earlier and stray:
            yield f"fact {fact.id} is also told on {', '.join(sorted(stray[0]))}"


def _elsewhere(ticket: Ticket) -> Iterator[str]:
    """What comes from earlier is on no page that the ticket's own investigation opens."""
    own = {page_key(move.goto) for move in ticket.readings if move.goto}
    earlier = {fact for need in ticket.needs for fact in need.facts}
    for fact in ticket.facts:
        if fact.id in earlier and own & {*fact.pages}:
            yield f"fact {fact.id} is found without the earlier part"


def _reachable(task: ShiftTask, shift: Shift) -> Iterator[str]:
    """The reference opens a page of every fact before the decision that needs it, within the budget."""
    reference = reference_of(shift)
    seen: set[str] = set()
    facts = {fact.id: fact for ticket in shift.tickets for fact in (*ticket.facts, *ticket.first_facts)}
    decisions = iter(reference.decisions)
    for move in reference.moves:
        if move.goto and (key := page_key(move.goto)):
            seen.add(key)
        if move.decide:
            decision = next(decisions)
            missed = [name for name in decision.facts if not seen & {*facts[name].pages}]
            if missed:
                yield f"the reference decides {decision.ticket} without {', '.join(missed)}"
    steps = sum(move.read is None for move in reference.moves)
    if steps > task.step_limit:
        yield f"the reference takes {steps} steps, the budget is {task.step_limit}"


def _twins(task: ShiftTask, shift: Shift) -> Iterator[str]:
    """The twin has the same tickets, and only dependent decisions differ."""
    twin = compose(twin_of_shift(task))
    if any((a.subject, a.text) != (b.subject, b.text) for a, b in zip(shift.tickets, twin.tickets, strict=True)):
        yield "the twin has other tickets"
    changed = flips(task)
    if not changed:
        yield "no decision differs in the twin"
    for number in changed:
        if (ticket := shift.ticket(number)) is not None and not ticket.dependent:
            yield f"{number} differs in the twin and depends on nothing"


@cache
def _crowd_posts() -> frozenset[int]:
    return frozenset(row["id"] for row in load(CROWD)["submission"])


def _world(shift: Shift) -> Iterator[str]:
    """The records fit the site."""
    try:
        if shift.domain == "shop":
            ledger_of([STORY.validate_python(shift.story)], catalogue())
        else:
            StoryRows(_crowd_posts()).add(FORUM_STORY.validate_python(shift.story))
    except (ValueError, DataError) as error:
        yield str(error)


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
