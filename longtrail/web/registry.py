"""Registry: the embedded sites by name. `make(...)` of a site's module returns its `Site`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.trajectory import Suite
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web.site import Site, SourceTransform, as_shipped

SITE_MODULES: Mapping[str, str] = {
    "shopadmin": "longtrail.web.sites.shopadmin.back_office",
    "forum": "longtrail.web.sites.forum.forum_site",
    "consumer": "longtrail.web.sites.consumer.app",
    "search": "longtrail.web.sites.search.app",
}
"""Site -> its module, which is imported when a run needs it."""
STORIES: Mapping[str, tuple[Suite, Suite]] = {
    "shopadmin": ("shopping_admin", "hard_shop"),
    "forum": ("reddit", "hard_forum"),
}
"""The sites whose worlds contain the stories of tasks -> the tasks' suite, and that of the hard tier."""


def all_sites(
    disruption_seed: int | None = None,
    own: Iterable[Task] = (),
    shipped: Iterable[Task] = (),
    vary: SourceTransform = as_shipped,
) -> tuple[Site, ...]:
    """All embedded sites, imported when called. With a seed, the consumer sites have disruptions. `own`: the user's
    own tasks, whose stories are added to the worlds. `shipped`, `vary`: a variant's tasks instead of the shipped ones,
    and how it changes what the sites are built from."""
    own_tasks, shipped_tasks = ([task for task in tasks if isinstance(task, DecisionTask)] for tasks in (own, shipped))
    sites = [_make(name, own_tasks, shipped_tasks, vary) for name in SITE_MODULES]
    if disruption_seed is not None:
        from longtrail.web.disrupted_site import DisruptedSite

        sites = [DisruptedSite(site, disruption_seed) if site.name == "consumer" else site for site in sites]
    by_host(sites)
    return tuple(sites)


@cache
def _shipped(name: str) -> Site:
    """A site as it ships: one in a process, because its initial states are kept."""
    site: Site = import_module(SITE_MODULES[name]).make()
    return site


def _make(name: str, own: Sequence[DecisionTask], shipped: Sequence[DecisionTask], vary: SourceTransform) -> Site:
    if vary is as_shipped and not (own or shipped):
        return _shipped(name)
    module = import_module(SITE_MODULES[name])
    if name not in STORIES:
        made: Site = module.make(vary)
        return made
    own, shipped = ([task for task in tasks if task.base_suite == STORIES[name][0]] for tasks in (own, shipped))
    if own and not shipped:
        suites = (load_tasks(TASKS / suite).values() for suite in STORIES[name])
        shipped = [task for tasks in suites for task in tasks if isinstance(task, DecisionTask)]
    site: Site = module.make((*shipped, *own) if shipped else None, vary)
    return site


def by_host(sites: Sequence[Site]) -> Mapping[str, Site]:
    """Host -> its site. Raises DataError if two sites have the same host or name."""
    sites_by_host: dict[str, Site] = {}
    names: set[str] = set()
    for site in sites:
        if site.name in names:
            raise DataError(site.name, "name", "is used by another site")
        names.add(site.name)
        for host in site.hosts:
            if host != host.lower().strip(".") or ":" in host:
                raise DataError(site.name, "hosts", f"expected a host in lower case without port, got {host!r}")
            if host in sites_by_host:
                raise DataError(site.name, "hosts", f"{host} is served by {sites_by_host[host].name} already")
            sites_by_host[host] = site
    return sites_by_host
