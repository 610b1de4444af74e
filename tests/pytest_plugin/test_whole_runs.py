"""Whole runs: what they leave behind; the same results with any number of workers; trivial agents prove nothing.

`test_every_task.py` checks that the oracle gets the full score on every task, and that a constant decision gets none.
"""

import pytest

from longtrail.commands.main import main
from longtrail.llm.mock.server import MockServer
from longtrail.records.result import Result
from longtrail.runs.store import Run
from tests.pytest_plugin.conftest import SIX, Runs


def outcomes(run: Run) -> list[dict[str, object]]:
    """The results without times."""
    changing = {"seconds", "timing"}
    return [Result.model_dump(result, mode="json", exclude=changing) for result in run.results()]


@pytest.mark.slow
def test_workers_do_not_change_results(runs: Runs) -> None:
    serial, parallel = runs.serial, runs.parallel
    assert (serial.done.code, parallel.done.code) == (0, 0), serial.done.said[-2000:] + parallel.done.said[-2000:]
    assert outcomes(serial.run) == outcomes(parallel.run)
    assert [result.outcome for result in serial.run.results()] == ["passed"] * 4
    assert serial.run.manifest.cases == parallel.run.manifest.cases


def test_without_a_model_litellm_is_imported_nowhere(runs: Runs) -> None:
    imported = runs.parallel.imported
    assert set(imported) == {"main", "gw0", "gw1"}
    for heavy in imported.values():
        assert "litellm" not in heavy
        assert "openai" not in heavy
    assert "playwright" in imported["gw0"], "the list does show what was imported"


@pytest.mark.thorough
def test_a_trivial_agent_scores_nothing(runs: Runs) -> None:
    made = runs.made("constant", "--agent", "constant", *SIX)
    assert made.done.code == 1, made.done.said[-3000:]
    results = made.run.results()
    assert len(results) == len(made.run.manifest.cases) == 6
    assert {result.outcome for result in results} == {"failed"}
    for result in results:
        assert result.number("success" if result.case.suite == "long_context" else "proven") == 0.0, result.case.id


@pytest.mark.thorough
def test_the_oracle_passes_in_any_weather(runs: Runs) -> None:
    made = runs.made("weather", *("-m", "long_context", "--sample", "4"), "--lengths", "0", "--disruptions", "4")
    assert made.done.code == 0, made.done.said[-3000:]
    assert made.run.manifest.options["disruptions"] == 4
    told = [path.read_text(encoding="utf-8") for path in made.run.folder.glob("episodes/*.json")]
    assert any("This is in the way." in text for text in told)


def test_everything_is_written(runs: Runs) -> None:
    run, done = runs.parallel.run, runs.parallel.done
    cases = run.manifest.cases
    assert len(cases) == 4
    assert {path.name for path in run.traces.glob("*.html")} == {f"{case}.html" for case in cases}
    assert len(list((run.folder / "episodes").glob("*.json"))) == 4
    assert list(run.shots.glob("*.webp"))
    page = (run.folder / "index.html").read_text(encoding="utf-8")
    listed = (run.folder / "cases.html").read_text(encoding="utf-8")
    assert all(case in listed for case in cases)
    board = (run.folder.parents[1] / "leaderboard.html").read_text(encoding="utf-8")
    assert "oracle" in board
    session = (run.folder.parents[1] / "report.html").read_text(encoding="utf-8")
    assert all(f"runs/{run.folder.name}/traces/{case}.html" in session for case in cases)
    assert 'href="../../report.html"' in page
    assert "4/4 · 4 passed · 0 failed · 0 invalid" in done.out


def test_provenance_stands_in_every_record(runs: Runs) -> None:
    run = runs.parallel.run
    for trajectory in run.episodes():
        assert trajectory.provenance.data == run.manifest.data
        assert len(trajectory.provenance.task) == 12
        assert "headless" in trajectory.provenance.browser or "chrom" in trajectory.provenance.browser.lower()


def test_rescoring_gives_the_same_bytes(runs: Runs) -> None:
    run = runs.parallel.run
    before = run.results_file.read_bytes()
    assert main(["rescore", str(run.folder)]) == 0
    assert run.results_file.read_bytes() == before


@pytest.mark.thorough
def test_a_failed_and_an_invalid_case_are_told_apart(runs: Runs) -> None:
    """A model server that always fails makes the case invalid, not failed, after three attempts."""
    with MockServer() as server:
        broken = ("--model", "openai/scripted-careful@server_error=503", "--model-arg", f"api_base={server.url}")
        free = ("--model-arg", "api_key=none", "--model-arg", "retries=0")
        made = runs.made("invalid", *broken, *free, "--sample", "1", "--lengths", "0", "--no-shots")
    assert made.done.code == 1
    assert {result.outcome for result in made.run.results()} == {"invalid"}
    assert "1 error" in made.done.out
    assert "0 failed · 1 invalid" in made.done.out
    assert all(len(files) == 3 for files in made.run.attempts().values())
