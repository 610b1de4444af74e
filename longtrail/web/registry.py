"""Registry: the embedded sites by name. Each is a package in `sites/` whose `site.make(...)` returns its `Site`."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.trajectory import Suite
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task
from longtrail.web.site import Site
from longtrail.web.sources import Vary, as_shipped

SITES = ("shopadmin", "forum", "consumer", "search")


STORIES: Mapping[str, Suite] = {"shopadmin": "shopping_admin", "forum": "reddit"}
"""The sites whose worlds contain the stories of a suite's tasks."""


def all_sites(
    weather: int | None = None, own: Iterable[Task] = (), shipped: Iterable[Task] = (), vary: Vary = as_shipped
) -> tuple[Site, ...]:
    """All embedded sites, imported when called. With a seed, the consumer sites have disruptions. `own`: the user's
    own tasks, whose stories are added to the worlds. `shipped`, `vary`: a variant's tasks instead of the shipped ones,
    and how it changes what the sites are built from."""
    sites = [_made(name, list(own), list(shipped), vary) for name in SITES]
    if weather is not None:
        from longtrail.web.disruptions.disrupted_site import DisruptedSite

        sites = [DisruptedSite(site, weather) if site.name == "consumer" else site for site in sites]
    by_host(sites)
    return tuple(sites)


def _made(name: str, own: Sequence[Task], shipped: Sequence[Task], vary: Vary) -> Site:
    module = import_module(f"longtrail.web.sites.{name}.site")
    site: Site
    if name not in STORIES:
        site = module.make(vary)
        return site
    mine = [task for task in own if task.suite == STORIES[name]]
    told = [task for task in shipped if task.suite == STORIES[name]]
    if mine and not told:
        told = [*load_tasks(TASKS / STORIES[name]).values()]
    site = module.make((*told, *mine) if told else None, vary)
    return site


def by_host(sites: Sequence[Site]) -> Mapping[str, Site]:
    """Host -> its site. Raises DataError if two sites have the same host or name."""
    found: dict[str, Site] = {}
    names: set[str] = set()
    for site in sites:
        if site.name in names:
            raise DataError(site.name, "name", "is used by another site")
        names.add(site.name)
        for host in site.hosts:
            if host != host.lower().strip(".") or ":" in host:
                raise DataError(site.name, "hosts", f"expected a host in lower case without port, got {host!r}")
            if host in found:
                raise DataError(site.name, "hosts", f"{host} is served by {found[host].name} already")
            found[host] = site
    return found
