"""Tasks of a user's own: `--tasks DIR` and the ini file's `longtrail_tasks` play them beside the shipped ones."""

import json
from pathlib import Path

import pytest
import yaml

from longtrail.commands.main import main
from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.runs.manifest import data_checksum
from longtrail.runs.rescore import tasks_of
from longtrail.runs.store import Run
from longtrail.tasks.cases import Conditions, plan, sample
from longtrail.tasks.loading import load_tasks, read_own_tasks
from longtrail.yaml_file import read_yaml
from tests.pytest_plugin.pytest_process import ROOT, run_pytest
from tests.tasks.examples import long_context

SHOP = ROOT / "examples" / "shop_task" / "umbrella.yaml"
CASES = {"ex-umbrella-raw-r0", "my_trains-0-r0"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop case and a long-context task that are not shipped, in a project whose ini file names their folder."""
    folder = tmp_path_factory.mktemp("project") / "own"
    folder.mkdir()
    trains = dict(read_yaml(TASKS / "long_context" / "transit.yaml")[0])
    del trains["number"]
    shop = read_yaml(SHOP)[0]
    (folder / "trains.yaml").write_text(yaml.safe_dump({**trains, "id": "my_trains"}))
    (folder / "shop.yaml").write_text(yaml.safe_dump({**shop, "category": "broken_on_arrival"}))
    (folder.parent / "pytest.ini").write_text("[pytest]\nlongtrail_tasks = own\naddopts = -p no:cacheprovider\n")
    return folder


@pytest.mark.slow
def test_own_tasks_are_played_gated_and_scored_as_ours(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a project whose ini file names the folder: the oracle passes both kinds, in a world with their stories; a
    second run is gated by the first; the run can be scored without the folder."""
    project = folder.parent
    wanted = ("-m", "own and not appeal and (raw or noise_0)", "--lengths", "0", "--no-shots")
    command = (str(ROOT / "benchmark_tests"), "-c", str(project / "pytest.ini"), "--rootdir", str(ROOT), *wanted)
    reports = project / "reports"
    first = run_pytest(*command, f"--reports={reports}", "--run", "one")
    assert first.code == 0, first.said
    run = Run.open(reports / "runs" / "one")
    assert {result.case.id for result in run.results()} == CASES
    assert all(result.outcome == "passed" for result in run.results())
    assert "broken_on_arrival" in {result.category for result in run.results()}
    assert run.manifest.data != data_checksum()  # the world has more records
    second = run_pytest(*command, f"--reports={reports}", "--run", "two", f"--baseline={reports}/runs/one")
    assert second.code in (0, 6), second.said
    kept = project / "own-away"
    folder.rename(kept)
    try:
        assert {"EX-UMBRELLA", "my_trains"} <= set(tasks_of(run))
        assert main(["rescore", str(run.folder)]) == 0
    finally:
        kept.rename(folder)
    assert "2 results" in capsys.readouterr().out


def test_own_tasks_are_marked_and_sampled(folder: Path) -> None:
    own = read_own_tasks(folder)
    cases = plan({**load_tasks(), **own}, Conditions(lengths=(0,), relocated=False), own=own)
    assert {one.task.id for one in cases if "own" in one.markers} == set(own)
    drawn = sample([one for one in cases if "own" in one.markers], 1, 0)
    assert len({one.task.id for one in drawn}) == 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "there is no such folder"),
        ("", "expected task files"),
        (json.dumps(long_context(id="ikea_favorites")), "a shipped task has this id"),
        (json.dumps({**long_context(), "hots": 1}), "hots"),
    ],
)
def test_a_folder_that_can_not_be_played_is_told_before_anything_is(
    tmp_path: Path, content: str | None, told: str
) -> None:
    folder = tmp_path / "own"
    if content is not None:
        folder.mkdir()
        if content:
            (folder / "a.yaml").write_text(content)
    with pytest.raises(DataError, match=told):
        read_own_tasks(folder)


def test_a_fault_in_a_task_file_is_told_before_workers_start(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(json.dumps({**long_context(), "hots": 1}))
    done = run_pytest(f"--tasks={tmp_path}", "-m", "own", "-n", "2", f"--reports={tmp_path / 'r'}")
    assert done.code == 4, done.said
    assert "hots" in done.err
    assert " in " not in done.out, "the session should not begin"


def test_an_app_that_is_not_there_is_told_before_anything_is_played(tmp_path: Path) -> None:
    task = "{suite: app, id: gone, app: {address: 'http://127.0.0.1:9'}, instruction: x, key_steps: [%s]}"
    (tmp_path / "gone.yaml").write_text(task % "{kind: text, name: a, text: a}")
    done = run_pytest(f"--tasks={tmp_path}", "-m", "app", "--agent", "nothing", f"--reports={tmp_path / 'r'}")
    assert done.code == 4, done.said
    assert "gone: app.address: http://127.0.0.1:9 does not answer" in done.said
    assert not (tmp_path / "r").exists()
