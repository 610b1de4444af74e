"""Rescore: every intact episode is scored again, and faults are reported."""

from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.errors import DataError
from longtrail.records.trajectory import Provenance, Trouble
from longtrail.report.submission import check_submission
from longtrail.runs.manifest import new_manifest
from longtrail.runs.rescore import rescore, store_tasks, tasks_of
from longtrail.runs.store import Run
from longtrail.tasks.loading import stories_checksum
from tests.made import case, decide, decision_task, investigation, solved, trajectory

TASKS = {"PW-025": decision_task()}
NUMBER = 60


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Cases that pass, fail and are invalid; one of them with a torn file."""
    made = Run.create(tmp_path / "run", new_manifest("run", {}))
    for number in range(NUMBER):
        cell = case(prompt="raw", id=f"case-{number}")
        steps = (*investigation(), decide(4, "DENY" if number % 3 else "APPROVE"))
        broken = Trouble(kind="site_error", message="500") if number % 7 == 0 else None
        made.write_episode(trajectory(steps, cell, trouble=broken))
        if number % 14 == 0:
            made.write_episode(solved(case=cell, attempt=1))
    torn = made.folder / "episodes" / "case-5.a0.json"
    torn.write_bytes(torn.read_bytes()[:200])
    made.close()
    return made


def test_the_results_are_those_of_intact_episodes(run: Run) -> None:
    run.write_results(rescore(run, TASKS))
    assert [name for name, _ in run.quarantined] == ["case-5.a0.json"]
    assert (run.folder / "quarantine" / "case-5.a0.json").exists()
    assert len(run.results()) == NUMBER - 1
    assert {result.outcome for result in run.results()} == {"passed", "failed", "invalid"}


def test_an_unknown_task_is_an_error(run: Run) -> None:
    with pytest.raises(DataError, match="there is no task 'PW-025'"):
        rescore(run, {})


def test_own_tasks_are_part_of_the_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run with own tasks counts as made with other data only if its copy of the tasks was changed."""
    own = decision_task(id="mine", story={"orders": [1]})
    run = Run.create(tmp_path / "run", new_manifest("run", {}, stories_checksum([own])))
    store_tasks(run, [own])
    made = Provenance(longtrail="0", data=run.manifest.data, task="t")
    run.write_episode(solved(case=case(prompt="raw", task="mine"), provenance=made))
    run.close()
    assert main(["rescore", str(run.folder)]) == 0
    assert f"data {run.manifest.data};" in capsys.readouterr().out
    assert check_submission(run, tasks_of(run)).problems == (
        "the run has no plan",
        "1 of the run's tasks do not ship with Longtrail, e.g. mine",
    )
    store_tasks(run, [own.model_copy(update={"story": {"orders": [2]}})])
    main(["rescore", str(run.folder)])
    assert f"data {run.manifest.data} (here " in capsys.readouterr().out


def test_a_torn_file_is_told_and_the_code_is_not_0(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rescore", str(run.folder)]) == 1
    assert "set aside: case-5.a0.json: " in capsys.readouterr().out
