"""Elsewhere: other pages that contain a fact's values. They show the fact, too, or the task says why not."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from longtrail.authoring.validity.crawl import Crawl, CrawledPage
from longtrail.authoring.validity.finding import ValidityFinding
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.tasks.task import DecisionTask
from longtrail.text.folding import fold
from longtrail.text.matcher import Alternative, Atoms, matches, may_match

STRONG = ("money", "percent", "date", "id")
"""Kinds of values that tell something alone; a bare number or one name is on many pages."""
KINDS = (*STRONG, "number", "duration")
_NAME = re.compile(r"(?<![\w'])[A-Z]\w+(?: [A-Z]\w+)*")
_FIGURE = re.compile(r"\d[\d,.:]*\d|\d+")
_USER = re.compile(r"forum:user/([^/]+)")


def values_elsewhere_are_explained(task: DecisionTask, crawl: Crawl) -> Iterator[ValidityFinding]:
    """Each page of the case with a required fact's values is one of the fact's pages, or the task says why it is not
    enough. Pages without the values need no explanation."""
    pages = own_pages(task, crawl)
    for number, fact in enumerate(task.facts):
        if fact.anywhere or fact.pictured:
            continue
        other_pages = others_that_hold(fact, pages)
        field = f"facts.{number} ({fact.id}).elsewhere"
        if not fact.supporting and (
            open_ := sorted(
                key for key in other_pages if not any(fnmatchcase(key, pattern) for pattern in fact.elsewhere)
            )
        ):
            message = f"its values are also on {', '.join(open_[:6])}: accept them, or say why they are not enough"
            yield ValidityFinding(field, message, (task.id,))
        for pattern in fact.elsewhere:
            if not any(fnmatchcase(key, pattern) for key in other_pages):
                yield ValidityFinding(field, f"its values are on no page {pattern}", (task.id,))


def only_shipped(finding: ValidityFinding) -> bool:
    """Whether a finding matters for the shipped data alone: in a variant, other pages share a value by chance, and
    nobody can explain that beforehand."""
    return finding.field.endswith(".elsewhere")


def own_pages(task: DecisionTask, crawl: Crawl) -> list[CrawledPage]:
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
