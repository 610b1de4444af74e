"""Upstream: connections to real sites, and which machines they may lead to. For each connection a name is resolved
once, and only an address that has been checked is connected to; local names are refused."""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpcore

from longtrail.checks.hosts import Origin, origin_of
from longtrail.errors import UsageError

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


def mapped(name: str, address: str) -> Origin:
    """The address (`http://127.0.0.1:8000`) for a staging site's name. Raises UsageError for another machine."""
    says = f"--live-host {name}={address}"
    if "." not in name.strip(".") or "/" in name or ":" in name:
        raise UsageError(f"{says}: expected a host name with a dot, such as staging.example.com")
    try:
        own, parts = origin_of(address), urlsplit(address)
        own = own._replace(host="127.0.0.1") if own.host == "localhost" else own
        fits = ipaddress.ip_address(own.host).is_loopback and parts.port != 0
        fits = fits and parts.path in ("", "/") and not parts.query
    except ValueError:
        fits = False
    if not fits:
        raise UsageError(f"{says}: expected http://127.0.0.1:PORT or https://127.0.0.1:PORT, a site on this machine")
    return own


CONNECT_SECONDS = 8.0
"""Seconds for connecting, including TLS."""
ANSWER_SECONDS = 20.0
"""Seconds from the request to the first byte, and between two pieces of the answer."""
IDLE_SECONDS = 20.0
MAX_CONNECTIONS = 256


class CheckedBackend(httpcore.AsyncNetworkBackend):
    """Connects only to public addresses, whatever the name."""

    def __init__(self) -> None:
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Resolve, check, and connect to the first address that answers. Raises ForbiddenAddress,
        httpcore.ConnectError."""
        try:
            addresses = await public_addresses(host, port)
        except OSError as error:
            raise httpcore.ConnectError(f"the name {host} can't be resolved: {error.strerror}") from error
        last: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in addresses[:4]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                last = error
        raise last

    async def connect_unix_socket(self, *_: Any, **__: Any) -> httpcore.AsyncNetworkStream:
        """Always raises ForbiddenAddress."""
        raise ForbiddenAddress("a socket of this machine")

    async def sleep(self, seconds: float) -> None:
        """Wait before another try; never called, because there is only one try."""
        await self._inner.sleep(seconds)


def unchecked_tls() -> ssl.SSLContext:
    """TLS settings for the user's own sites: a staging site may have no valid certificate."""
    settings = ssl.create_default_context()
    settings.check_hostname, settings.verify_mode = False, ssl.CERT_NONE
    return settings


def own_pool(idle: float, retries: int = 0) -> httpcore.AsyncConnectionPool:
    """Connections to the user's own sites, each closed after `idle` seconds without a request."""
    return httpcore.AsyncConnectionPool(
        ssl_context=unchecked_tls(), max_connections=MAX_CONNECTIONS, keepalive_expiry=idle, retries=retries
    )


class Upstream:
    """Connections to public sites with valid certificates, and to the user's own sites on loopback, by name."""

    def __init__(
        self, own: Mapping[str, Origin], patience: float = ANSWER_SECONDS, way: CheckedBackend | None = None
    ) -> None:
        """`way`: the network backend that connects to public sites."""
        self._own = own
        self._timeout = {
            "connect": min(CONNECT_SECONDS, patience),
            **dict.fromkeys(("read", "write", "pool"), patience),
        }
        self._public = httpcore.AsyncConnectionPool(
            ssl_context=ssl.create_default_context(),
            network_backend=way or CheckedBackend(),
            max_connections=MAX_CONNECTIONS,
            keepalive_expiry=IDLE_SECONDS,
        )
        self._loopback = own_pool(IDLE_SECONDS)

    async def close(self) -> None:
        """Close every connection."""
        await self._public.aclose()
        await self._loopback.aclose()

    def stream(self, method: str, host: str, target: bytes, headers: list[tuple[bytes, bytes]], body: bytes) -> Any:
        """A context manager with the answer as a stream. Raises ForbiddenAddress and httpcore's errors on entry."""
        extensions: dict[str, Any] = {"timeout": self._timeout}
        own_site = self._own.get(host)
        scheme, where, port = own_site or Origin("https", host, 443)
        if own_site and scheme == "https":
            extensions["sni_hostname"] = host
        url = httpcore.URL(scheme=scheme.encode(), host=where.encode(), port=port, target=target)
        pool = self._loopback if own_site else self._public
        return pool.stream(method, url, headers=headers, content=body, extensions=extensions)
