"""Find a Chromium for the runs, or install one: Playwright's headless shell, or else Debian's package."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from longtrail.errors import UsageError

COMPLETE = "INSTALLATION_COMPLETE"
"""The file that Playwright writes into a browser's folder last."""
FULL = re.compile(r"ENOSPC|no space left|EFBIG|file too large|EDQUOT|quota exceeded|SIGXFSZ", re.IGNORECASE)
"""How installers report that the disk is full, or that a file may not grow."""
NEEDED = 700_000_000
"""Bytes of the archive and the unpacked browser together, about."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whether the browser must be able to show windows."""
    parser.add_argument("--headed", action="store_true", help="install a Chromium that can also show windows")


def run(args: argparse.Namespace) -> None:
    """Print where the browser is. Raises UsageError if none could be installed."""
    from longtrail.browser.launcher import find_chromium

    try:
        print(f"browser: {find_chromium(headless=not args.headed)}")
        return
    except UsageError:
        if os.environ.get("LONGTRAIL_CHROMIUM"):
            raise
    full = False
    for command in _install_commands(args.headed):
        print(f"no Chromium yet; running: {' '.join(command)}", flush=True)
        full = _install(command) or full
        try:
            print(f"browser: {find_chromium(headless=not args.headed)}")
            return
        except UsageError:
            continue
    if full:
        space = _space_text()
        raise UsageError(
            f"install-browser: no Chromium could be installed: the disk is full, or files may not grow ({space})"
        )
    raise UsageError(
        "install-browser: no Chromium could be installed; install your system's chromium package, or point "
        "LONGTRAIL_CHROMIUM to one"
    )


def _install(command: list[str]) -> bool:
    """Run an installer; returns whether the disk was full. Incomplete files are removed: they would be taken for a
    browser."""
    from longtrail.browser.launcher import playwright_folder

    before = set(playwright_folder().glob("*"))
    try:
        with tempfile.TemporaryDirectory(prefix="longtrail-install-", ignore_cleanup_errors=True) as temporary:
            env = {**os.environ, "TMPDIR": temporary}  # archives that were not unpacked stay there
            output = _run_and_print(command, env)
    except OSError as error:
        output = str(error)
        print(output, file=sys.stderr)
    for folder in set(playwright_folder().glob("*")) - before:
        if folder.is_dir() and not (folder / COMPLETE).exists():
            shutil.rmtree(folder, ignore_errors=True)
    return FULL.search(output) is not None


def _run_and_print(command: list[str], env: dict[str, str]) -> str:
    """Run a command; its output is shown while it runs, and returned."""
    output = []
    with subprocess.Popen(  # noqa: S603 (our own words)
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            output.append(line)
    return "".join(output)


def _space_text() -> str:
    """Free space in the folders of browsers and archives, and the space that they need."""
    from longtrail.browser.launcher import playwright_folder

    places = {}
    for place in (playwright_folder(), Path(tempfile.gettempdir())):
        there = next((folder for folder in (place, *place.parents) if folder.is_dir()), Path("/"))
        places[str(place)] = f"{shutil.disk_usage(there).free // 1_000_000:,} MB free for {place}"
    return f"{'; '.join(places.values())}; a browser takes about {NEEDED // 1_000_000} MB"


def _install_commands(headed: bool) -> Iterator[list[str]]:
    """Commands to try in this order. As root they also install the system libraries that Chromium needs."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    playwright = [sys.executable, "-m", "playwright", "install", "chromium"]
    wanted = [*playwright, *([] if headed else ["--only-shell"])]
    if root:
        yield [*wanted, "--with-deps"]
    yield wanted  # for when system packages can't be installed: most systems already have what Chromium needs
    if root and shutil.which("apt-get"):
        yield ["apt-get", "update", "-qq"]
        yield from ([["apt-get", "install", "-y", "-qq", "chromium-headless-shell"]] if not headed else [])
        yield ["apt-get", "install", "-y", "-qq", "chromium"]
