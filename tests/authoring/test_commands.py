"""Commands for authors: skeletons of tasks, validation of own files, and noise from finished runs."""

from pathlib import Path

import pytest
import yaml

from longtrail.authoring.new_task import SUITES
from longtrail.commands.main import main
from longtrail.noise.pool import load_pool
from longtrail.noise.selection import orthogonal
from longtrail.records.trajectory import Trajectory
from longtrail.tasks.loading import load_tasks, read_tasks
from longtrail.tasks.task import LongContextTask
from tests.authoring.validity.test_faults import SEQUENCES, changed
from tests.pytest_plugin.conftest import Runs, runs


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


@pytest.mark.thorough
def test_the_command_says_file_field_and_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = changed(SEQUENCES["ikea_favorites"], a2__instruction="Put three aside.").model_dump(mode="json")
    own = tmp_path / "mine.yaml"
    own.write_text(yaml.safe_dump([data]), encoding="utf-8")
    assert main(["validate", str(own)]) == 4
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        f"{own}: ikea_favorites.a2.instruction: expected a start that refers to the first part (such as `a while ago`)"
    ]
    assert "1 fault in" in told.err


def test_every_malformed_field_of_every_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = "{suite: app, id: %s, app: {address: 'http://127.0.0.1:9'}, instruction: x, %s}"
    (tmp_path / "a.yaml").write_text(
        f"- {app % ('one', 'key_steps: [{kind: text}], limits: 3')}\n- {app % ('two', 'start: /')}"
    )
    (tmp_path / "b.yaml").write_text("suite: app\nid: three\n  app: x")
    assert main(["validate", str(tmp_path)]) == 4
    told = capsys.readouterr()
    for text in ("one.key_steps.0.name", "one.key_steps.0.text", "one.limits", "two: expected key_steps", "b.yaml: "):
        assert text in told.out, told.out
    assert "5 faults in" in told.err


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
