"""Registry: the embedded sites by name. Each is a package in `sites/` whose `site.make()` returns its `Site`."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from longtrail.errors import DataError
from longtrail.web.site import Site

SITES = ("shopadmin", "forum", "consumer", "search")


def all_sites(weather: int | None = None) -> tuple[Site, ...]:
    """Every embedded site, imported now and not before. With a seed the consumer web has weather."""
    sites: list[Site] = [import_module(f"longtrail.web.sites.{name}.site").make() for name in SITES]
    if weather is not None:
        from longtrail.web.disruptions.disrupted_site import DisruptedSite

        sites = [DisruptedSite(site, weather) if site.name == "consumer" else site for site in sites]
    by_host(sites)
    return tuple(sites)


def by_host(sites: Sequence[Site]) -> Mapping[str, Site]:
    """Which site serves which host. Raises DataError where two claim the same host or name."""
    found: dict[str, Site] = {}
    names: set[str] = set()
    for site in sites:
        if site.name in names:
            raise DataError(site.name, "name", "is taken by another site")
        names.add(site.name)
        for host in site.hosts:
            if host != host.lower().strip(".") or ":" in host:
                raise DataError(site.name, "hosts", f"expected a host in lower case without port, got {host!r}")
            if host in found:
                raise DataError(site.name, "hosts", f"{host} is served by {found[host].name} already")
            found[host] = site
    return found
