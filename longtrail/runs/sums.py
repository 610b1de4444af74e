"""Sums: the SHA-256 of every file behind a run's scores, in the format of `sha256sum`, and a hash chain over them.

The controller writes the list at the end of a session. A written line is not replaced, so later edits of a file are
reported, also when the run is resumed or scored again. Only the lines of results are replaced, because scoring writes
them again. Somebody who rewrites both list and files is not detected (docs/integrity.md), unless the chain was
published: it changes with any line.
"""

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from longtrail.runs.atomic_file import write_whole
from longtrail.runs.attempts import is_intact
from longtrail.runs.store import Run

NAME = "SHA256SUMS"
SCORED = ("results.jsonl", "results/")
"""Files that scoring writes; their lines are replaced."""
LISTED = ("episodes", "results", "quarantine", "begun")
"""Folders whose files are listed."""
_CHAIN = "# chain "


def seal(run: Run, rewritten: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Write the list. Returns the files that were changed or removed since an earlier session listed them.
    `rewritten`: files that this session wrote anew -> their sums before, which the list should have. Raises
    HarnessTrouble(storage)."""
    before, _ = _read(run)
    again = {f"episodes/{path.name}" for path in (run.folder / "quarantine").glob("*.json") if not is_intact(path)}
    again |= {name for name, digest in (rewritten or {}).items() if before.get(name) == digest}
    unchanged_lines = {name: line for name, line in before.items() if not name.startswith(SCORED) and name not in again}
    now = {name: sum_of(run.folder / name) for name in _files(run)}
    sums = dict(sorted({**now, **unchanged_lines}.items()))
    lines = (f"{digest}  {name}\n" for name, digest in sums.items())
    write_whole(run.folder / NAME, f"{''.join(lines)}{_CHAIN}{_chain(sums)}\n".encode())
    return tuple(name for name, digest in sorted(unchanged_lines.items()) if now.get(name) != digest)


def edited(run: Run, known: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Files that were changed, added or removed since the run's last session ended; the list itself, if its chain does
    not match or is missing although the run was finished. `known`: sums of files that were just read."""
    if not (run.folder / NAME).is_file():
        return (NAME,) if run.results_file.is_file() else ()
    sums, chain = _read(run)
    files, known = set(_files(run)), known or {}
    now = {name: known.get(name) or sum_of(run.folder / name) for name in sums if name in files}
    changed = [name for name in sums if now.get(name) != sums[name]]
    return (*([] if _chain(sums) == chain else [NAME]), *changed, *sorted(files - set(sums)))


def chain_of(run: Run) -> str:
    """The chain of a run with a list; empty for others."""
    return _read(run)[1]


def sums_of(run: Run) -> dict[str, str]:
    """File -> its sum, for a run with a list; empty for others."""
    return _read(run)[0]


def _files(run: Run) -> Iterable[str]:
    folders = ((part, path) for part in LISTED for path in (run.folder / part).glob("*.json"))
    names = [f"{part}/{path.name}" for part, path in folders]
    return [*(name for name in ("run.json", "results.jsonl") if (run.folder / name).is_file()), *sorted(names)]


def _read(run: Run) -> tuple[dict[str, str], str]:
    """File -> its sum, and the chain; empty if there is no list."""
    try:
        lines = (run.folder / NAME).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}, ""
    sums = {name: digest for digest, separator, name in (line.partition("  ") for line in lines) if separator}
    return sums, next((line.removeprefix(_CHAIN) for line in lines if line.startswith(_CHAIN)), "")


def _chain(sums: Mapping[str, str]) -> str:
    """Each hash covers the previous hash and one line."""
    link = ""
    for name, digest in sorted(sums.items()):
        link = hashlib.sha256(f"{link}{digest}  {name}\n".encode()).hexdigest()
    return link


def sum_of(path: Path) -> str:
    """A file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
