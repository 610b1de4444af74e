"""What a run leaves behind: episodes, results, traces, the session's page, the leaderboard; and scoring it again."""

import subprocess
import sys

import pytest

from longtrail.llm.mock.server import MockServer
from tests.pytest_plugin.conftest import Runs


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
    command = [sys.executable, "-m", "longtrail", "rescore", str(run.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
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
