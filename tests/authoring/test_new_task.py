"""`longtrail new-task`: every skeleton is a task file of its suite, and is never written over another file."""

from pathlib import Path

import pytest

from longtrail.authoring.new_task import SUITES
from longtrail.commands.main import main
from longtrail.tasks.loading import read_tasks


@pytest.mark.parametrize("suite", SUITES)
def test_a_skeleton_can_be_read(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-task", "my_task", "--suite", suite, "--out", str(tmp_path / "tasks")]) == 0
    (task,) = read_tasks(tmp_path / "tasks" / "my_task.yaml")
    assert (task.suite, task.id) == (suite, "my_task")
    assert "longtrail validate" in capsys.readouterr().out


def test_nothing_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-task", "one", "--out", str(tmp_path)]) == 0
    assert main(["new-task", "one", "--out", str(tmp_path)]) == 4
    assert "exists already" in capsys.readouterr().err
    assert main(["new-task", "no spaces", "--out", str(tmp_path)]) == 4
    assert "can't be the id" in capsys.readouterr().err


@pytest.mark.thorough  # both worlds are crawled
@pytest.mark.parametrize("suite", ["shopping_admin", "reddit"])
def test_what_a_skeleton_lacks_is_told_in_lines(suite: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-task", "my_task", "--suite", suite, "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["validate", str(tmp_path)]) == 4
    told = capsys.readouterr()
    assert "my_task.reference.justification" in told.out
    assert all(line.startswith(str(tmp_path)) for line in told.out.splitlines())
    assert "faults in" in told.err
