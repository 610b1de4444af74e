"""Outbox: collects the files that a worker wrote into its own copy of a run's folder, and writes them into the run."""

import threading
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from longtrail.errors import HarnessTrouble
from longtrail.runs.atomic_file import write_whole
from longtrail.runs.store import Run
from longtrail.runs.under_way import FOLDER as RUNNING

PARTS = ("shots", "calls", "traces", "steps", "workers", "episodes", "results")
"""Parts of a run's folder that workers write, in the order in which they are stored: an episode comes after the files
that it names."""
RECORDS = ("episodes", "results")


class Outbox:
    """The outbox of one worker. Every file is returned once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._marks: dict[str, int] = {}
        self._returned: set[Path] = set()
        self._earlier: dict[Path, bytes] = {}
        self._taking = threading.Lock()

    def put_earlier(self, files: Mapping[str, bytes]) -> None:
        """Write the records of earlier attempts into the copy, in place of those that were given before. They stay
        until then and are not returned: the run has them."""
        for old in self._earlier:
            old.unlink(missing_ok=True)
        put(self._folder, files)
        self._earlier = {self._folder / name: data for name, data in files.items()}

    def progress_files(self) -> dict[str, bytes]:
        """What can be shown of a running case: its mark, if it has changed, and its screenshots."""
        marks = {}
        for path in (self._folder / RUNNING).glob("*.json"):
            try:
                changed = path.stat().st_mtime_ns
                if self._marks.get(path.name) != changed:
                    self._marks[path.name], marks[f"{RUNNING}/{path.name}"] = changed, path.read_bytes()
            except OSError:
                continue  # the case ended just now
        return {**self._take("shots", removed=False), **marks}

    def all(self) -> dict[str, bytes]:
        """All files."""
        files: dict[str, bytes] = {}
        for part in PARTS:
            files |= self._take(part)
        return files

    def _take(self, part: str, *, removed: bool = True) -> dict[str, bytes]:
        """The files that were not returned yet. Files that are still needed here are not removed."""
        files = {}
        with self._taking:
            for path in sorted((self._folder / part).glob("*")):
                if not path.is_file() or path.name.startswith("."):
                    continue
                if path in self._earlier and path.read_bytes() == self._earlier[path]:
                    continue
                if path not in self._returned:
                    files[f"{part}/{path.name}"] = path.read_bytes()
                if removed:
                    path.unlink()
                    self._returned.discard(path)
                else:
                    self._returned.add(path)
        return files


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a worker into a run's folder. Raises HarnessTrouble(storage), also for a name outside of
    it."""
    order = {part: number for number, part in enumerate((RUNNING, *PARTS))}
    named = [(PurePosixPath(name), data) for name, data in files.items()]
    for path, _ in named:
        if len(path.parts) != 2 or path.parts[0] not in order or path.name.startswith("."):
            raise HarnessTrouble("storage", f"a worker sent a file {str(path)!r}, which is no part of a run")
    for path, data in sorted(named, key=lambda item: (order[item[0].parts[0]], item[0].name)):
        target = folder / path
        try:
            target.parent.mkdir(exist_ok=True)
            if path.parts[0] in RECORDS:
                write_whole(target, data)
            elif path.parts[0] != "shots" or not target.exists():  # pictures are named by their content
                draft = target.with_name(f".{target.name}.part")
                draft.write_bytes(data)
                draft.replace(target)
        except OSError as error:
            raise HarnessTrouble("storage", f"{target} can't be written: {error.strerror}") from error


def attempts_of(run: Run, case: str) -> dict[str, bytes]:
    """The records of earlier attempts at a case, for its next worker: name in the run's folder -> bytes."""
    names = [f"{part}/{path.name}" for part in RECORDS for path in run.episode_files(case).values()]
    return {name: path.read_bytes() for name in names if (path := run.folder / name).is_file()}
