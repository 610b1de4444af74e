"""Playwright options: what pytest-playwright's options and fixtures mean for the episodes of a session. Everything here
also works without that plugin (`-p no:playwright`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from longtrail.browser.context_records import KINDS, Kind
from longtrail.browser.launcher import NO_FFMPEG, playwright_folder
from longtrail.errors import UsageError

PLUGINS = ("playwright", "playwright-asyncio", "pytest_playwright.pytest_playwright")
"""The names under which pytest knows it."""
OUTPUT = "test-results"
"""The default of its `--output`."""
CONTEXT_FIXTURE = "browser_context_args"
CHANGED: pytest.StashKey[tuple[str, ...]] = pytest.StashKey()
"""In a process that plays: what changes its browser contexts."""


@dataclass(frozen=True)
class PlaywrightOptions:
    """How episodes are played and recorded."""

    launch: Mapping[str, Any]
    """Arguments of Playwright's `launch`."""
    context: Mapping[str, Any]
    """Arguments of its `new_context`."""
    rules: Mapping[Kind, str]
    """When traces, videos and screenshots are kept."""
    output: Path | None
    """The folder of `--output`, if it was given: gets a copy of what is kept."""

    @classmethod
    def of(cls, request: pytest.FixtureRequest) -> "PlaywrightOptions":
        """Those of this session."""
        output = _option(request.config, "output", OUTPUT)
        return cls(
            request.getfixturevalue("longtrail_launch_options"),
            request.getfixturevalue("longtrail_context_options"),
            {kind: str(_option(request.config, kind, "off")) for kind in KINDS},
            None if output == OUTPUT else Path(output).absolute(),
        )


def launch_options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What `--headed`, `--slowmo`, `--browser-channel` and the fixture `browser_type_launch_args` say."""
    options: dict[str, Any] = request.getfixturevalue("browser_type_launch_args") if _loaded(request.config) else {}
    return options


def context_options(request: pytest.FixtureRequest) -> dict[str, Any]:
    """What `--device` and a fixture `browser_context_args` of the project's say. Without them pytest-playwright's
    fixture is not asked, because it starts a driver."""
    config = request.config
    config.stash[CHANGED] = _changes(config) if _loaded(config) else ()
    return dict(request.getfixturevalue(CONTEXT_FIXTURE)) if config.stash[CHANGED] else {}


def check_output(config: pytest.Config, reports: Path) -> None:
    """Raise UsageError if `--output` names a folder with the reports in it: pytest-playwright deletes it."""
    output = Path(_option(config, "output", OUTPUT)).absolute()
    if reports.absolute().is_relative_to(output):
        raise UsageError(f"--output {output}: the reports are in it, and pytest-playwright would delete them")


def check_browser(config: pytest.Config) -> None:
    """Raise UsageError for a browser whose pages can't be observed, or a video that can't be recorded."""
    for name in _option(config, "browser", None) or ():
        if name != "chromium":
            raise UsageError(f"--browser {name}: pages are observed by Chromium's protocol; leave --browser out")
    if _option(config, "video", "off") != "off" and not any(playwright_folder().glob("ffmpeg-*/ffmpeg*")):
        raise UsageError(NO_FFMPEG)


def _changes(config: pytest.Config) -> tuple[str, ...]:
    device = _option(config, "device", None)
    plugins = (plugin for plugin in config.pluginmanager.get_plugins() if hasattr(plugin, CONTEXT_FIXTURE))
    overridden = any(not getattr(plugin, "__name__", "").startswith("pytest_playwright") for plugin in plugins)
    return (*([f"--device {device}"] if device else []), *([CONTEXT_FIXTURE] if overridden else []))


def _option(config: pytest.Config, name: str, default: Any) -> Any:
    return config.getoption(name, default) if _loaded(config) else default


def _loaded(config: pytest.Config) -> bool:
    return any(config.pluginmanager.hasplugin(name) for name in PLUGINS)
