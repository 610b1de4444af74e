"""Recordings: Playwright's traces, videos and screenshots of a worker's episodes, and which of them the run keeps.

playwright/ATTEMPT/trace.zip   also video.webm and screenshot.png; the first part of an attempt is ATTEMPT-first

They are recorded into a temporary folder. A case that ends as asked for (`on`, `retain-on-failure`) has its files moved
into the run, its traces without secrets.
"""

import json
import shutil
import tempfile
import zipfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from longtrail.browser.context_records import FILES, KINDS, Kind, Recording
from longtrail.llm.secrets import REMOVED, redact
from longtrail.records.trajectory import Trajectory
from longtrail.runs.attempts import file_stem

FOLDER = "playwright"
MAX_BYTES = 50_000_000
"""Most that is kept of a trace. Its actions come first, then texts, then pictures; what exceeds it is left out."""
SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
SECRET_OPTIONS = frozenset({"proxy", "storageState", "httpCredentials", "extraHTTPHeaders", "cookies", "stack"})
"""Members of a trace's records that are left out: log-ins, and the paths of this machine's files."""
RECORDS = (".trace", ".network")
"""The files of a trace with its actions and requests."""
PICTURES = (".jpeg", ".jpg", ".png", ".webp", ".gif", ".woff2")
PICTURE_FOLDER = "resources"
"""Where the pictures of steps are within a trace."""
FIRST = "-first"
"""Ends the name of a first part, which later cases may share."""


class Recordings(AbstractContextManager["Recordings"]):
    """Those of one worker. Always close it."""

    def __init__(self, rules: Mapping[Kind, str], run: Path, output: Path | None = None) -> None:
        """`rules`: `off`, `on`, `retain-on-failure` or `only-on-failure` for each kind. `output`: gets a copy of what
        is kept, in a folder for each case (`--output`)."""
        self._rules, self._run, self._output = rules, run, output
        self._kinds = frozenset(kind for kind in KINDS if rules.get(kind, "off") != "off")
        self._folder = Path(tempfile.mkdtemp(prefix="longtrail-recordings-"))
        self._begun: dict[str, Recording] = {}

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, name: str) -> Recording | None:
        """The recording of a session, by the name of its world; None: nothing is recorded."""
        if not self._kinds:
            return None
        folder = self._folder / file_stem(name)
        folder.mkdir(exist_ok=True)
        self._begun[name] = Recording(folder, self._kinds)
        return self._begun[name]

    def keep(self, trajectory: Trajectory, *, passed: bool) -> None:
        """Move what the rules keep of a finished case into the run, and drop the rest of it."""
        case = trajectory.case.id
        for name in [name for name in self._begun if name.startswith(f"{case}.a") or name in _names(trajectory)]:
            files = self._begun[name].files()
            kept = {kind: path for kind, path in files.items() if self._rules[kind] == "on" or not passed}
            folder = self._run / FOLDER / file_stem(name)
            for kind, path in kept.items():
                folder.mkdir(parents=True, exist_ok=True)
                if kind == "tracing":
                    write_without_secrets(path, folder / FILES[kind], self._pictures(trajectory, name))
                else:
                    shutil.move(path, folder / FILES[kind])
            if self._output is not None and kept:
                shutil.copytree(folder, self._output / file_stem(case) / file_stem(name), dirs_exist_ok=True)
            if kept or not name.endswith(FIRST):
                shutil.rmtree(self._folder / file_stem(name))
                del self._begun[name]

    def _pictures(self, trajectory: Trajectory, name: str) -> list[tuple[int, Path]]:
        """The number and the run's picture of each step that a session of this name recorded."""
        first, rest = _names(trajectory)
        steps = [each for each in trajectory.steps if name == (first if each.phase == "a1" else rest)]
        return [(each.number, self._run / "shots" / (each.observation.screenshot or "none")) for each in steps]

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def kept_files(trajectory: Trajectory, run: Path) -> Iterator[tuple[Kind, str, int]]:
    """What a run has of an episode: kind, path from the run's folder, size in bytes."""
    for name in _names(trajectory):
        for kind, file in FILES.items():
            path = Path(FOLDER, file_stem(name), file)
            if (run / path).is_file():
                yield kind, path.as_posix(), (run / path).stat().st_size


def _names(trajectory: Trajectory) -> tuple[str, str]:
    """The first part of an episode, which another attempt may have played, and the rest."""
    attempt = f"{trajectory.case.id}.a{trajectory.attempt}"
    return f"{trajectory.first_part_of or attempt}{FIRST}", attempt


def write_without_secrets(source: Path, target: Path, pictures: Iterable[tuple[int, Path]] = ()) -> None:
    """Pack a trace (the folder of its files) without cookies, log-ins and keys, at most MAX_BYTES of it. `pictures`:
    of its steps; they are added."""
    files = {path.relative_to(source).as_posix(): path for path in source.rglob("*") if path.is_file()}
    steps = [(number, path) for number, path in pictures if path.is_file()]
    files |= {f"{PICTURE_FOLDER}/{path.name}": path for _, path in steps}
    with target.open("wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as clean:
        for name, path in sorted(files.items(), key=lambda each: _rank(each[0])):
            if file.tell() + path.stat().st_size > MAX_BYTES:
                continue
            data = path.read_bytes()
            if name.endswith(RECORDS):
                records = _records(data.decode().splitlines(), steps)
                data = "\n".join(
                    json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in records
                ).encode()
            text = redact(data.decode()) if _is_text(name, data) else None
            clean.writestr(name, data if text is None else text, zipfile.ZIP_STORED if text is None else None)


def _records(lines: Iterable[str], steps: Iterable[tuple[int, Path]]) -> Iterator[Any]:
    """A trace's records without secrets. Each of our steps begins with its picture. (Playwright's own pictures would
    cost more than everything else of a trace: it takes one at every change of the page.)"""
    waiting, page, size = deque(steps), "", {"width": 1280, "height": 720}
    for line in filter(None, lines):
        record = json.loads(line)
        page = record.get("pageId") or record.get("params", {}).get("pageId") or page
        size = record.get("options", {}).get("viewport") or size
        yield _clean(record)
        if waiting and page and str(record.get("title", "")).startswith(f"{waiting[0][0]}. "):
            name, at = waiting.popleft()[1].name, record["startTime"]
            # Versions before 1.60 find the file by `sha1`.
            found = {"file": f"{PICTURE_FOLDER}/{name}", "sha1": name}
            yield {"type": "screencast-frame", "pageId": page, "timestamp": at, **size, **found}


def _rank(name: str) -> int:
    """The order in which a trace's files are packed."""
    return 0 if name.endswith(RECORDS) else 2 if name.endswith(PICTURES) else 1


def _is_text(name: str, data: bytes) -> bool:
    if name.endswith(PICTURES):
        return False
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _clean(value: Any) -> Any:
    """A record without secret headers and options."""
    if isinstance(value, list):
        return [_clean(each) for each in value]
    if not isinstance(value, dict):
        return value
    if str(value.get("name", "")).lower() in SECRET_HEADERS and "value" in value:
        return {**value, "value": REMOVED}
    return {
        name: [] if name == "cookies" else _clean(each)
        for name, each in value.items()
        if name == "cookies" or name not in SECRET_OPTIONS
    }
