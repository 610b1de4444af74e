"""Reading: a large run has many files, so a check reads each of them only once."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longtrail.runs.checked import CACHE, check_again, check_run, checked_as_written
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME, edited, seal
from longtrail.tasks.loading import read_tasks
from longtrail.tasks.task import Task
from tests.runs.file_watch import watched
from tests.runs.test_checked import forge_episode
from tests.runs.test_checked import run as run


@contextmanager
def opened(folder: Path) -> Iterator[Counter[str]]:
    """Counts how often each episode and result below the folder is opened."""
    found = Counter[str]()
    parts = tuple(f"{folder / part}/" for part in ("episodes", "results"))
    with watched(lambda event, path: found.update([path] if event == "open" and path.startswith(parts) else ())):
        yield found


@pytest.fixture
def tasks() -> dict[str, Task]:
    return {task.id: task for task in read_tasks(Path("longtrail/data/tasks/reddit/makers_and_sellers.yaml"))}


def test_a_check_reads_every_file_once(run: Run) -> None:
    with opened(run.folder) as found:
        assert check_run(run).problems() == ()
    assert set(found.values()) == {1}
    assert len(found) == 6, "three episodes and their results"


def test_the_end_of_a_session_reads_every_file_twice(run: Run, tasks: dict[str, Task]) -> None:
    """Once to collect the results, and once for the checksums. What it then knows equals what a check finds."""
    whole = check_run(run)
    (run.folder / NAME).unlink()
    with opened(run.folder) as found:
        results = ScoredCases(run, tasks).collect().results
        run.write_results(results)
        checked = checked_as_written(run, results, seal(run))
    assert checked == whole
    assert max(found.values()) == 2
    (run.folder / "run.json").touch()
    assert check_again(run) == whole


def test_the_end_of_a_session_knows_what_a_check_finds(run: Run, tasks: dict[str, Task]) -> None:
    """A case was lost, and an episode changed since an earlier session."""
    forge_episode(run)
    (run.folder / "episodes" / "three.a0.json").unlink()
    results = ScoredCases(run, tasks).collect().results
    run.write_results(results)
    changed = seal(run)
    assert changed == ("episodes/one.a0.json", "episodes/three.a0.json")
    assert checked_as_written(run, results, changed) == check_run(run)
    assert (run.folder / CACHE).is_file()
    assert set(changed) == set(edited(run))
