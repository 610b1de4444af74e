"""Origin: scheme, host and port of a site, as browsers define it."""

from typing import NamedTuple
from urllib.parse import urlsplit

USUAL = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Where a site is."""

    scheme: str
    host: str
    port: int

    @property
    def authority(self) -> str:
        """The host, with its port unless that is the scheme's default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == USUAL[self.scheme] else f"{host}:{self.port}"

    @property
    def base(self) -> str:
        """`http://127.0.0.1:8000`."""
        return f"{self.scheme}://{self.authority}"


def origin_of(url: str) -> Origin:
    """The origin of an absolute http or https address. Raises ValueError for anything else."""
    parts = urlsplit(url)
    if parts.scheme not in USUAL or not parts.hostname or "@" in parts.netloc:
        raise ValueError(f"expected an http or https address, got {url!r}")
    return Origin(parts.scheme, parts.hostname.lower(), parts.port or USUAL[parts.scheme])
