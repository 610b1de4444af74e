"""Hosts and origins: which hosts belong to one domain, by the public suffix list that ships with tldextract (never
downloaded), and where a site is as browsers define it."""

from functools import cache, lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit


@cache
def _extract() -> Any:
    import tldextract

    return tldextract.TLDExtract(cache_dir=None, suffix_list_urls=(), include_psl_private_domains=True)


@cache
def registrable_domain(host: str) -> str:
    """`www.ikea.com` -> `ikea.com`, `store.steampowered.com` -> `steampowered.com`.

    Below a suffix that is not on the list (`forum.test`) the last two labels count; an IP address is its own domain.
    """
    host = host.rstrip(".").lower()
    known: str = _extract()(host).top_domain_under_public_suffix
    labels = host.split(".")
    named = len(labels) > 1 and labels[-1].isalpha()
    return known or (".".join(labels[-2:]) if named and not _extract()(host).suffix else host)


@lru_cache(maxsize=4_096)
def host_of(url: str) -> str:
    """The host of an absolute address, lower case, without port and user; empty for `about:blank` and the like."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def same_site(url: str, host: str) -> bool:
    """Whether an address lies on a host's registrable domain. A look-alike (`ikea.com.evil.test`) does not."""
    there = host_of(url)
    return bool(there) and registrable_domain(there) == registrable_domain(host)


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
