"""Settings: a run's flags that change what is measured. The same contender with other settings has another row."""

from collections.abc import Mapping
from typing import Any

from longtrail.options.addresses import without_addresses
from longtrail.options.flag_values import fields, initial
from longtrail.runs.manifest import Manifest


def settings(manifest: Manifest) -> tuple[str, ...]:
    """The run's flags that change what is measured and differ from their defaults, such as `--observation text`."""
    found = []
    for name, flag in fields("measured").items():
        value = manifest.options.get(name, unsaid(name))
        if name == "model_args":
            found += [f"{flag} {key}={each}" for key, each in _pairs(without_addresses(name, value))]
        elif name == "live_hosts":
            found += [f"{flag} {key}" for key, _ in _pairs(value)]
        elif name != "web" and value != unsaid(name):
            found.append(flag if value is True else f"{flag} {value}")
    return tuple(found)


def unsaid(name: str) -> Any:
    """The value of an option for runs made before it existed."""
    return {} if name in ("live_hosts", "model_args") else initial(name)


def _pairs(value: Any) -> list[tuple[str, Any]]:
    return sorted(value.items()) if isinstance(value, Mapping) else []
