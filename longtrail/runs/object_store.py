"""Object store: run folders at an address such as `s3://bucket/longtrail`, through fsspec.

A run is always played in a local folder. `Mirror` copies it to the address during the run, and can download it;
`fetched` downloads runs to a temporary folder for reading.
"""

import os
import sqlite3
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from longtrail.errors import DataError, HarnessTrouble, UsageError
from longtrail.llm.call_book import FILE as CALL_BOOK
from longtrail.llm.call_book import CallBook
from longtrail.runs.manifest import Manifest, read_manifest
from longtrail.runs.store import HEAD_LENGTH

LOCAL = frozenset(("lock", "controller", "stop"))
"""Files of a run that only concern processes of one machine, and drafts."""
FIXED = ("episodes/", "shots/")
"""Files that never change once they are written."""
FIRST, LAST = "run.json", ("results.jsonl", "SHA256SUMS")
"""The order of sending: the manifest first, the checksums last."""
GROWING = ("SHA256SUMS",)
"""Files that only grow: the longer one is newer."""
LEFT_OUT = ("shots", "traces")
"""Folders of a run that no page about runs needs."""
BATCH = 50
"""Files that are sent together."""


class Store:
    """A folder at an address. Raises UsageError if it can't be used."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        if "@" in address:  # a password may contain slashes
            raise UsageError(
                f"--reports {address.partition('://')[0]}://...: an address must not contain a user name or password"
            )
        try:
            import fsspec
        except ImportError as error:
            raise UsageError(f"--reports {address}: needs pip install 'longtrail[artifacts]'") from error
        try:
            local = fsspec.utils.get_protocol(self.address) in ("file", "local")
            self._files, path = fsspec.core.url_to_fs(self.address, **({"auto_mkdir": True} if local else {}))
        except (ImportError, ValueError) as error:
            raise UsageError(f"--reports {address}: {_line(error)}") from error
        self._path = str(path).rstrip("/")

    def files(self) -> dict[str, int]:
        """Path of each file below the address -> its size in bytes."""
        with self._told("can't be read"):
            self._files.invalidate_cache()
            found: Mapping[str, Any] = self._files.find(self._path, detail=True)
        sizes = {name.removeprefix(self._path).lstrip("/"): int(told["size"] or 0) for name, told in found.items()}
        return {name: size for name, size in sizes.items() if name and ".." not in PurePosixPath(name).parts}

    def names(self, pattern: str) -> list[str]:
        """The addresses that match a pattern with `*`, in order; without `*`, the address itself. Raises UsageError if
        there is none."""
        if "*" not in pattern:
            return [f"{self.address}/{pattern}"]
        with _usage(), self._told("can't be read"):
            self._files.invalidate_cache()
            found = self._files.glob(f"{self._path}/{pattern}")
        if not found:
            raise UsageError(f"{self.address}/{pattern}: there is no such run")
        return [f"{self.address}{name.removeprefix(self._path)}" for name in sorted(found)]

    def put(self, folder: Path, names: Sequence[str]) -> None:
        """Send files of a folder. Raises HarnessTrouble(storage)."""
        if names:
            with self._told("can't be written"):
                there = [f"{self._path}/{name}" for name in names]
                self._files.put([str(folder / name) for name in names], there)

    def get(self, folder: Path, names: Sequence[str]) -> None:
        """Download files to a folder, each completely or not at all. Raises HarnessTrouble(storage)."""
        if not names:
            return
        with self._told("can't be read"):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as draft:
                here = [Path(draft) / str(number) for number in range(len(names))]
                self._files.get([f"{self._path}/{name}" for name in names], [str(path) for path in here])
                for name, path in zip(names, here, strict=True):
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    path.replace(folder / name)

    def heads(self, names: Sequence[str], length: int) -> list[bytes]:
        """The first bytes of files. Raises HarnessTrouble(storage)."""
        if not names:
            return []
        paths = [f"{self._path}/{name}" for name in names]
        with self._told("can't be read"):
            found: list[bytes | Exception] = self._files.cat_ranges(paths, 0, length)
            if wrong := next((one for one in found if isinstance(one, Exception)), None):
                raise wrong
        return [one for one in found if isinstance(one, bytes)]

    @contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise HarnessTrouble("storage", f"{self.address} {what}: {_line(error)}") from error


class Mirror:
    """A run's folder, and its copy at `ADDRESS/runs/NAME`."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self._store = Store(f"{address.rstrip('/')}/runs/{folder.name}")
        self._sent: dict[str, tuple[int, int]] = {}
        self.deliveries = 0
        """How often files were sent; it grows while a `push` goes on."""

    @property
    def address(self) -> str:
        """Address of the copy."""
        return self._store.address

    def claim(self, parts: Mapping[str, str] | None = None, episodes: Collection[str] = ()) -> None:
        """Raise UsageError if the address already has a run or can't be read. `parts`: those of the merged run that is
        to be sent, `episodes`: the files of its episodes; a copy of the same parts that has no other episode is
        completed or sent again."""
        with _usage():
            there = self._store.files()
        if there and not (parts and (copy := self.manifest()) is not None and copy.parts == parts):
            raise UsageError(f"{self.address} already contains a run; choose another name")
        if parts and {name for name in there if name.startswith(FIXED[0])} - set(episodes):
            told = "was continued after it was merged, and is not replaced; choose another name"
            raise UsageError(f"{self.address}: this run {told}")

    def manifest(self) -> Manifest | None:
        """The copy's manifest; None if there is no copy. Raises UsageError if it can't be read."""
        with _usage(), tempfile.TemporaryDirectory() as draft:
            if FIRST not in self._store.files():
                return None
            self._store.get(Path(draft), [FIRST])
            try:
                return read_manifest(Path(draft))
            except DataError as error:
                raise UsageError(f"{self.address}: {FIRST} is not the manifest of a run") from error

    def pull(self) -> None:
        """Download what only the copy has. Raises UsageError if an episode differs or can't be read. Files in both
        places keep their local version, except lists that are longer in the copy. Of both books of model calls, the
        larger cost counts as spent. Only the run's controller may call this.
        """
        with _usage():
            there = self._store.files()
            here = {name: (self.folder / name).stat().st_size for name in there if (self.folder / name).is_file()}
            self._refuse_other_episodes(there, here)
            grown = {name for name in here if name in GROWING and there[name] > here[name]}
            self._store.get(self.folder, [name for name in there if name not in here or name in grown])
            if CALL_BOOK in here:
                self._add_spending()
        for name in there:
            if name.startswith(FIXED):
                stat = (self.folder / name).stat()
                if stat.st_size == there[name]:
                    self._sent[name] = (stat.st_size, stat.st_mtime_ns)

    def _refuse_other_episodes(self, there: Mapping[str, int], here: Mapping[str, int]) -> None:
        """Raise UsageError if an episode in both places differs in its size or in the checksum at its beginning."""
        both = [name for name in here if name.startswith(FIXED[0])]
        as_long = [name for name in both if here[name] == there[name]]
        heads = dict(zip(as_long, self._store.heads(as_long, HEAD_LENGTH), strict=True))
        for name in both:
            with (self.folder / name).open("rb") as file:
                mine = file.read(HEAD_LENGTH)
            if heads.get(name) != mine:
                apart = "the run was continued in two places; move that folder away to continue from the copy"
                raise UsageError(f"{self.address}: {name} differs from the file in {self.folder}: {apart}")

    def _add_spending(self) -> None:
        """Calls that were running when a session was lost may have been billed, so they count in both books."""
        with tempfile.TemporaryDirectory() as draft, self._database():
            self._store.get(Path(draft), [CALL_BOOK])
            mine, theirs = CallBook(self.folder), CallBook(Path(draft))
            for book in (mine, theirs):
                book.begin_again()
            mine.count_spent(theirs.spent)

    def push(self) -> int:
        """Send new and changed files; returns how many. Raises HarnessTrouble(storage)."""
        now = {name: (stat.st_size, stat.st_mtime_ns) for name, stat in _stats(self.folder)}
        fresh = [name for name, stamp in now.items() if self._sent.get(name) != stamp]
        rest = [name for name in fresh if name not in (FIRST, *LAST, CALL_BOOK)]
        batches = [rest[start : start + BATCH] for start in range(0, len(rest), BATCH)]
        single = [[name] for name in (CALL_BOOK, *LAST) if name in fresh]
        for names in ([FIRST] if FIRST in fresh else [], *batches, *single):
            if names == [CALL_BOOK]:
                self._put_book()
            else:
                self._store.put(self.folder, names)
            self._sent |= {name: now[name] for name in names}
            self.deliveries += 1
        return len(fresh)

    def _put_book(self) -> None:
        """A copy that no process is writing to."""
        with self._database(), tempfile.TemporaryDirectory() as draft:
            with (
                closing(sqlite3.connect(self.folder / CALL_BOOK)) as db,
                closing(sqlite3.connect(Path(draft) / CALL_BOOK)) as copy,
            ):
                db.backup(copy)
            self._store.put(Path(draft), [CALL_BOOK])

    @contextmanager
    def _database(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise HarnessTrouble("storage", f"{self.folder / CALL_BOOK} can't be copied: {_line(error)}") from error


@contextmanager
def fetched(store: Store, *, pages: bool = True) -> Iterator[Path]:
    """Download everything below an address to a temporary folder of the same name. The address is a run's; without
    `pages`, that of a reports folder, and screenshots and traces are left out."""
    with tempfile.TemporaryDirectory(prefix="longtrail-") as draft:
        folder = Path(draft) / PurePosixPath(store.address).name
        with _usage():
            names = [name for name in store.files() if pages or not _left_out(name)]
            if not names:
                raise UsageError(f"{store.address}: there is nothing here")
            store.get(folder, names)
        yield folder


def _left_out(name: str) -> bool:
    """Whether a file of a reports folder is one of a run's screenshots or traces."""
    parts = name.split("/")
    return parts[0] == "runs" and len(parts) > 3 and parts[2] in LEFT_OUT


def _stats(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every file of a run that is copied."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        own = name in LOCAL or name.startswith("running/") or any(part.startswith(".") for part in name.split("/"))
        try:
            if not own and not name.endswith("-journal") and path.is_file():
                yield name, path.stat()
        except FileNotFoundError:
            continue  # it was moved to quarantine just now


@contextmanager
def _usage() -> Iterator[None]:
    """Before a run begins, report an unusable store as a UsageError of the command line."""
    try:
        yield
    except HarnessTrouble as error:
        raise UsageError(error.message) from error


def _line(error: BaseException) -> str:
    return " ".join(f"{error}".split())[:300] or type(error).__name__
