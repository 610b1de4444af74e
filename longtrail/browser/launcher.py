"""The browser's executable on this machine, its arguments and environment, and the options of its contexts."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import playwright

from longtrail.browser.view import VIEWPORT
from longtrail.errors import UsageError
from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.yaml_file import read

NO_NAMES = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
"""Behind a proxy the browser does not need to resolve names; without this it could still leak them."""

NO_FFMPEG = "--video needs Playwright's own ffmpeg, which is missing: run `playwright install ffmpeg`"

REFUSED = ("accept_downloads", "service_workers", "proxy", "no_viewport", "record_har_path")
"""Options of the project's that can't work: the web is sealed, pages have a size, and tasks say what is allowed."""
SET_LATER = ("record_video_dir", "record_video_size")
"""Options that each recording sets for itself."""

SHELLS = ("chrome-headless-shell", "headless_shell", "chromium-headless-shell")
ON_PATH = ("chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome")


class BrowserDefaults(Record):
    """data/browser.yaml, which explains the fields."""

    arguments: tuple[str, ...]
    features: tuple[str, ...]
    linux_features: tuple[str, ...]
    environment: tuple[str, ...]
    context: dict[str, Any]


@cache
def defaults() -> BrowserDefaults:
    """How every browser is started."""
    return read(BrowserDefaults, DATA / "browser.yaml")


class Launch(Record):
    """How to start the browser. Accepts pytest-playwright's `browser_type_launch_args`."""

    executable_path: Path | None = None
    """None: the first executable that `find_chromium` finds."""
    channel: str | None = None
    """Instead of an executable: an installed browser that Playwright knows by this name (`chrome`, `msedge`)."""
    headless: bool = True
    slow_mo: float = 0
    """Milliseconds that Playwright waits before each operation; for watching only."""
    args: tuple[str, ...] = ()
    proxied: bool = True
    """Every session has a proxy; the browser itself resolves no names."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> "Launch":
        """From a dictionary of Playwright's launch options; irrelevant ones are ignored."""
        return cls(**{name: value for name, value in options.items() if name in cls.model_fields and value is not None})


def find_chromium(headless: bool = True) -> Path:
    """The executable: `LONGTRAIL_CHROMIUM`, one that Playwright installed (the headless shell first), or one on PATH.

    Raises UsageError if there is none.
    """
    if named := os.environ.get("LONGTRAIL_CHROMIUM"):
        if path := shutil.which(named):
            return Path(path)
        raise UsageError(f"LONGTRAIL_CHROMIUM is {named}, which is not an executable file; correct or unset it")
    for found_here in _installed():
        if headless or not is_shell(found_here):
            return found_here
    raise UsageError(
        "no Chromium found: run `longtrail install-browser`, install your system's chromium, "
        "or point LONGTRAIL_CHROMIUM to one"
        if headless
        else "no Chromium with windows found (a headless shell has none): run `longtrail install-browser --headed`, "
        "install your system's chromium, or point LONGTRAIL_CHROMIUM to one"
    )


def is_shell(executable: Path) -> bool:
    """Whether this is the headless shell (faster contexts, half the memory, no windows)."""
    return executable.stem in SHELLS or executable.resolve().stem in SHELLS


def _installed() -> Iterator[Path]:
    for pattern in (
        "chromium_headless_shell-*/*/headless_shell*",
        "chromium_headless_shell-*/*/chrome-headless-shell*",
        "chromium-*/chrome-linux*/chrome",
        "chromium-*/chrome-mac*/*.app/Contents/MacOS/*",
        "chromium-*/chrome-win*/chrome.exe",
    ):
        matches = [path for path in playwright_folder().glob(pattern) if shutil.which(path)]
        yield from sorted(matches, key=lambda path: _revision(path), reverse=True)
    for name in ON_PATH:
        if found := shutil.which(name):
            yield Path(found)


def playwright_folder() -> Path:
    """Where Playwright keeps its browsers."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    if named == "0":  # Playwright's way to say: within its package
        return Path(playwright.__file__).parent / "driver" / "package" / ".local-browsers"
    if named:
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path.home() / ".cache" / "ms-playwright"


def _revision(path: Path) -> int:
    number = next((part.rpartition("-")[2] for part in path.parts if part.startswith("chromium")), "")
    return int(number) if number.isdecimal() else 0


def arguments(launch: Launch) -> list[str]:
    """The command line, without Playwright's arguments."""
    names = defaults().features + (defaults().linux_features if sys.platform == "linux" else ())
    features = f"--enable-features={','.join(names)}"
    return [*defaults().arguments, features, *((NO_NAMES,) if launch.proxied else ()), *launch.args]


def environment(temporary: Path) -> dict[str, str | float | bool]:
    """The browser's environment: the allowed variables and its own folder for temporary files."""
    variables = {name: os.environ[name] for name in defaults().environment if name in os.environ}
    return {**variables, "TMPDIR": str(temporary), "TZ": "UTC"}


def driver_environment(temporary: Path) -> dict[str, str]:
    """Further variables of the driver: it makes the profile in its temporary folder, and by default keeps up to 30 MB
    of old screenshots."""
    options = " ".join(filter(None, (os.environ.get("NODE_OPTIONS"), "--max-semi-space-size=2")))
    return {"TMPDIR": str(temporary), "NODE_OPTIONS": options}


def context_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a context, with the given ones. Raises UsageError for one that can't be changed."""
    for name in REFUSED:
        if given.get(name) is not None:
            raise UsageError(f"browser_context_args: {name} can't be changed where Longtrail plays; leave it out")
    usual = {"viewport": {"width": VIEWPORT[0], "height": VIEWPORT[1]}, **defaults().context}
    return usual | {name: value for name, value in given.items() if name not in SET_LATER}


def sandbox_allowed() -> bool:
    """Whether Chromium can use its sandbox; it can't as root."""
    return not (hasattr(os, "geteuid") and os.geteuid() == 0)


if __name__ == "__main__":
    try:
        print(find_chromium())
    except UsageError as error:
        raise SystemExit(str(error)) from error
