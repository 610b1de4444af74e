"""Whole runs: the same results with any number of workers; trivial agents prove nothing; nothing unneeded is imported.

`test_every_task.py` checks that the oracle gets the full score on every task, and that a constant decision gets none.
"""

import pytest

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
