"""Markers: those of cases, as pytest knows them."""

from typing import Any

from longtrail.paths import shipped


def register_markers(config: Any) -> None:
    """All markers of cases, except those that the project itself defines. `config`: pytest's."""
    from iniconfig import IniConfig

    own = {line.partition(":")[0].partition("(")[0].strip() for line in config.getini("markers")}
    for name, meaning in IniConfig(str(shipped("markers.ini")))["markers"].items():
        if name not in own:
            config.addinivalue_line("markers", f"{name}: {meaning}")
