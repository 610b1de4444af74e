"""Rules on each long-context task: its second part needs the first part's history, and the embedded site can produce
the results that its key steps name."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from longtrail.authoring.validity import LongContextRule, SiteRule, ValidityFinding
from longtrail.checks.answers import missing
from longtrail.checks.result_steps import ListingStep, StateStep
from longtrail.checks.route_steps import UrlStep
from longtrail.clock import NOW
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import matches
from longtrail.web.site import SourceTransform, as_shipped

if TYPE_CHECKING:
    from longtrail.records.site_reports import Listed
import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any
from urllib.parse import urljoin, urlsplit

from longtrail.authoring.validity.crawl import fetch, read

KEY_STEPS = (4, 6)
"""Minimum and maximum key steps of both parts together."""
MOVES = (4, 14)
"""Minimum and maximum moves of a part's reference."""
_AGO = ("ago", "while back", "earlier")


def second_part_is_silent(task: LongContextTask) -> Iterator[ValidityFinding]:
    """The second instruction does not say what only the first part tells."""
    for carry in task.carry:
        for way in carry.said:
            if matches(way, task.a2.instruction, NOW):
                yield ValidityFinding("a2.instruction", f"tells {carry.id}", (task.id,))


def first_part_tells(task: LongContextTask) -> Iterator[ValidityFinding]:
    """What the second part needs is in the first one's history."""
    texts = [task.a1.instruction, *(move.why for move in task.a1.reference), task.a1.reference[-1].finish or ""]
    for carry in task.carry:
        if not any(matches(way, text, NOW) for way in carry.said for text in texts):
            yield ValidityFinding("carry", f"{carry.id} is not told by the first part", (task.id,))


def found_facts_stand_in_no_instruction(task: LongContextTask) -> Iterator[ValidityFinding]:
    """Neither instruction tells what the first part must find. Only the suite `discovered` has such facts."""
    found = [fact for fact in task.carry if fact.found]
    if bool(found) != (task.suite == "discovered"):
        yield ValidityFinding("carry", "expected `found: true` for a fact if the suite is `discovered`", (task.id,))
    for fact in found:
        if any(matches(way, task.a1.instruction, NOW) for way in fact.said):
            yield ValidityFinding("a1.instruction", f"tells {fact.id}, which the agent must find", (task.id,))


def second_part_says_that_it_continues(task: LongContextTask) -> Iterator[ValidityFinding]:
    """The second instruction begins with a reference to the first part."""
    opening = " ".join(task.a2.instruction.lower().split(".")[:2])
    if not any(word in opening for word in _AGO):
        yield ValidityFinding(
            "a2.instruction", "expected a start that refers to the first part (such as `a while ago`)", (task.id,)
        )


def key_steps_are_no_home_pages(task: LongContextTask) -> Iterator[ValidityFinding]:
    """A key step's address is not a page that every path visits."""
    for name in ("a1", "a2"):
        for number, key in enumerate(getattr(task, name).route):
            if isinstance(key, UrlStep) and "/" in key.paths:
                yield ValidityFinding(f"{name}.key_steps.{number}", "is the home page", (task.id,))


def parts_are_of_a_realistic_length(task: LongContextTask) -> Iterator[ValidityFinding]:
    """The task is neither too short nor too long."""
    count = len(task.a1.key_steps) + len(task.a2.key_steps)
    if not KEY_STEPS[0] <= count <= KEY_STEPS[1]:
        yield ValidityFinding(
            "a1.key_steps", f"expected {KEY_STEPS[0]} to {KEY_STEPS[1]} in both parts, got {count}", (task.id,)
        )
    for name in ("a1", "a2"):
        moves = len(getattr(task, name).reference)
        if not MOVES[0] <= moves <= MOVES[1]:
            yield ValidityFinding(
                f"{name}.reference", f"expected {MOVES[0]} to {MOVES[1]} moves, got {moves}", (task.id,)
            )


def reference_answers_what_is_asked(task: LongContextTask) -> Iterator[ValidityFinding]:
    """The reference's answer contains all that the instruction asks for."""
    for name in ("a1", "a2"):
        part = getattr(task, name)
        for says in missing(part.asks, part.reference[-1].finish or ""):
            yield ValidityFinding(f"{name}.reference", f"its answer does not tell: {says}", (task.id,))


LONG_CONTEXT_RULES: tuple[LongContextRule, ...] = (
    second_part_is_silent,
    first_part_tells,
    found_facts_stand_in_no_instruction,
    second_part_says_that_it_continues,
    key_steps_are_no_home_pages,
    parts_are_of_a_realistic_length,
    reference_answers_what_is_asked,
)


def listings_are_what_the_site_lists(
    task: LongContextTask, vary: SourceTransform = as_shipped
) -> Iterator[ValidityFinding]:
    """The items are those that the page at the annotated address lists, in the requested order."""
    for name, part in (("a1", task.a1), ("a2", task.a2)):
        for number, key in enumerate(part.key_steps):
            if not isinstance(key, ListingStep):
                continue
            listed = _listed(key, vary)
            if listed is None:
                yield ValidityFinding(f"{name}.key_steps.{number}", "its address shows no list", (task.id,))
            elif set(listed.items) != set(key.items):
                differing = ", ".join(sorted(set(listed.items) ^ set(key.items)))
                yield ValidityFinding(
                    f"{name}.key_steps.{number}.items", f"differ from what the site lists: {differing}", (task.id,)
                )
            elif key.order and listed.order != key.order:
                yield ValidityFinding(
                    f"{name}.key_steps.{number}.order", f"the site sorts by {listed.order!r} there", (task.id,)
                )


