"""Rescore: workers' results are used as long as they fit the episodes, all others are scored again; faults are told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.records.result import Result
from longtrail.records.trajectory import Provenance, Trouble
from longtrail.report.submission import check_submission
from longtrail.runs.manifest import new_manifest
from longtrail.runs.rescore import ScoredCases, rescore, store_tasks, tasks_of
from longtrail.runs.store import Run
from longtrail.tasks.loading import stories_checksum
from tests.made import case, decide, decision_task, investigation, solved, trajectory

TASKS = {"PW-025": decision_task()}
NUMBER = 60


@pytest.fixture
def mixed(tmp_path: Path) -> Run:
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


def test_the_results_are_those_of_intact_episodes(mixed: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Torn files are told, and the exit code is not 0."""
    assert main(["rescore", str(mixed.folder)]) == 1
    assert "set aside: case-5.a0.json: " in capsys.readouterr().out
    assert (mixed.folder / "quarantine" / "case-5.a0.json").exists()
    assert len(mixed.results()) == NUMBER - 1
    assert {result.outcome for result in rescore(mixed, TASKS)} == {"passed", "failed", "invalid"}


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


PLAYED = Trouble(kind="site_error", message="500")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Four cases as workers leave them: passed, failed, passed at the second attempt, invalid twice."""
    made = Run.create(tmp_path / "run", new_manifest("run", {}))
    scored = ScoredCases(made, TASKS)
    cells = [case(prompt="raw", id=f"case-{number}") for number in range(4)]
    wrong = trajectory((*investigation(), decide(4, "DENY")), cells[1])
    broken = [trajectory(investigation(), cell, trouble=PLAYED) for cell in cells]
    for attempts in (
        [solved(case=cells[0])],
        [wrong],
        [broken[2], solved(case=cells[2], attempt=1)],
        [broken[3], broken[3].model_copy(update={"attempt": 1})],
    ):
        for attempt in attempts:
            made.write_episode(attempt)
        scored.score(attempts[-1])
    made.close()
    return made


def rescored(run: Run) -> tuple[Result, ...]:
    return tuple(sorted(rescore(run, TASKS), key=lambda result: result.case.id))


def test_what_fits_is_not_scored_again(run: Run) -> None:
    """A worker's result whose digest fits is used, whatever it says: this does not protect from forgery."""
    scored = ScoredCases(run, TASKS)
    honest = scored.collect().results[1]
    scored._write(honest.model_copy(update={"reason": "as the worker said"}))
    assert scored.collect().results[1].reason == "as the worker said"
    assert scored.collect().changed == ()


def test_what_is_collected_has_the_bytes_of_a_rescoring(run: Run) -> None:
    expected = rescored(run)
    assert [result.outcome for result in expected] == ["passed", "failed", "passed", "invalid"]
    collected = ScoredCases(run, TASKS).collect()
    assert collected.changed == ()
    run.write_results(collected.results)
    before = run.results_file.read_bytes()
    run.write_results(expected)
    assert run.results_file.read_bytes() == before


def test_a_result_that_is_missing_is_made(run: Run) -> None:
    """Its worker died between episode and result."""
    for file in (run.folder / "results").glob("*.json"):
        file.unlink()
    collected = ScoredCases(run, TASKS).collect()
    assert (collected.results, collected.changed) == (rescored(run), ())
    assert (run.folder / "results" / "case-0.a0.json").exists()


def forge_result(run: Run) -> None:
    path = run.folder / "results" / "case-1.a0.json"
    path.write_bytes(path.read_bytes().replace(b'"outcome":"failed"', b'"outcome":"passed"'))


def tear_result(run: Run) -> None:
    path = run.folder / "results" / "case-1.a0.json"
    path.write_bytes(path.read_bytes()[:200])


def exchange_episode(run: Run) -> None:
    """Replaces it by another whole episode with the right checksum."""
    run.write_episode(solved(case=case(prompt="raw", id="case-1")))


@pytest.mark.parametrize("change", [forge_result, tear_result, exchange_episode])
def test_a_result_that_does_not_fit_is_made_again_and_told(run: Run, change: Callable[[Run], None]) -> None:
    change(run)
    collected = ScoredCases(run, TASKS).collect()
    assert collected.changed == ("case-1",)
    assert collected.results == rescored(run)


def test_results_of_another_task_or_other_data_do_not_fit(run: Run) -> None:
    other = decision_task()
    other = other.model_copy(update={"truth": other.truth.model_copy(update={"optimal": "DENY"})})
    assert set(ScoredCases(run, {"PW-025": other}).collect().changed) == {"case-0", "case-1", "case-2", "case-3"}
    manifest = run.folder / "run.json"
    manifest.write_text(manifest.read_text().replace(run.manifest.data, "0" * 12))
    assert "case-0" in ScoredCases(run, TASKS).collect().changed


def test_a_torn_episode_is_put_aside_with_its_result(run: Run) -> None:
    torn = run.folder / "episodes" / "case-0.a0.json"
    torn.write_bytes(torn.read_bytes()[:200])
    collected = ScoredCases(run, TASKS).collect()
    assert [result.case.id for result in collected.results] == ["case-1", "case-2", "case-3"]
    assert [name for name, _ in run.quarantined] == ["case-0.a0.json"]


def test_a_resumed_run_takes_the_latest_valid_result(run: Run) -> None:
    scored = ScoredCases(run, TASKS)
    assert [getattr(scored.valid_result(f"case-{number}"), "outcome", None) for number in range(4)] == [
        "passed",
        "failed",
        "passed",
        None,
    ]
    for file in (run.folder / "results").glob("*.json"):
        file.unlink()
    assert getattr(scored.valid_result("case-1"), "outcome", None) == "failed"
