"""URL policy: which addresses may be opened. The browser itself parses them, so that the checked address is the one
that is opened."""

import ipaddress
from collections.abc import Iterable

from longtrail.records.record import Record

DEFAULT_PORTS = {"http:": "80", "https:": "443"}


class ParsedUrl(Record):
    """An address, parsed by the browser's URL parser (WHATWG)."""

    href: str
    """The canonical address; only this one is opened."""
    protocol: str
    """With its colon: `https:`."""
    hostname: str = ""
    """Lower case, punycode; numbers in any notation are already IP addresses."""
    port: str = ""
    """Empty for the scheme's default."""
    userinfo: bool = False


class UrlPolicy:
    """The hosts that exist for an agent.

    `hosts` holds names (any of the two default ports) or `name:port`; None stands for every public name (the real web).
    """

    def __init__(self, hosts: Iterable[str] | None = None) -> None:
        self.hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    def refusal(self, address: ParsedUrl) -> str:
        """Why this address must not be opened, in one line; empty if it may."""
        if address.protocol not in DEFAULT_PORTS:
            return f"only http and https addresses can be opened, not {address.protocol}"
        if address.userinfo:
            return "an address with a user name or password can't be opened"
        if self.hosts is not None:
            return "" if self._served(address, self.hosts) else f"no site answers at {_authority(address)}"
        if not _public(address.hostname):
            return f"{address.hostname} is not a public host"
        return "" if not address.port else f"no site answers at {_authority(address)}"

    def _served(self, address: ParsedUrl, hosts: frozenset[str]) -> bool:
        host = address.hostname.removesuffix(".")
        if address.port:
            return f"{host}:{address.port}" in hosts
        return host in hosts or f"{host}:{DEFAULT_PORTS[address.protocol]}" in hosts


def _authority(address: ParsedUrl) -> str:
    return f"{address.hostname}:{address.port}" if address.port else address.hostname


def _public(host: str) -> bool:
    bare = host.removeprefix("[").removesuffix("]").removesuffix(".")
    try:
        ipaddress.ip_address(bare)
    except ValueError:
        return "." in bare and not bare.endswith((".localhost", ".local", ".internal", ".home.arpa"))
    return False
