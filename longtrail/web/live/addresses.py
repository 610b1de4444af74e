"""Addresses: which machines the live web may connect to. Local names are refused; of public
names, every address is checked."""

import asyncio
import ipaddress
import socket

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
METADATA = frozenset(
    map(
        ipaddress.ip_address,
        ("169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"),
    )
)
"""Addresses of cloud metadata services; one of them (168.63.129.16) looks like a public address."""
NAT64 = ipaddress.ip_network("64:ff9b::/96")
LOCAL_NAMES = ("localhost", "local", "internal", "localdomain", "home.arpa", "onion", "invalid")


class ForbiddenAddress(Exception):
    """A machine that must not be connected to."""


def forbidden(address: Address) -> str:
    """Why this address must not be connected to; empty if it is a public one."""
    if address in METADATA:
        return "metadata address"
    inner = _inner(address)
    if inner is not None:
        return forbidden(inner)
    if address.is_loopback or address.is_unspecified:
        return "loopback address"
    if address.is_link_local:
        return "link-local address"
    if address.is_multicast or address.is_reserved:
        return "reserved address"
    return "" if address.is_global else "private address"


def _inner(address: Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that an IPv6 one leads to."""
    if not isinstance(address, ipaddress.IPv6Address):
        return None
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


def local_name(host: str) -> bool:
    """Whether a name is not public: a single label, a number, or a name for local networks or clouds."""
    bare = host.rstrip(".").lower()
    labels = bare.split(".")
    if len(labels) < 2 or not all(labels) or ":" in bare or "[" in bare or labels[-1].isdigit():
        return True
    return labels[-1].startswith("0x") or any(bare == name or bare.endswith(f".{name}") for name in LOCAL_NAMES)


async def public_addresses(host: str, port: int) -> list[str]:
    """Every address of a name; the name is not resolved again before connecting. Raises ForbiddenAddress if any of
    them is not public, OSError if there is none."""
    resolved = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(each[4][0]).partition("%")[0] for each in resolved))
    for address in addresses:
        if why := forbidden(ipaddress.ip_address(address)):
            raise ForbiddenAddress(f"{why} behind a public name")
    return addresses
