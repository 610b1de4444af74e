"""Rules on key steps that name a result: the embedded site can produce it."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from longtrail.authoring.validity.finding import SiteRule, ValidityFinding
from longtrail.checks.result_steps import ListingStep, StateStep
from longtrail.clock import NOW
from longtrail.tasks.task import LongContextTask
from longtrail.web.site import SourceTransform, as_shipped

if TYPE_CHECKING:
    from longtrail.records.site_reports import Listed


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
    from longtrail.web.sites.consumer.params import Params
    from longtrail.web.sites.consumer.replica import lookup
    from longtrail.web.sites.consumer.sites import replica

    way = key.route[-1]
    site = replica(key.host, vary)
    address = site.addresses.get(lookup(way.paths[-1]))
    if address is None or not isinstance(address.page, ListingPage):
        return None
    query = urlencode({name: _words(value) for name, value in way.query.items()})
    shelf = site.shelves[address.page.items.catalogue]
    return listing.view(address.page, shelf, address.item, Params.parse(address.path, query), NOW).listed


def _words(pattern: str) -> str:
    """What somebody would type for a pattern: `greenville sc` for `greenville*s*c*`."""
    return re.sub(r"\b(\w) (?=\w\b)", r"\1", pattern.replace("*", " ").strip())


RESULT_RULES: dict[str, SiteRule] = {
    rule.__name__: rule for rule in (listings_are_what_the_site_lists, states_are_of_the_second_part)
}
