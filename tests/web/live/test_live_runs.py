"""Whole runs with `--web live`: the names of the real sites lead to replicas on this machine."""

from pathlib import Path

import pytest

from longtrail.gate.comparison import compare
from longtrail.runs.baseline import scores_of
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import run_pytest
from tests.web.live.replicas import replicas

TASK, SITE = "ikea_favorites", "www.ikea.com"


def live_run(folder: Path, address: str, *more: str) -> tuple[int, str, Run]:
    hosts = [f"--live-host={name}={address}" for name in (SITE, "www.google.com")]
    words = ("--task", TASK, "--lengths", "0", "--no-shots", f"--reports={folder}", "-q")
    done = run_pytest(*words, "--run", "live", "--web", "live", *hosts, *more)
    return done.code, done.said, Run.open(folder / "runs" / "live")


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("reports")
    with replicas() as address:
        code, said, run = live_run(folder, address)
    assert code == 0, said
    return run


@pytest.mark.slow
def test_the_same_task_by_the_same_checks(finished: Run) -> None:
    (result,) = finished.results()
    assert result.outcome == "passed"
    assert result.provenance.web == "live"
    assert finished.manifest.options["web"] == "live"
    assert finished.manifest.options["live_commits"] == "hold"
    trajectory = finished.valid_episode(result.case.id)
    assert trajectory is not None
    assert any(SITE in request.url for step in trajectory.steps for request in step.requests)


@pytest.mark.thorough
def test_live_and_embedded_runs_are_not_comparable(finished: Run, tmp_path: Path) -> None:
    words = ("--task", TASK, "--lengths", "0", "--no-shots", f"--reports={tmp_path}", "-q", "--run", "embedded")
    assert run_pytest(*words).code == 0
    found = compare(scores_of(Run.open(tmp_path / "runs" / "embedded")), scores_of(finished))
    assert any(line.startswith("--web: embedded in A, live in B") for line in found.warnings)
    gated = run_pytest(*words[:-1], "gated", f"--baseline={finished.folder}")
    assert gated.code == 7, gated.said
    assert "--web" in gated.said


@pytest.mark.thorough
def test_a_site_that_keeps_robots_out_makes_the_case_invalid(tmp_path: Path) -> None:
    with replicas(blocked=SITE) as address:
        code, said, run = live_run(tmp_path, address)
    assert code == 1, said
    (result,) = run.results()
    assert result.outcome == "invalid"
    assert result.trouble is not None
    assert result.trouble.kind == "anti_bot"
    assert "403" in result.trouble.message
    assert result.metrics["error_category"].value == "other"
    assert list(run.episode_files(result.case.id)) == [0], "a blocked case is not played again"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_decision_tasks_have_no_live_web(tmp_path: Path, workers: tuple[str, ...]) -> None:
    done = run_pytest("--task", "pw-05?", "--web", "live", f"--reports={tmp_path}", "-q", "-m", "raw", *workers)
    assert done.code == 4
    assert "has no live version; only long_context tasks have one: add -m long_context" in done.said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--live-commits", "allow"), "--live-commits: needs --web live"),
        (("--live-host", "a.example.com=http://127.0.0.1:1"), "--live-host: needs --web live"),
        (("--web", "live", "--live-host", "a.example.com"), "--live-host: expected KEY=VALUE"),
        (("--web", "live", "--live-host", "a.example.com=http://10.0.0.1:80"), "a site on this machine"),
    ],
)
def test_options_that_can_not_work(words: tuple[str, ...], says: str) -> None:
    done = run_pytest("--collect-only", "-q", *words)
    assert done.code == 4
    assert says in done.said
