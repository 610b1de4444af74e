"""`longtrail runs` lists the runs, and deletes the named ones with their lines of the leaderboard."""

from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from tests.report.pages.made_runs import make_run, results


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Two finished runs; one episode of the second is lost."""
    for name in ("first", "second"):
        seal(make_run(tmp_path, name, results(["oracle"])[:4]))
    next((tmp_path / "runs" / "second" / "episodes").iterdir()).unlink()
    return tmp_path


def test_runs_are_listed(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", f"--reports={reports}"]) == 0
    first, second = capsys.readouterr().out.splitlines()[2:]
    assert first.split()[:2] == ["first", "oracle"]
    assert " complete" in first
    assert "3 of 4  incomplete" in second
    assert first.endswith(" MB")


def test_a_run_is_deleted(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "rm", "first", f"--reports={reports}"]) == 0
    assert not (reports / "runs" / "first").exists()
    assert (reports / "runs" / "second").is_dir()
    assert "runs/first/" not in (reports / "leaderboard.html").read_text("utf-8")
    assert f"deleted {reports / 'runs' / 'first'}" in capsys.readouterr().out


def test_an_unknown_run_or_one_that_is_played_is_kept(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "rm", "first", "secnod", f"--reports={reports}"]) == 4
    assert "did you mean second" in capsys.readouterr().err
    playing = Run.open(reports / "runs" / "first")
    playing.lock()
    try:
        assert main(["runs", "rm", "first", f"--reports={reports}"]) == 4
    finally:
        playing.close()
    assert "is in use by process" in capsys.readouterr().err
    assert (reports / "runs" / "first").is_dir()
    assert main(["runs", f"--reports={reports / 'none'}"]) == 4
