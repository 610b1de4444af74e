"""Rules on the world with the tasks in it: facts are on exactly their pages, and no page names a case."""

import re
from collections.abc import Iterator, Mapping

from longtrail.authoring.validity.crawl import Crawl, read
from longtrail.authoring.validity.elsewhere import own_pages, values_elsewhere_are_explained
from longtrail.authoring.validity.finding import ValidityFinding
from longtrail.authoring.validity.world_pages import SEARCH
from longtrail.clock import NOW
from longtrail.tasks.task import DecisionTask
from longtrail.text.matcher import find
from workshop.validity.execution_rules import orders_are_held

_UNLINKED = re.compile(r"/mod_delete$|^forum:ban/")
"""Forms that agents may open: they exist, but the crawl skips them."""
_LABELS = ("false_alarm", "ground_truth", "very_hard", "looks_bad", "looks_good", "no_explicit_note")


def facts_stand_on_their_pages(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """Each fact is on every page that the task names for it, and on no other page of the case. The same words about
    another order are not a fact of this case. No text states a fact of a picture."""
    case_pages = {page.key for page in own_pages(task, crawl)}
    for number, fact in enumerate(task.facts):
        if fact.anywhere:
            continue
        pages = set().union(*(crawl.pages_that_say(way) for way in fact.shown))
        if all(page.startswith(SEARCH) for page in fact.pages):  # the result of another search is another fact
            pages &= set(fact.pages)
        field = f"facts.{number} ({fact.id})"
        expected = set() if fact.pictured else set(fact.pages)
        if strange := sorted((pages - expected) & case_pages):
            yield ValidityFinding(f"{field}.pages", f"it is also on {', '.join(strange[:5])}", (task.id,))
        if missing := sorted(expected - pages):
            yield ValidityFinding(f"{field}.shown", f"it is not on {', '.join(missing[:5])}", (task.id,))


def start_shows_nothing(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """A case's start page is linked and shows no required fact."""
    page = crawl.raw.get("/" + task.start.split("/", 3)[3])
    if page is None:
        yield ValidityFinding("start", "no link leads to it", (task.id,))
        return
    lines, _ = read(page)
    for fact in task.required:
        if any(find(fact.shown, line, NOW) for line in lines):
            yield ValidityFinding("start", f"shows the fact {fact.id}", (task.id,))


def named_pages_exist(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """Links lead to every page that a task names."""
    named = {*task.critical_pages, *task.relevant_pages, *(page for d in task.distractors for page in d.pages)}
    for page in sorted(named - crawl.keys):
        if not _UNLINKED.search(page):
            yield ValidityFinding("relevant_pages", f"no link leads to {page}", (task.id,))


def nothing_served_names_a_case(tasks: Mapping[str, DecisionTask], crawl: Crawl) -> Iterator[ValidityFinding]:
    """No page contains ids, categories or labels as words, not even in its source. One finding for each of them."""
    texts = {address: text.lower() for address, text in crawl.raw.items()}
    owners: dict[str, tuple[str, ...]] = dict.fromkeys(_LABELS, ())
    owners |= {task.category: (name,) for name, task in tasks.items()}
    owners |= {name.lower(): (name,) for name in tasks}
    for label, owner in sorted(owners.items()):
        word = re.compile(rf"(?<![a-z0-9]){re.escape(label)}(?![a-z0-9])")
        addresses = [address for address, text in texts.items() if label in text and word.search(text)]
        if addresses:
            more = f" and {len(addresses) - 1} more pages" if len(addresses) > 1 else ""
            yield ValidityFinding("id", f"{addresses[0]}{more} contain{'' if more else 's'} {label!r}", owner)


PAGE_RULES = (
    facts_stand_on_their_pages,
    start_shows_nothing,
    named_pages_exist,
    orders_are_held,
    values_elsewhere_are_explained,
)
