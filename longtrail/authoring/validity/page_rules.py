"""Rules on the world with the tasks in it: facts are on exactly their pages, other pages with a fact's values show it,
too, or the task says why not, and no page names a case."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from longtrail.authoring.validity import ValidityFinding
from longtrail.authoring.validity.crawl import SEARCH, Crawl, CrawledPage, read
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.tasks.task import DecisionTask
from longtrail.text.folding import fold
from longtrail.text.matcher import Alternative, Atoms, find, matches, may_match

STRONG = ("money", "percent", "date", "id")
"""Kinds of values that tell something alone; a bare number or one name is on many pages."""
KINDS = (*STRONG, "number", "duration")
_NAME = re.compile(r"(?<![\w'])[A-Z]\w+(?: [A-Z]\w+)*")
_FIGURE = re.compile(r"\d[\d,.:]*\d|\d+")
_USER = re.compile(r"forum:user/([^/]+)")
_HOLD = 'id="order-view-hold-button"'


def values_elsewhere_are_explained(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """Each page of the case with a required fact's values is one of the fact's pages, or the task says why it is not
    enough. Pages without the values need no explanation."""
    pages = pages_of_case(task, crawl)
    for number, fact in enumerate(task.facts):
        if fact.anywhere or fact.pictured:
            continue
        other_pages = others_that_hold(fact, pages)
        field = f"facts.{number} ({fact.id}).elsewhere"
        if not fact.supporting and (
            unexplained := sorted(
                key for key in other_pages if not any(fnmatchcase(key, pattern) for pattern in fact.elsewhere)
            )
        ):
            message = (
                f"its values are also on {', '.join(unexplained[:6])}: accept them, or say why they are not enough"
            )
            yield ValidityFinding(field, message, (task.id,))
        for pattern in fact.elsewhere:
            if not any(fnmatchcase(key, pattern) for key in other_pages):
                yield ValidityFinding(field, f"its values are on no page {pattern}", (task.id,))


def ignored_in_variants(finding: ValidityFinding) -> bool:
    """Whether a finding matters for the shipped data alone: in a variant, other pages share a value by chance, and
    nobody can explain that beforehand."""
    return finding.field.endswith(".elsewhere")


def pages_of_case(task: DecisionTask, crawl: Crawl) -> list[CrawledPage]:
    """The pages that name a person or an order of the case."""
    story = task.story
    names = [customer["name"] for customer in story.get("customers", ())]
    names += [f"{order['id']:09d}" for order in story.get("orders", ())]
    names += [user["name"] for user in story.get("users", ())]
    names += [submission["by"] for submission in story.get("submissions", ())]
    names += [match[1] for fact in task.facts for page in fact.pages if (match := _USER.match(page))]
    folded = {fold(name) for name in names}
    return [page for page in crawl.pages if any(name in page.folded for name in folded)]


def others_that_hold(fact: Fact, pages: Sequence[CrawledPage]) -> set[str]:
    """The keys of the pages, other than the fact's own, that contain all values of one of its alternatives."""
    accepted = {key.casefold() for key in fact.pages}
    ways = [parts for way in fact.shown if is_specific(parts := specific_parts(way))]
    return {
        page.key
        for page in pages
        if page.key.casefold() not in accepted and any(all(_holds(page, part) for part in parts) for parts in ways)
    }


def specific_parts(way: Alternative) -> list[Atoms]:
    """The parts of one alternative of a fact other than ordinary words: values, names, and figures in its phrases."""
    atoms = Atoms(words=(way,)) if isinstance(way, str) else way
    parts = [Atoms.model_validate({kind: (value,)}) for kind in KINDS for value in getattr(atoms, kind)]
    for phrase in atoms.words:
        sentence = len(phrase.split()) > 3
        names = [name for name in _NAME.findall(phrase) if not (sentence and phrase.startswith(name))]
        parts += [Atoms(words=(part,)) for part in (*names, *_FIGURE.findall(phrase))]
    return parts


def is_specific(parts: Sequence[Atoms]) -> bool:
    """Whether the values are numerous or specific enough that a page with them may show the fact."""
    return len(parts) > 1 or any(getattr(part, kind) for part in parts for kind in STRONG)


def _holds(page: CrawledPage, value: Atoms) -> bool:
    return may_match(value, page.folded) and any(matches(value, line, NOW) for line in page.lines)


_UNLINKED = re.compile(r"/mod_delete$|^forum:ban/")
"""Forms that agents may open: they exist, but the crawl skips them."""
_LABELS = ("false_alarm", "ground_truth", "very_hard", "looks_bad", "looks_good", "no_explicit_note")


def facts_stand_on_their_pages(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """Each fact is on every page that the task names for it, and on no other page of the case. The same words about
    another order are not a fact of this case. No text states a fact of a picture."""
    case_pages = {page.key for page in pages_of_case(task, crawl)}
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


def orders_are_held(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """An escalation puts the order on hold if its page offers that (the Handbook's 2.3)."""
    if task.base_suite != "shopping_admin" or task.truth.optimal != "ESCALATE":
        return
    changes = [(check.table, check.match) for check in task.end_state]
    held = [match["entity_id"] for table, match in changes if (table, match.get("status")) == ("sales_order", "holded")]
    for order in sorted({match["parent_id"] for table, match in changes if table == "sales_order_status_history"}):
        page = crawl.raw.get(f"/admin/sales/order/view/order_id/{order}/", "")
        if _HOLD in page and order not in held:
            yield ValidityFinding("end_state", f"order {order} can be held; expected that it is", (task.id,))


PAGE_RULES = (
    facts_stand_on_their_pages,
    start_shows_nothing,
    named_pages_exist,
    orders_are_held,
    values_elsewhere_are_explained,
)
"""Rules on one case and the pages of its world."""
SUITE_RULES = (nothing_served_names_a_case,)
"""Rules on all cases of a suite together and the pages of their world."""
