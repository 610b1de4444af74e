"""Check cache: an unchanged run is not read again, and every change is found."""

from pathlib import Path

import pytest

from longtrail.runs.checked import CACHE, check_again, check_run, checked_anew
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from tests.report.pages.made_runs import make_run, results


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Some cases of the oracle, sealed as a session leaves them."""
    run = make_run(tmp_path / "reports", "one", results(["oracle"])[:4])
    seal(run)
    return run


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
    path.write_bytes(path.read_bytes().replace(b"oracle", b"orakel"))
    found = check_again(run)
    assert found.problems() == check_run(run).problems() != whole.problems()
    path.unlink()
    assert check_again(run).problems() == check_run(run).problems() != whole.problems()


def test_a_file_that_can_t_be_read_counts_as_none(run: Run) -> None:
    (run.folder / CACHE).write_text("{")
    assert check_again(run) == check_run(run)
