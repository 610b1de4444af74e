"""Sites: the hosts of the consumer web, and their replicas, each read at first use."""

from functools import cache, lru_cache
from pathlib import Path

from pydantic import TypeAdapter

from longtrail.paths import SITES
from longtrail.web.site import VARIANTS_KEPT, SourceTransform, as_shipped
from longtrail.web.sites.consumer.model import SiteSpec
from longtrail.web.sites.consumer.replica import Replica
from longtrail.yaml_file import read_yaml, validate

_SPEC = TypeAdapter(SiteSpec)


@cache
def files() -> dict[str, Path]:
    """Main host -> its file."""
    return {path.stem: path for path in sorted(SITES.glob("*.yaml"))}


@cache
def aliases() -> dict[str, str]:
    """Alias -> main host, read only from the first lines of the files: parsing every file would take each process
    seconds."""
    host_by_alias: dict[str, str] = {}
    for host, path in files().items():
        with path.open(encoding="utf-8") as file:
            head = [next(file, "").strip() for _ in range(3)]
        line = next((line for line in head if line.startswith("aliases:")), "")
        names = line.removeprefix("aliases:").strip(" []").replace(",", " ").split()
        host_by_alias |= dict.fromkeys(names, host)
    return host_by_alias


def hosts() -> tuple[str, ...]:
    """Every host, aliases included."""
    return (*files(), *aliases())


def replica(host: str, vary: SourceTransform = as_shipped) -> Replica:
    """The replica at a main host. Raises KeyError, DataError."""
    return _replica(host, vary)


@lru_cache(64 * VARIANTS_KEPT)
def _replica(host: str, vary: SourceTransform) -> Replica:
    path = files()[host]
    return Replica(validate(_SPEC, vary(f"consumer/{host}", read_yaml(path)), path), path)


def replicas(vary: SourceTransform = as_shipped) -> tuple[Replica, ...]:
    """All replicas."""
    return tuple(replica(host, vary) for host in files())
