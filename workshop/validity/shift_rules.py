"""Rules for fair shifts: evidence is in one place, the reference finds it in time, twins differ only later."""

from collections.abc import Callable, Iterator
from functools import cache

from longtrail.authoring.validity import ValidityFinding
from longtrail.checks.page_names import page_key
from longtrail.clock import NOW
from longtrail.errors import DataError
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.plans import flips, generate
from longtrail.tasks.shifts.shift import SIZES, Domain, Shift, ShiftTask, Ticket, twin_of_shift
from longtrail.tasks.shifts.shift_site import reference_of
from longtrail.tasks.shifts.shop import PACKED
from longtrail.text.matcher import find
from longtrail.web.sites.forum.forum_site import read_crowd
from longtrail.web.sites.forum.story import STORY as FORUM_STORY
from longtrail.web.sites.forum.story import StoryRows
from longtrail.web.sites.shopadmin.build import ledger_of
from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.story import STORY


def generated(domain: Domain, number: int) -> Iterator[ShiftTask]:
    """So many new shifts of a domain, of all sizes in turn; every other round is hard."""
    for at in range(number):
        size = SIZES[at % len(SIZES)]
        is_hard = size > SIZES[0] and bool(at // len(SIZES) % 2)
        yield generate(domain, size, 100_000 + at, f"shift-{domain}-{size}-new{at}", hard=is_hard)


def shift_findings(task: ShiftTask) -> Iterator[ValidityFinding]:
    """The findings of all rules on one shift. Raises DataError."""
    shift = compose(task)
    for ticket in shift.tickets:
        for message in (message for rule in TICKET_RULES for message in rule(ticket, shift)):
            yield ValidityFinding(f"{ticket.id} ({ticket.family})", message, (task.id,))
    yield from (ValidityFinding("", message, (task.id,)) for rule in SHIFT_RULES for message in rule(task, shift))


def parcels_are_logged_in_order(_: ShiftTask, shift: Shift) -> Iterator[str]:
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


def earlier_facts_are_told_once(ticket: Ticket, shift: Shift) -> Iterator[str]:
    """A fact's words are on its own pages; those of what comes from earlier are on no other."""
    earlier = {fact for need in ticket.needs for fact in need.facts}
    for fact in ticket.facts:
        places = [pages for pages, text in _texts(shift) if find(fact.shown, text, NOW)]
        if not any(pages & {*fact.pages} for pages in places):
            yield f"fact {fact.id} is on none of its pages"
        stray = [pages for pages in places if not pages & {*fact.pages}]
        if fact.id in earlier and stray:
            yield f"fact {fact.id} is also told on {', '.join(sorted(stray[0]))}"


def earlier_facts_are_elsewhere(ticket: Ticket, _: Shift) -> Iterator[str]:
    """What comes from earlier is on no page that the ticket's own investigation opens."""
    own = {page_key(move.goto) for move in ticket.readings if move.goto}
    earlier = {fact for need in ticket.needs for fact in need.facts}
    for fact in ticket.facts:
        if fact.id in earlier and own & {*fact.pages}:
            yield f"fact {fact.id} is found without the earlier part"


def reference_is_in_time(task: ShiftTask, shift: Shift) -> Iterator[str]:
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


def twins_differ_later(task: ShiftTask, shift: Shift) -> Iterator[str]:
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
    return frozenset(row["id"] for row in read_crowd()["submission"])


def records_fit_the_site(_: ShiftTask, shift: Shift) -> Iterator[str]:
    """The records fit the site."""
    try:
        if shift.domain == "shop":
            ledger_of([STORY.validate_python(shift.story)], catalogue())
        else:
            StoryRows(_crowd_posts()).add(FORUM_STORY.validate_python(shift.story))
    except (ValueError, DataError) as error:
        yield str(error)


TICKET_RULES: tuple[Callable[[Ticket, Shift], Iterator[str]], ...] = (
    earlier_facts_are_told_once,
    earlier_facts_are_elsewhere,
)
"""Rules on each ticket of a shift."""
SHIFT_RULES: tuple[Callable[[ShiftTask, Shift], Iterator[str]], ...] = (
    reference_is_in_time,
    twins_differ_later,
    records_fit_the_site,
    parcels_are_logged_in_order,
)
"""Rules on a whole shift."""
