"""Permissions: what a session allows beyond the paper's actions, by `--actions`, the agent and the task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Permissions:
    """By default nothing: dialogs are answered at once, downloads and service workers are blocked."""

    dialogs_wait: bool = False
    """Whether questions of a page (`confirm`, `prompt`) stay open until the agent answers them."""
    lists_tabs: bool = False
    """Whether the note of an observation lists the tabs, if there are several."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """The files that the case offers for uploads, by name."""
    downloads: Path | None = None
    """The folder in which downloads are saved; None: they are blocked."""
    service_workers: bool = False


NOTHING = Permissions()
