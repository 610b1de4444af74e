"""Registry: the embedded sites by name. Each is a package in `sites/` whose `site.make(...)` returns its `Site`."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.trajectory import Suite
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web.site import Site
from longtrail.web.sources import Vary, as_shipped

SITES = ("shopadmin", "forum", "consumer", "search")


STORIES: Mapping[str, Suite] = {"shopadmin": "shopping_admin", "forum": "reddit"}
"""The sites whose worlds contain the stories of a suite's tasks."""
HARD_STORIES: Mapping[str, Suite] = {"shopadmin": "hard_shop", "forum": "hard_forum"}
"""The same for their other initial state, in which the tasks of the hard tier are played."""


def all_sites(
    weather: int | None = None, own: Iterable[Task] = (), shipped: Iterable[Task] = (), vary: Vary = as_shipped
) -> tuple[Site, ...]:
    """All embedded sites, imported when called. With a seed, the consumer sites have disruptions. `own`: the user's
    own tasks, whose stories are added to the worlds. `shipped`, `vary`: a variant's tasks instead of the shipped ones,
    and how it changes what the sites are built from."""
    mine, told = ([task for task in tasks if isinstance(task, DecisionTask)] for tasks in (own, shipped))
    sites = [_made(name, mine, told, vary) for name in SITES]
    if weather is not None:
        from longtrail.web.disruptions.disrupted_site import DisruptedSite

        sites = [DisruptedSite(site, weather) if site.name == "consumer" else site for site in sites]
    by_host(sites)
    return tuple(sites)


def _made(name: str, own: Sequence[DecisionTask], shipped: Sequence[DecisionTask], vary: Vary) -> Site:
    module = import_module(f"longtrail.web.sites.{name}.site")
    if name not in STORIES:
        made: Site = module.make(vary)
        return made
    mine, told = ([task for task in tasks if task.ground == STORIES[name]] for tasks in (own, shipped))
    if mine and not told:
        known = (load_tasks(TASKS / suite[name]).values() for suite in (STORIES, HARD_STORIES))
        told = [task for tasks in known for task in tasks if isinstance(task, DecisionTask)]
    site: Site = module.make((*told, *mine) if told else None, vary)
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
