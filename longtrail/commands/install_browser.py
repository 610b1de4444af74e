"""Find a Chromium for the runs, or install one: Playwright's headless shell, or else Debian's package."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

from longtrail.errors import UsageError


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
    for command in _ways(args.headed):
        print(f"no Chromium yet; running: {' '.join(command)}", flush=True)
        subprocess.run(command, check=False)  # noqa: S603 (a fixed command)
        try:
            print(f"browser: {find_chromium(headless=not args.headed)}")
            return
        except UsageError:
            continue
    raise UsageError(
        "install-browser: no Chromium could be installed; install your system's chromium package, or point "
        "LONGTRAIL_CHROMIUM to one"
    )


def _ways(headed: bool) -> Iterator[list[str]]:
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
