"""Refusal: why an address is outside the sealed web, and the page that says so. The text only explains: everything is
refused except the exact names of served hosts on port 80 or 443.
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from pathlib import Path

from longtrail.web import page_templates as pages

TEMPLATES = pages.environment(Path(__file__).parent / "templates")
CONTROL_PATH = re.compile(
    r"^/(\.(?!well-known)|__|proc/|_?(debug|health|healthz|reset|control|metrics|actuator|graphql|openapi|swagger"
    r"|server-status|phpinfo)(\.\w+)?(/|$))|\.(map|sqlite3?|db|ya?ml|py|bak)$",
    re.IGNORECASE,
)
"""Paths that only a client looking for the test machinery would request."""


def why_outside(host: str) -> str:
    """The kind of address: `loopback address`, `private address`, `address`, `loopback name`, `unknown host`."""
    name = host.strip(".").lower()
    address = _address(name.strip("[]"))
    address = getattr(address, "ipv4_mapped", None) or address
    if address is not None:
        if address.is_loopback or address.is_unspecified:
            return "loopback address"
        return "private address" if not address.is_global else "address"
    return "loopback name" if name.split(".")[-1] in ("localhost", "localdomain") else "unknown host"


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a browser would parse here: `127.1`, `0x7f.1` and `2130706433` are loopback."""
    try:
        return ipaddress.IPv6Address(name) if ":" in name else ipaddress.IPv4Address(socket.inet_aton(name))
    except (OSError, ValueError):
        return None


OWN_WORDS = (
    "This site can't be reached",
    "is not an address that can be opened from here, and nothing was sent to it",
    "Go back, or continue on another site.",
)
"""The words of `outside_page`."""


def own_lines(lines: Iterable[str]) -> tuple[str, ...]:
    """The lines of a page that are from `outside_page`, which a frame may show."""
    return tuple(line for line in lines if any(words in line for words in OWN_WORDS))


def outside_page(address: str) -> bytes:
    """The page for an address that the sealed web does not serve."""
    return TEMPLATES.get_template("outside.html.j2").render(address=address).encode()


def notice_page(title: str, text: str) -> bytes:
    """A plain page that says what went wrong."""
    return TEMPLATES.get_template("notice.html.j2").render(title=title, text=text).encode()
