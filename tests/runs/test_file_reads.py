"""Files of a large run: each is read as seldom as possible, an unchanged run not at all, and every change is found."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.runs.checked import CACHE, check_again, check_run, checked_anew, checked_as_written
from longtrail.runs.manifest import add_overridden, new_manifest
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME, edited, seal, sum_of
from tests.made import case, solved
from tests.runs.test_checked import TASKS, forge_episode
from tests.runs.test_checked import run as run

_TOLD: list[Callable[[str, str], object]] = []


def _look(event: str, words: tuple[object, ...]) -> None:
    for tell in _TOLD if event in ("open", "os.scandir", "os.listdir") else ():
        tell(event, str(words[0]))


sys.addaudithook(_look)  # a hook can't be removed: there is one


@contextmanager
def touched(folder: Path) -> Iterator[Counter[str]]:
    """Counts what is opened and listed below the folder: `open run.json`, `list episodes`."""
    found = Counter[str]()

    def tell(event: str, path: str) -> None:
        if path.startswith(f"{folder}/"):
            found[f"{'open' if event == 'open' else 'list'} {path.removeprefix(f'{folder}/')}"] += 1

    _TOLD.append(tell)
    try:
        yield found
    finally:
        _TOLD.remove(tell)


def read_cases(found: Counter[str]) -> list[int]:
    """How often each file of an episode or a result was opened."""
    return [count for name, count in found.items() if name.startswith(("open episodes/", "open results/"))]


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[Run]:
    made = Run.create(tmp_path / "runs" / "mine", new_manifest("mine", {}))
    yield made
    made.close()


def write(begun: Run, name: str, *attempts: int) -> None:
    for attempt in attempts:
        begun.write_episode(solved(case=case(prompt="raw", id=name), attempt=attempt))


def test_a_process_reads_the_manifest_once(begun: Run) -> None:
    begun.plan(["a", "b"])
    with touched(begun.folder) as found:
        for _ in range(5):
            assert Run.open(begun.folder).manifest.cases == ("a", "b")
    assert found["open run.json"] == 1


def test_a_manifest_that_was_replaced_is_read_again(begun: Run) -> None:
    """By this object, by another one, by another process, and by hand."""
    begun.plan(["a"])
    assert begun.manifest.cases == ("a",)
    Run.open(begun.folder).plan(["a", "b"])
    assert begun.manifest.cases == ("a", "b")
    path = begun.folder / "run.json"
    text = path.read_text()
    path.write_text(text.replace('"b"', '"c"'))
    os.utime(path, ns=(1, 1))
    assert begun.manifest.cases == ("a", "c")
    path.write_text("{")
    with pytest.raises(DataError):
        _ = begun.manifest
    path.write_text(text)
    assert begun.manifest.cases == ("a", "b")


def test_the_folder_is_not_listed_for_a_case(begun: Run) -> None:
    write(begun, "a", 0, 1)
    with touched(begun.folder) as found:
        for name in ("a", "b", "c"):
            before = list(begun.episode_files(name))
            write(begun, name, 1 + max(before, default=-1))
            assert list(begun.episode_files(name)) == [len(before), *before]
    assert not found["list episodes"]


def test_attempts_of_other_processes_are_seen(begun: Run) -> None:
    assert begun.episode_files("a") == {}
    other = Run.open(begun.folder)
    write(other, "a", 0, 1)
    assert [path.name for path in begun.episode_files("a").values()] == ["a.a1.json", "a.a0.json"]
    write(other, "a", *range(2, 12))
    assert list(begun.episode_files("a")) == list(range(11, -1, -1))


def test_gaps_hide_no_attempt(begun: Run) -> None:
    """Files may be in quarantine, or lost."""
    write(begun, "a", 0, 30)
    write(begun, "b", 0)
    assert list(begun.episode_files("a")) == [30, 0]
    write(begun, "b", 4)
    (begun.folder / "episodes" / "b.a0.json").unlink()
    assert list(begun.episode_files("b")) == [4]
    write(begun, "c", 2)
    assert list(begun.episode_files("c")) == [2]


def test_a_check_reads_every_file_once(run: Run) -> None:
    with touched(run.folder) as found:
        assert check_run(run).problems() == ()
    assert read_cases(found) == [1] * 6, "three episodes and their results"


def test_the_end_of_a_session_reads_every_file_twice(run: Run) -> None:
    """Once to collect the results, and once for the checksums. What it then knows equals what a check finds."""
    whole = check_run(run)
    (run.folder / NAME).unlink()
    with touched(run.folder) as found:
        results = ScoredCases(run, TASKS).collect().results
        run.write_results(results)
        checked = checked_as_written(run, results, seal(run))
    assert checked == whole
    assert max(read_cases(found)) == 2
    (run.folder / "run.json").touch()
    assert check_again(run) == whole


def test_the_end_of_a_session_knows_what_a_check_finds(run: Run) -> None:
    """A case was lost, and an episode changed since an earlier session."""
    forge_episode(run)
    (run.folder / "episodes" / "three.a0.json").unlink()
    results = ScoredCases(run, TASKS).collect().results
    run.write_results(results)
    changed = seal(run)
    assert changed == ("episodes/one.a0.json", "episodes/three.a0.json")
    assert checked_as_written(run, results, changed) == check_run(run)
    assert (run.folder / CACHE).is_file()
    assert set(changed) == set(edited(run))


def test_a_later_session_may_add_to_the_manifest(run: Run) -> None:
    """Which fixtures a project overrides is known once they are used. A manifest that was edited before stays so."""
    seal(run)
    path = run.folder / "run.json"
    before = {"run.json": sum_of(path)}
    add_overridden(run.folder, ["longtrail_agent"])
    assert seal(run, before) == ()
    assert edited(run) == ()
    path.write_text(path.read_text("utf-8") + " ", encoding="utf-8")
    before = {"run.json": sum_of(path)}
    add_overridden(run.folder, ["longtrail_prompt"])
    assert seal(run, before) == ("run.json",)


def test_the_same_is_found_again(run: Run) -> None:
    found = check_again(run)
    assert found == check_run(run)
    assert check_again(run) == found
    assert (run.folder / CACHE).is_file()


def test_an_unchanged_run_is_not_read(run: Run) -> None:
    """The cached result is used; `checked_anew` reads the files instead."""
    check_again(run)
    kept = run.folder / CACHE
    kept.write_text(kept.read_text().replace('"edited":[]', '"edited":["kept"]'))
    assert check_again(run).edited == ("kept",)
    assert checked_anew(run).edited == ()
    assert check_again(run).edited == ()


@pytest.mark.parametrize("part", ["episodes", "results"])
def test_a_change_is_found(run: Run, part: str) -> None:
    whole = check_again(run)
    path = next((run.folder / part).iterdir())
    path.write_bytes(path.read_bytes().replace(b"my:agent", b"my:agemt"))
    found = check_again(run)
    assert found.problems() == check_run(run).problems() != whole.problems()
    path.unlink()
    assert check_again(run).problems() == check_run(run).problems() != whole.problems()


def test_a_file_that_can_t_be_read_counts_as_none(run: Run) -> None:
    (run.folder / CACHE).write_text("{")
    assert check_again(run) == check_run(run)
