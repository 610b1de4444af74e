"""Commands that prepare a machine: check it, and install a browser."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from longtrail.commands.main import command
from longtrail.errors import UsageError

MB_A_WORKER = 600
"""Memory of a worker and its browser in MB, measured in runs of the shipped tasks."""
MB_A_RUN = 2_000
"""Disk space of a run of all cases with screenshots, in MB."""
PACKAGES = ("longtrail", "pytest", "pytest-xdist", "pytest-html", "playwright", "litellm", "pytest-playwright")
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@dataclass(frozen=True)
class Check:
    """One check and its result."""

    state: Literal["ok", "note", "problem"]
    subject: str
    finding: str
    advice: str = ""


@command("doctor")
def doctor(args: Namespace) -> int:
    """Check this machine (browser, fonts, sandbox, memory, disk, keys, proxy variables, versions) and say what to do.

    The exit code is 1 if runs can't work.
    """
    checks = [*all_checks(args.reports)]
    for check in checks:
        print(f"{check.state:8} {check.subject:10} {check.finding}")
        if check.advice:
            print(f"{'':20}{check.advice}")
    return int(any(check.state == "problem" for check in checks))


def all_checks(reports: Path) -> Iterator[Check]:
    yield from (_versions(), _browser(), _fonts(), _sandbox(), _memory(), _disk(reports), _keys(), _proxies())


def _versions() -> Check:
    versions = [f"Python {'.'.join(map(str, sys.version_info[:3]))}"]
    for package in PACKAGES:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return Check("ok", "versions", ", ".join(versions))


def _browser() -> Check:
    from longtrail.browser.launcher import find_chromium

    try:
        path = find_chromium()
    except UsageError as error:
        return Check("problem", "browser", str(error), "run `longtrail install-browser`")
    try:
        output = subprocess.run([str(path), "--version"], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check("problem", "browser", f"{path} does not start: {error}", "run `longtrail install-browser`")
    if output.returncode:
        last = (output.stderr.strip().splitlines() or ["no reason given"])[-1]
        advice = "install the missing libraries: `playwright install-deps chromium`, or your system's chromium package"
        return Check("problem", "browser", f"{path} does not start: {last}", advice)
    return Check("ok", "browser", f"{path} ({output.stdout.strip() or 'unknown version'})")


def _fonts() -> Check:
    folders = [Path(each) for each in ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts")]
    folders += [Path.home() / each for each in (".fonts", ".local/share/fonts")]
    count = sum(1 for folder in folders if folder.is_dir() for file in folder.rglob("*") if file.suffix in FONTS)
    if not count:
        advice = "screenshots will show boxes instead of letters: install fonts (Debian: apt install fonts-dejavu-core)"
        return Check("note", "fonts", "none found", advice)
    return Check("ok", "fonts", f"{count} files")


FONTS = frozenset({".ttf", ".otf", ".ttc", ".pfb"})


def _sandbox() -> Check:
    from longtrail.browser.launcher import sandbox_allowed

    if sandbox_allowed():
        return Check("ok", "sandbox", "Chromium's sandbox is used if the system allows it")
    advice = "fine for the embedded sites; for the real web (--web live) run as another user"
    return Check("note", "sandbox", "off: Chromium has no sandbox when run as root", advice)


def _memory() -> Check:
    import psutil

    free = psutil.virtual_memory().available // 2**20
    workers = max(0, free // MB_A_WORKER)
    available = f"{free} MB free, about {MB_A_WORKER} MB a worker; {os.cpu_count() or 1} processors"
    if not workers:
        return Check("problem", "memory", available, "close other programs, or use a machine with 2 GB")
    return Check("ok", "memory", available, f"up to -n {min(workers, 2 * (os.cpu_count() or 1))}")


def _disk(reports: Path) -> Check:
    place = next(folder for folder in (reports.resolve(), *reports.resolve().parents) if folder.exists())
    free = shutil.disk_usage(place).free // 2**20
    if not os.access(place, os.W_OK):
        return Check("problem", "disk", f"{place} can't be written", "give --reports=DIR")
    if free < MB_A_RUN:
        advice = f"a run of all cases takes up to {MB_A_RUN} MB: free some space, or use --no-shots"
        return Check("note", "disk", f"{free} MB free at {place}", advice)
    return Check("ok", "disk", f"{free} MB free at {place}")


def _keys() -> Check:
    from longtrail.llm.models import key_variables

    keys = [name for name in sorted(key_variables()) if os.environ.get(name)]
    if not keys:
        advice = "for a model of a provider, set its variable (gpt-4.1: OPENAI_API_KEY); the oracle needs none"
        return Check("note", "keys", "none set", advice)
    return Check("ok", "keys", f"{', '.join(keys)} (values are not shown)")


def _proxies() -> Check:
    proxies = [name for name in (*PROXIES, *map(str.lower, PROXIES)) if os.environ.get(name)]
    if not proxies:
        return Check("ok", "proxy", "no variable set")
    advice = "model calls use it; the embedded sites and local agents don't"
    return Check("note", "proxy", ", ".join(proxies), advice)


COMPLETE = "INSTALLATION_COMPLETE"
"""The file that Playwright writes into a browser's folder last."""
FULL = re.compile(r"ENOSPC|no space left|EFBIG|file too large|EDQUOT|quota exceeded|SIGXFSZ", re.IGNORECASE)
"""How installers report that the disk is full, or that a file may not grow."""
NEEDED = 700_000_000
"""Bytes of the archive and the unpacked browser together, about."""


@command("install-browser")
def install_browser(args: Namespace) -> None:
    """Find a Chromium for the runs, or install one: Playwright's headless shell, or else Debian's package."""
    from longtrail.browser.launcher import find_chromium

    try:
        print(f"browser: {find_chromium(headless=not args.headed)}")
        return
    except UsageError:
        if os.environ.get("LONGTRAIL_CHROMIUM"):
            raise
    full = False
    for words in _install_commands(args.headed):
        print(f"no Chromium yet; running: {' '.join(words)}", flush=True)
        full = _install(words) or full
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


def _install(words: list[str]) -> bool:
    """Run an installer; returns whether the disk was full. Incomplete files are removed: they would be taken for a
    browser."""
    from longtrail.browser.launcher import playwright_folder

    before = set(playwright_folder().glob("*"))
    try:
        with tempfile.TemporaryDirectory(prefix="longtrail-install-", ignore_cleanup_errors=True) as temporary:
            env = {**os.environ, "TMPDIR": temporary}  # archives that were not unpacked stay there
            output = _run_and_print(words, env)
    except OSError as error:
        output = str(error)
        print(output, file=sys.stderr)
    for folder in set(playwright_folder().glob("*")) - before:
        if folder.is_dir() and not (folder / COMPLETE).exists():
            shutil.rmtree(folder, ignore_errors=True)
    return FULL.search(output) is not None


def _run_and_print(words: list[str], env: dict[str, str]) -> str:
    """Run a command; its output is shown while it runs, and returned."""
    output = []
    with subprocess.Popen(  # noqa: S603 (our own words)
        words, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
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
