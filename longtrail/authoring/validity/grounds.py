"""Grounds: the two worlds of decision tasks as they are crawled, with the stories of given tasks in them."""

import re
from collections.abc import Callable, Iterable, Mapping

from longtrail.authoring.validity.crawl import Crawl, CrawlScope, crawl
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web.site import Site
from longtrail.web.sites.forum import site as forum
from longtrail.web.sites.shopadmin import site as shopadmin

_FORMS = re.compile(
    r"/(mod_delete|flair|delete|delete_thread|edit|submit|ban|unban|_edit|comment|comment_form|compose_message"
    r"|add_moderator|edit_biography|create_forum|_create)/"
)
_REORDERED = re.compile(r"/(active|top|controversial|most_commented|hot|nested|linear)\b|\?t=|/forums/by_")
_FURTHER_PAGE = re.compile(r"paging%5Bcurrent%5D=(\d+)")
_USUAL_ORDER = re.compile(r"sorting%5Bfield%5D=(created_at|entity_id|review_id|page_id)&")
_GRIDS = ("sales/order", "sales/invoice", "sales/shipment", "sales/creditmemo", "customer/index", "review/product")


def _form_or_reordered(link: str) -> bool:
    return bool(_FORMS.search(f"{link}/") or _REORDERED.search(link))


def _outside_or_reordered(link: str) -> bool:
    """Listings sorted anew show what they showed: only their further pages are followed."""
    page = _FURTHER_PAGE.search(link)
    again = page is not None and (page[1] == "1" or not _USUAL_ORDER.search(link))
    return again or not link.startswith("/admin/") or "/order_creditmemo/start/" in link


GROUNDS = {
    "shopping_admin": CrawlScope(("/admin/admin/dashboard/",), _outside_or_reordered),
    "reddit": CrawlScope(("/", "/all/new", "/forums/by_name", "/wiki/_all", "/trash", "/messages"), _form_or_reordered),
}
SITES: dict[str, Callable[[Iterable[Task]], Site]] = {"shopping_admin": shopadmin.make, "reddit": forum.make}


def explore(suite: str, tasks: Mapping[str, DecisionTask]) -> Crawl:
    """Every page of a suite's world with these tasks in it. Raises DataError where their stories don't fit."""
    site = SITES[suite](tasks.values())
    return crawl(site, GROUNDS[suite], _searches(tasks.values()) if suite == "shopping_admin" else ())


def _searches(tasks: Iterable[DecisionTask]) -> list[str]:
    """What a search for each case's people lists."""
    names = [customer["name"] for task in tasks for customer in task.story.get("customers", ())]
    return [f"/admin/{grid}/?search={name}" for name in names for grid in _GRIDS]
