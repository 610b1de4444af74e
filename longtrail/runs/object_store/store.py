"""Store: the files below an address such as `s3://bucket/longtrail`, through fsspec."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from longtrail.errors import HarnessTrouble, UsageError

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
