"""Object store: the copy of a run at an address such as `s3://bucket/longtrail`, through fsspec. Imported only when a
command names an address. A run is always played in a local folder; `Mirror` copies it during the run, and can
download it."""

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
from longtrail.runs.attempts import HEAD_LENGTH
from longtrail.runs.manifest import Manifest, read_manifest

LEFT_OUT = ("shots", "traces")
"""Folders of a run that no page about runs needs."""


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
            raise UsageError(f"--reports {address}: {first_line(error)}") from error
        self._path = str(path).rstrip("/")

    def files(self) -> dict[str, int]:
        """Path of each file below the address -> its size in bytes."""
        with self._as_trouble("can't be read"):
            self._files.invalidate_cache()
            details: Mapping[str, Any] = self._files.find(self._path, detail=True)
        sizes = {name.removeprefix(self._path).lstrip("/"): int(file["size"] or 0) for name, file in details.items()}
        return {name: size for name, size in sizes.items() if name and ".." not in PurePosixPath(name).parts}

    def names(self, pattern: str) -> list[str]:
        """The addresses that match a pattern with `*`, in order; without `*`, the address itself. Raises UsageError if
        there is none."""
        if "*" not in pattern:
            return [f"{self.address}/{pattern}"]
        with as_usage_error(), self._as_trouble("can't be read"):
            self._files.invalidate_cache()
            paths = self._files.glob(f"{self._path}/{pattern}")
        if not paths:
            raise UsageError(f"{self.address}/{pattern}: there is no such run")
        return [f"{self.address}{name.removeprefix(self._path)}" for name in sorted(paths)]

    def put(self, folder: Path, names: Sequence[str]) -> None:
        """Send files of a folder. Raises HarnessTrouble(storage)."""
        if names:
            with self._as_trouble("can't be written"):
                targets = [f"{self._path}/{name}" for name in names]
                self._files.put([str(folder / name) for name in names], targets)

    def get(self, folder: Path, names: Sequence[str]) -> None:
        """Download files to a folder, each completely or not at all. Raises HarnessTrouble(storage)."""
        if not names:
            return
        with self._as_trouble("can't be read"):
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=".fetch-", dir=folder) as draft:
                drafts = [Path(draft) / str(number) for number in range(len(names))]
                self._files.get([f"{self._path}/{name}" for name in names], [str(path) for path in drafts])
                for name, path in zip(names, drafts, strict=True):
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
                    path.replace(folder / name)

    def heads(self, names: Sequence[str], length: int) -> list[bytes]:
        """The first bytes of files. Raises HarnessTrouble(storage)."""
        if not names:
            return []
        paths = [f"{self._path}/{name}" for name in names]
        with self._as_trouble("can't be read"):
            heads: list[bytes | Exception] = self._files.cat_ranges(paths, 0, length)
            if error := next((head for head in heads if isinstance(head, Exception)), None):
                raise error
        return [head for head in heads if isinstance(head, bytes)]

    @contextmanager
    def _as_trouble(self, problem: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            raise HarnessTrouble("storage", f"{self.address} {problem}: {first_line(error)}") from error


@contextmanager
def fetched(store: Store, *, pages: bool = True) -> Iterator[Path]:
    """Download everything below an address to a temporary folder of the same name. The address is a run's; without
    `pages`, that of a reports folder, and screenshots and traces are left out."""
    with tempfile.TemporaryDirectory(prefix="longtrail-") as draft:
        folder = Path(draft) / PurePosixPath(store.address).name
        with as_usage_error():
            names = [name for name in store.files() if pages or not _left_out(name)]
            if not names:
                raise UsageError(f"{store.address}: there is nothing here")
            store.get(folder, names)
        yield folder


def _left_out(name: str) -> bool:
    """Whether a file of a reports folder is one of a run's screenshots or traces."""
    parts = name.split("/")
    return parts[0] == "runs" and len(parts) > 3 and parts[2] in LEFT_OUT


@contextmanager
def as_usage_error() -> Iterator[None]:
    """Before a run begins, report an unusable store as a UsageError of the command line."""
    try:
        yield
    except HarnessTrouble as error:
        raise UsageError(error.message) from error


def first_line(error: BaseException) -> str:
    return " ".join(f"{error}".split())[:300] or type(error).__name__


LOCAL_FILES = frozenset(("lock", "controller", "stop"))
"""Files of a run that only concern processes of one machine, and drafts."""
NEVER_CHANGED = ("episodes/", "shots/")
"""Files that never change once they are written."""
SENT_FIRST, SENT_LAST = "run.json", ("results.jsonl", "SHA256SUMS")
"""The order of sending: the manifest first, the checksums last."""
ONLY_GROWING = ("SHA256SUMS",)
"""Files that only grow: the longer one is newer."""
BATCH = 50
"""Files that are sent together."""


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
        return self._store.address

    def claim(self, parts: Mapping[str, str] | None = None, episodes: Collection[str] = ()) -> None:
        """Raise UsageError if the address already has a run or can't be read. `parts`: those of the merged run that is
        to be sent, `episodes`: the files of its episodes; a copy of the same parts that has no other episode is
        completed or sent again."""
        with as_usage_error():
            remote = self._store.files()
        if remote and not (parts and (copy := self.manifest()) is not None and copy.parts == parts):
            raise UsageError(f"{self.address} already contains a run; choose another name")
        if parts and {name for name in remote if name.startswith(NEVER_CHANGED[0])} - set(episodes):
            raise UsageError(
                f"{self.address}: this run was continued after it was merged, and is not replaced; choose another name"
            )

    def manifest(self) -> Manifest | None:
        """The copy's manifest; None if there is no copy. Raises UsageError if it can't be read."""
        with as_usage_error(), tempfile.TemporaryDirectory() as draft:
            if SENT_FIRST not in self._store.files():
                return None
            self._store.get(Path(draft), [SENT_FIRST])
            try:
                return read_manifest(Path(draft))
            except DataError as error:
                raise UsageError(f"{self.address}: {SENT_FIRST} is not the manifest of a run") from error

    def pull(self) -> None:
        """Download what only the copy has. Raises UsageError if an episode differs or can't be read. Files in both
        places keep their local version, except lists that are longer in the copy. Of both books of model calls, the
        larger cost counts as spent. Only the run's controller may call this.
        """
        with as_usage_error():
            remote = self._store.files()
            local = {name: (self.folder / name).stat().st_size for name in remote if (self.folder / name).is_file()}
            self._refuse_other_episodes(remote, local)
            grown = {name for name in local if name in ONLY_GROWING and remote[name] > local[name]}
            self._store.get(self.folder, [name for name in remote if name not in local or name in grown])
            if CALL_BOOK in local:
                self._add_spending()
        for name in remote:
            if name.startswith(NEVER_CHANGED):
                stat = (self.folder / name).stat()
                if stat.st_size == remote[name]:
                    self._sent[name] = (stat.st_size, stat.st_mtime_ns)

    def _refuse_other_episodes(self, remote: Mapping[str, int], local: Mapping[str, int]) -> None:
        """Raise UsageError if an episode in both places differs in its size or in the checksum at its beginning."""
        both = [name for name in local if name.startswith(NEVER_CHANGED[0])]
        as_long = [name for name in both if local[name] == remote[name]]
        heads = dict(zip(as_long, self._store.heads(as_long, HEAD_LENGTH), strict=True))
        for name in both:
            with (self.folder / name).open("rb") as file:
                head = file.read(HEAD_LENGTH)
            if heads.get(name) != head:
                raise UsageError(
                    f"{self.address}: {name} differs from the file in {self.folder}: the run was continued in two "
                    "places; move that folder away to continue from the copy"
                )

    def _add_spending(self) -> None:
        """Calls that were running when a session was lost may have been billed, so they count in both books."""
        with tempfile.TemporaryDirectory() as draft, self._database():
            self._store.get(Path(draft), [CALL_BOOK])
            local, copied = CallBook(self.folder), CallBook(Path(draft))
            for book in (local, copied):
                book.begin_again()
            local.count_spent(copied.spent)

    def push(self) -> int:
        """Send new and changed files; returns how many. Raises HarnessTrouble(storage)."""
        now = {name: (stat.st_size, stat.st_mtime_ns) for name, stat in _stats(self.folder)}
        fresh = [name for name, stamp in now.items() if self._sent.get(name) != stamp]
        others = [name for name in fresh if name not in (SENT_FIRST, *SENT_LAST, CALL_BOOK)]
        batches = [others[start : start + BATCH] for start in range(0, len(others), BATCH)]
        single = [[name] for name in (CALL_BOOK, *SENT_LAST) if name in fresh]
        for names in ([SENT_FIRST] if SENT_FIRST in fresh else [], *batches, *single):
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
            raise HarnessTrouble(
                "storage", f"{self.folder / CALL_BOOK} can't be copied: {first_line(error)}"
            ) from error


def _stats(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Every file of a run that is copied."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        local = (
            name in LOCAL_FILES or name.startswith("running/") or any(part.startswith(".") for part in name.split("/"))
        )
        try:
            if not local and not name.endswith("-journal") and path.is_file():
                yield name, path.stat()
        except FileNotFoundError:
            continue  # it was moved to quarantine just now
