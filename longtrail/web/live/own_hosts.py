"""Own hosts: names that lead only to the user's staging sites on this machine (`--live-host NAME=ADDRESS`)."""

import ipaddress
from typing import NamedTuple
from urllib.parse import urlsplit

from longtrail.errors import UsageError


class OwnHosts(NamedTuple):
    """The real address of a site."""

    scheme: str
    host: str
    port: int


def mapped(name: str, address: str) -> OwnHosts:
    """The address (`http://127.0.0.1:8000`) for a staging site's name. Raises UsageError for another machine."""
    says = f"--live-host {name}={address}"
    if "." not in name.strip(".") or "/" in name or ":" in name:
        raise UsageError(f"{says}: expected a host name with a dot, such as staging.example.com")
    try:
        parts = urlsplit(address)
        usual = {"http": 80, "https": 443}.get(parts.scheme, 0)
        port = usual and (parts.port or usual)
        host = parts.hostname or ""
        loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        loopback, port, parts = False, 0, urlsplit("")
    if not (loopback and port and parts.path in ("", "/") and not parts.query and "@" not in parts.netloc):
        raise UsageError(f"{says}: expected http://127.0.0.1:PORT or https://127.0.0.1:PORT, a site on this machine")
    return OwnHosts(parts.scheme, "127.0.0.1" if host == "localhost" else host, port)
