"""All pages of the two worlds of decision tasks, with the stories of given tasks in them."""

import re
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import quote_plus

from longtrail.authoring.validity.crawl import Crawl, CrawlScope, crawl
from longtrail.clock import NOW as CLOCK
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web.site import Site, SourceTransform, as_shipped
from longtrail.web.sites.forum import forum_site as forum
from longtrail.web.sites.shopadmin import back_office as shopadmin
from longtrail.web.world import World

SEARCH = "forum:search/"
"""The beginning of the keys of searches for a submission's links."""
_COUNT_ANEW = "UPDATE report_statistics SET updated_at = ?"
"""What refreshes the statistics of the shop's reports."""
_FORMS = re.compile(
    r"/(mod_delete|flair|delete|delete_thread|edit|submit|ban|unban|_edit|comment|comment_form|compose_message"
    r"|add_moderator|edit_biography|create_forum|_create)/"
)
_REORDERED = re.compile(r"/(active|top|controversial|most_commented|hot|nested|linear)\b|\?t=|/forums/by_")
_FURTHER_PAGE = re.compile(r"paging%5Bcurrent%5D=(\d+)")
_USUAL_ORDER = re.compile(r"sorting%5Bfield%5D=(created_at|entity_id|review_id|page_id|time)&")
_SKIPPED = re.compile(r"/order_creditmemo/start/|/logging/event/view/")
"""Forms, and entries that their grid shows whole."""
_NUMBERED = ("sales/order", "sales/invoice", "sales/shipment", "sales/creditmemo")
_GRIDS = (*_NUMBERED, "customer/index", "review/product")


def _form_or_reordered(link: str) -> bool:
    return bool(_FORMS.search(f"{link}/") or _REORDERED.search(link))


def _outside_or_reordered(link: str) -> bool:
    """A sorted listing repeats its content: only its further pages are followed."""
    page = _FURTHER_PAGE.search(link)
    again = page is not None and (page[1] == "1" or not _USUAL_ORDER.search(link))
    return again or not link.startswith("/admin/") or bool(_SKIPPED.search(link))


SCOPES = {
    "shopping_admin": CrawlScope(("/admin/admin/dashboard/",), _outside_or_reordered),
    "reddit": CrawlScope(("/", "/all/new", "/forums/by_name", "/wiki/_all", "/trash", "/messages"), _form_or_reordered),
}
SITES: dict[str, Callable[[Iterable[Task], SourceTransform], Site]] = {
    "shopping_admin": shopadmin.make,
    "reddit": forum.make,
}


def explore(
    tasks: Mapping[str, DecisionTask], wanted: Mapping[str, DecisionTask], vary: SourceTransform = as_shipped
) -> Crawl:
    """Every page of a suite's world with these tasks in it, and what searches for the wanted ones' data find. Searches
    repeat what other pages say, so those for other tasks are left out. Raises DataError if a story doesn't fit.

    In the hard tier's worlds, everybody has answered and the reports' statistics are refreshed: so pages show all that
    an agent can bring about. Documents of appeals are not there yet.
    """
    some = next(iter(tasks.values()))
    site = SITES[some.base_suite](tasks.values(), vary)

    def prepared(world: World) -> None:
        if some.hard:
            world.edition = "hard"
            world.add(row for task in tasks.values() for reply in task.events.replies for row in reply.adds)
            if some.base_suite == "shopping_admin":
                world.db(site.name).execute(_COUNT_ANEW, (f"{CLOCK:%Y-%m-%d %H:%M:%S}",))

    return crawl(site, SCOPES[some.base_suite], _SEARCHES[some.base_suite](wanted.values()), prepared)


def _shop_searches(tasks: Iterable[DecisionTask]) -> list[str]:
    """The listings that a search for a case's data shows: names, e-mail addresses, telephone numbers, ZIP codes, order
    numbers."""
    addresses = []
    for task in tasks:
        customers = task.story.get("customers", ())
        orders = [f"{order['id']:09d}" for order in task.story.get("orders", ())]
        searches = {grid: [customer["name"] for customer in customers] for grid in _GRIDS}
        for customer in customers:
            address = customer.get("address", {})
            values = (customer.get("email"), address.get("phone"), address.get("zip"))
            searches["customer/index"] += [str(value) for value in values if value]
        for grid in _NUMBERED:
            searches[grid] += orders
        addresses += [f"/admin/{address}" for address in task.story.get("reports", ())]
        addresses += [f"/admin/{grid}/?search={quote_plus(text)}" for grid, texts in searches.items() for text in texts]
    return addresses


def _forum_searches(tasks: Iterable[DecisionTask]) -> list[str]:
    """What the forum's search finds for the members of a case and for the submissions whose links a case looks for, and
    the filtered lists that a case names."""
    all_tasks = list(tasks)
    searches = [user["name"] for task in all_tasks for user in task.story.get("users", ())]
    pages = [page for task in all_tasks for fact in task.facts for page in fact.pages]
    searches += [page.removeprefix(SEARCH) for page in pages if page.startswith(SEARCH)]
    addresses = [f"/search?q={quote_plus(text)}" for text in searches]
    return addresses + [address for task in all_tasks for address in task.story.get("lists", ())]


_SEARCHES: dict[str, Callable[[Iterable[DecisionTask]], list[str]]] = {
    "shopping_admin": _shop_searches,
    "reddit": _forum_searches,
}
