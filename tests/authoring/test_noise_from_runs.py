"""Noise from finished runs: the episodes of a model become a pool."""

from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.noise.pool import load_pool
from longtrail.noise.selection import orthogonal
from longtrail.records.trajectory import Trajectory
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from tests.pytest_plugin.conftest import Runs, runs

__all__ = ["runs"]


@pytest.mark.thorough
def test_a_run_is_retold(runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parts of long-context tasks and whole decision tasks, under plain conditions, each once."""
    run, out = runs.parallel.run, tmp_path / "own" / "pool.jsonl"
    assert main(["record-noise", "--from", str(run.folder), "--out", str(out)]) == 0
    pool = load_pool(out)
    assert f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens" in capsys.readouterr().out
    plain = [t for t in run.episodes() if t.case.noise_tokens in (0, None) and not t.case.relocated and _bare(t)]
    assert plain, "the sample has such cases"
    expected = {f"{t.case.task}.{phase}" for t in plain if t.case.suite == "long_context" for phase in ("a1", "a2")}
    expected |= {t.case.task.lower() for t in plain if t.case.suite != "long_context"}
    assert {noise.id for noise in pool.trajectories} == expected
    played = {t.case.task.lower(): t for t in plain}
    for noise in pool.trajectories:
        name, _, phase = noise.id.partition(".")
        steps = [step for step in played[name].steps if phase in ("", step.phase)]
        assert len(noise.episode.steps) == len(steps)
        assert noise.last_url == steps[-1].outcome.url


def _bare(trajectory: Trajectory) -> bool:
    return trajectory.case.prompt in (None, "raw") and trajectory.case.appeal is None


@pytest.mark.slow
def test_a_task_never_meets_itself_again(runs: Runs, tmp_path: Path) -> None:
    out = tmp_path / "pool.jsonl"
    assert main(["record-noise", "--from", str(runs.parallel.run.folder), "--out", str(out)]) == 0
    pool = load_pool(out)
    for task in load_tasks().values():
        if isinstance(task, LongContextTask):
            assert not {f"{task.id}.a1", f"{task.id}.a2"} & {noise.id for noise in orthogonal(task, pool)}


def test_an_unknown_run_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["record-noise", "--from", "nowhere", "--out", "x"]) == 4
    assert "nowhere" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
