"""Attempts and manifest: thousands of cases don't make each of them slower."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.runs.manifest import new_manifest
from longtrail.runs.store import Run
from tests.made import case, solved
from tests.runs.file_watch import watched


@contextmanager
def used(*paths: Path) -> Iterator[Counter[str]]:
    """Counts how often each of these files is opened, and each of these folders is read."""
    found, names = Counter[str](), {str(path): path.name for path in paths}
    flushed = {str(path) for path in paths if path.is_dir()}  # after each new file

    def told(event: str, path: str) -> None:
        if path in names and not (event == "open" and path in flushed):
            found[names[path]] += 1

    with watched(told):
        yield found


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run.create(tmp_path / "runs" / "mine", new_manifest("mine", {}))
    yield made
    made.close()


def write(run: Run, name: str, *attempts: int) -> None:
    for attempt in attempts:
        run.write_episode(solved(case=case(prompt="raw", id=name), attempt=attempt))


def test_a_process_reads_the_manifest_once(run: Run) -> None:
    run.plan(["a", "b"])
    with used(run.folder / "run.json") as found:
        for _ in range(5):
            assert Run.open(run.folder).manifest.cases == ("a", "b")
    assert found == {"run.json": 1}


def test_a_manifest_that_was_replaced_is_read_again(run: Run) -> None:
    """By this object, by another one, by another process, and by hand."""
    run.plan(["a"])
    assert run.manifest.cases == ("a",)
    Run.open(run.folder).plan(["a", "b"])
    assert run.manifest.cases == ("a", "b")
    path = run.folder / "run.json"
    text = path.read_text()
    path.write_text(text.replace('"b"', '"c"'))
    os.utime(path, ns=(1, 1))
    assert run.manifest.cases == ("a", "c")
    path.write_text("{")
    with pytest.raises(DataError):
        _ = run.manifest
    path.write_text(text)
    assert run.manifest.cases == ("a", "b")


def test_the_folder_is_not_listed_for_a_case(run: Run) -> None:
    write(run, "a", 0, 1)
    with used(run.folder / "episodes") as found:
        for name in ("a", "b", "c"):
            before = list(run.episode_files(name))
            write(run, name, 1 + max(before, default=-1))
            assert list(run.episode_files(name)) == [len(before), *before]
    assert not found


def test_attempts_of_other_processes_are_seen(run: Run) -> None:
    assert run.episode_files("a") == {}
    other = Run.open(run.folder)
    write(other, "a", 0, 1)
    assert [path.name for path in run.episode_files("a").values()] == ["a.a1.json", "a.a0.json"]
    write(other, "a", *range(2, 12))
    assert list(run.episode_files("a")) == list(range(11, -1, -1))


def test_gaps_hide_no_attempt(run: Run) -> None:
    """Files may be in quarantine, or lost."""
    write(run, "a", 0, 30)
    write(run, "b", 0)
    assert list(run.episode_files("a")) == [30, 0]
    write(run, "b", 4)
    (run.folder / "episodes" / "b.a0.json").unlink()
    assert list(run.episode_files("b")) == [4]
    write(run, "c", 2)
    assert list(run.episode_files("c")) == [2]
