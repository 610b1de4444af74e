"""Addresses: options of the form `NAME=ADDRESS`, and addresses in recorded options."""

from collections.abc import Mapping
from typing import Any

from longtrail.checks.origin import origin_of
from longtrail.errors import UsageError

ADDRESSES = frozenset({"api_base", "base_url"})
"""Arguments of model calls that give the server's address, not its behaviour."""


def without_addresses(option: str, value: Any) -> Any:
    """The value of a recorded option without addresses. They say where something runs, which differs between machines,
    and not what is measured."""
    if not isinstance(value, Mapping):
        return value
    if option in ("sites", "live_hosts"):
        return sorted(value)
    if option in ("model_args", "judge_args"):
        return {name: each for name, each in value.items() if name not in ADDRESSES}
    return value


def pairs(option: str, given: list[str]) -> dict[str, str]:
    """`KEY=VALUE` options as a dictionary. Raises UsageError for any other form."""
    for pair in given:
        if not pair.partition("=")[0] or "=" not in pair:
            raise UsageError(f"{option}: expected KEY=VALUE, got {pair!r}")
    return {key: value for key, _, value in (pair.partition("=") for pair in given)}


def own_sites(given: Any) -> dict[str, str]:
    """Addresses by name. Raises UsageError for an invalid address."""
    sites = pairs("--site", given.site)
    for name, address in sites.items():
        try:
            origin_of(address)
        except ValueError as error:
            raise UsageError(f"--site {name}: {error}") from error
    return {name: address.rstrip("/") for name, address in sites.items()}


def live_hosts(given: Any) -> dict[str, str]:
    """The user's staging sites. Raises UsageError for options that don't fit the chosen web (live or embedded)."""
    hosts = pairs("--live-host", given.live_host)
    if given.web != "live":
        for option, value in (("--live-host", hosts), ("--live-commits", given.live_commits != "hold")):
            if value:
                raise UsageError(f"{option}: needs --web live")
        return hosts
    if given.disruptions is not None:
        raise UsageError("--disruptions: disruptions work only with the embedded web")
    from longtrail.web.live.upstream import mapped

    for name, address in hosts.items():
        mapped(name, address)
    return hosts
