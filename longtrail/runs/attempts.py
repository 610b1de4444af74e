"""Attempts: which episode files a case has. A folder with thousands of files is read once, not once for each case."""

import hashlib
import re
import threading
from pathlib import Path

LOOKED_AHEAD = 8
"""Numbers after the last known attempt that are looked for. Attempts are numbered without gaps; a file that was moved
to quarantine or lost leaves one."""
_SAFE = re.compile(r"[a-z0-9][a-z0-9_.-]{0,119}")
_NAME = re.compile(r"(.+)\.a(\d+)\.json")


class Attempts:
    """The episode files in a folder, to which other processes add."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._reading = threading.Lock()
        self._last: dict[str, int] | None = None
        """Stem of a case -> number of its last attempt, when the folder was read."""

    def all(self) -> dict[str, list[Path]]:
        """Stem of a case -> its files, latest attempt first."""
        found: dict[str, list[tuple[int, Path]]] = {}
        for path in self._folder.glob("*.json"):
            if match := _NAME.fullmatch(path.name):
                found.setdefault(match[1], []).append((int(match[2]), path))
        return {stem: [path for _, path in sorted(files, reverse=True)] for stem, files in sorted(found.items())}

    def of(self, case: str) -> dict[int, Path]:
        """Number of an attempt at this case -> its file, latest first."""
        stem = file_stem(case)
        with self._reading:
            if self._last is None:
                self._last = {one: int(files[0].name.split(".")[-2][1:]) for one, files in self.all().items()}
            last = self._last.get(stem, -1)
        found: dict[int, Path] = {}
        number = 0
        while number <= last + LOOKED_AHEAD:
            path = self._folder / f"{stem}.a{number}.json"
            if path.exists():
                found[number], last = path, max(last, number)
            number += 1
        return dict(reversed(found.items()))


def file_stem(name: str) -> str:
    """A name as part of a file name: unchanged if safe, otherwise a slug with 10 digits of its sha256."""
    if _SAFE.fullmatch(name) and not name.endswith("."):
        return name
    slug = re.sub(r"[^a-z0-9_-]+", "-", name.lower())[:80].strip("-") or "x"
    return f"{slug}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