def states_are_of_the_second_part(
    task: LongContextTask, vary: SourceTransform = as_shipped
) -> Iterator[ValidityFinding]:
    """A state key step is in the second part, where the final state is recorded, and the site has the named items."""
    from longtrail.web.sites.consumer.sites import replica

    for number, key in enumerate(task.a1.key_steps):
        if isinstance(key, StateStep):
            yield ValidityFinding(f"a1.key_steps.{number}", "only the second part can have a state", (task.id,))
    for number, key in enumerate(task.a2.key_steps):
        if isinstance(key, StateStep):
            for item in key.holds:
                if replica(key.host, vary).item(item) is None:
                    yield ValidityFinding(f"a2.key_steps.{number}.holds", f"the site has no {item}", (task.id,))


def _listed(key: ListingStep, vary: SourceTransform) -> "Listed | None":
    """What the page at the annotated address lists; for a pattern, its words."""
    from longtrail.web.sites.consumer import listing
    from longtrail.web.sites.consumer.page import ListingPage
    from longtrail.web.sites.consumer.sites import lookup, replica
    from longtrail.web.sites.consumer.visit import Params

    way = key.route[-1]
    site = replica(key.host, vary)
    address = site.addresses.get(lookup(way.paths[-1]))
    if address is None or not isinstance(address.page, ListingPage):
        return None
    query = urlencode({name: _words(value) for name, value in way.query.items()})
    shelf = site.shelves[address.page.items.catalogue]
    return listing.Listing(address.page, shelf, address.item, Params.parse(address.path, query), NOW).listed


def _words(pattern: str) -> str:
    """What somebody would type for a pattern: `greenville sc` for `greenville*s*c*`."""
    return re.sub(r"\b(\w) (?=\w\b)", r"\1", pattern.replace("*", " ").strip())


RESULTS = 10
"""Number of results that are examined: the first page."""
OPENED = 5
"""Number of results that are opened."""
FOLLOWED = 4
"""Number of links that are followed from each page."""
DEPTH = 2
"""Number of consecutive pages that are opened from a result."""
MANY = 5
"""If this many pages of one kind are found, they don't tell which one is wanted."""
_ANCHOR = re.compile(r"<a\b[^>]*?\bhref=\"([^\"]*)\"[^>]*>(.*?)</a>", re.S)


def second_part_cannot_be_guessed(
    task: LongContextTask, vary: SourceTransform = as_shipped
) -> Iterator[ValidityFinding]:
    """The instruction alone leads to none of the task's pages, or to many of the same kind with others before them."""
    opened = guess(task.a2.instruction, vary)
    for number, key in enumerate(task.a2.route):
        hit = next((url for url in opened if isinstance(key, UrlStep) and key.fits(url)), "")
        alike = [url for url in opened if _kind(url) == _kind(hit)]
        if hit and (len(alike) < MANY or alike[0] == hit):
            yield ValidityFinding(f"a2.key_steps.{number}", f"the instruction alone leads to {hit}", (task.id,))


def guess(instruction: str, vary: SourceTransform = as_shipped) -> tuple[str, ...]:
    """The addresses, in order, that somebody opens who knows only this text: who searches for its words, opens what is
    found, and follows the links of those sites whose names share most words with it."""
    from longtrail.web.sites.consumer.full_text import content_words
    from longtrail.web.sites.consumer.words import words
    from longtrail.web.sites.search.app import index

    wanted = content_words(words(instruction))
    results = index(vary).find(" ".join(wanted)).urls[:RESULTS]
    return tuple(dict.fromkeys([*results, *_follow(results[:OPENED], frozenset(wanted), vary)]))


def _kind(url: str) -> tuple[str, str, int]:
    """Host, first part of the path, and its depth: `/schedules/Orange/line` and `/schedules/Red/line` are alike."""
    parts = urlsplit(url)
    path = parts.path.strip("/").split("/")
    return str(parts.hostname), path[0], len(path)


def _follow(starts: Sequence[str], wanted: frozenset[str], vary: SourceTransform) -> list[str]:
    from longtrail.web.sites.consumer.words import words

    opened: list[str] = []
    level = list(starts)
    for _ in range(DEPTH):
        following: list[str] = []
        for url in level:
            shared = [(len(wanted & set(words(name))), target) for name, target in _links(url, vary)]
            best = sorted({pair for pair in shared if pair[0]}, key=lambda pair: (-pair[0], pair[1]))
            following += [target for _, target in best[:FOLLOWED]]
        opened += following
        level = list(dict.fromkeys(following))
    return opened


@cache
def _links(url: str, vary: SourceTransform) -> tuple[tuple[str, str], ...]:
    """Names and addresses of a page's links to its own site."""
    parts = urlsplit(url)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    status, _, page = asyncio.run(fetch(_app(vary), str(parts.hostname), address))
    if status != 200:
        return ()
    links = (
        (" ".join(read(name)[0]), urljoin(url, href.replace("&amp;", "&"))) for href, name in _ANCHOR.findall(page)
    )
    return tuple((name, target) for name, target in links if urlsplit(target).hostname == parts.hostname)


@cache
def _app(vary: SourceTransform) -> Any:
    from longtrail.web.sites.consumer.app import make
    from longtrail.web.world import Templates, World, in_world

    site = make(vary)
    return in_world(site.app, World("guess", Templates([site])))


RESULT_RULES: tuple[SiteRule, ...] = (listings_are_what_the_site_lists, states_are_of_the_second_part)
SITE_RULES: tuple[SiteRule, ...] = (second_part_cannot_be_guessed, *RESULT_RULES)
"""Those that also look at the embedded site."""
