"""Faults of the machine, as a user sees them: one clear line, an exit code other than 0, no loss (docs/faults.md)."""

import json
import os
import threading
from pathlib import Path

import pytest
from werkzeug import Request, Response

from longtrail.agents.agent import Equipment, Move
from longtrail.agents.spec import AgentSpec
from longtrail.browser.launcher import defaults
from longtrail.commands.main import main
from longtrail.errors import AgentError
from longtrail.runs.store import Run
from tests.agents.views import task, view
from tests.episode.flask_shop import served
from tests.gate.test_exit_codes import ONE_CASE
from tests.pytest_plugin.conftest import Runs
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

TWO = ("-m", "raw and not appeal", "--task", "pw-025", "--task", "pw-055", "--no-shots")


def one_line(done: Done, words: str) -> None:
    assert done.code not in (0, 3), done.said[-3000:]
    assert len([line for line in done.said.splitlines() if words in line]) >= 1, done.said[-3000:]
    assert "INTERNALERROR" not in done.said


@pytest.mark.slow
def test_a_report_folder_that_can_t_be_written(tmp_path: Path) -> None:
    """No user can make a folder below a file. Permissions of a folder would not stop root."""
    (tmp_path / "file").write_text("")
    done = run_pytest(*TWO, f"--reports={tmp_path / 'file' / 'reports'}")
    one_line(done, "can't be made: Not a directory")
    assert done.code == 4


@pytest.mark.thorough
@pytest.mark.parametrize("shard", [(), ("--shard", "2/2")], ids=["whole", "shard"])
def test_a_disk_that_is_full_loses_nothing_that_was_written(tmp_path: Path, shard: tuple[str, ...]) -> None:
    """The episodes can't be written, smaller files can. When there is space, the run can be resumed. The exit code
    is not that of a failed case."""
    said, lost = (*TWO, f"--reports={tmp_path}", *shard), 1 if shard else 2
    done = run_pytest(*said, "--run=mine", "-p", "tests.pytest_plugin.full_disk")
    one_line(done, "storage: ")
    assert done.code == 7
    (run,) = map(Run.open, (tmp_path / "runs").iterdir())
    assert len(run.missing()) == lost
    assert f"{lost} planned cases were not run" in done.out
    assert not list((run.folder / "episodes").iterdir()), "no half of an episode is left"
    rest = run_pytest(*said, f"--resume={run.folder.name}")
    assert rest.code == 0, rest.said[-3000:]


@pytest.mark.slow
def test_a_disk_that_is_full_at_the_end_is_not_a_failed_case(tmp_path: Path) -> None:
    said = (*TWO, "--agent", "nothing", f"--reports={tmp_path}")
    env = environment(FULL_AT_END="yes")
    done = run_pytest(*said, "--run=mine", "-p", "tests.pytest_plugin.full_disk", env=env)
    assert done.code == 7, done.said[-3000:]
    assert "the results could not be written: storage: " in done.out
    assert "Traceback" not in done.said
    rest = run_pytest(*said, "--resume=mine")
    assert rest.code == 1, rest.said[-3000:]
    assert not Run.open(tmp_path / "runs" / "mine").missing()


@pytest.mark.slow
def test_a_run_is_controlled_by_one_process(runs: Runs) -> None:
    """Another process can neither start a run of this name nor resume it; the first process' files don't change."""
    run = runs.made("gate-base", *ONE_CASE).run
    before = run.results_file.read_bytes()
    run.lock()
    for words in ("--run=gate-base", "--resume=gate-base"):
        done = run_pytest(*ONE_CASE, f"--reports={run.folder.parents[1]}", words)
        one_line(done, f"is in use by process {os.getpid()}")
        assert done.code == 4
        assert "Traceback" not in done.said
    run.close()
    assert run.results_file.read_bytes() == before


@pytest.mark.thorough
def test_a_clock_that_jumps_changes_nothing(runs: Runs) -> None:
    jumping = ("-p", "tests.pytest_plugin.jumping_clock")
    plain, jumped = runs.made("clock-plain", *TWO), runs.made("clock-jumped", *jumping, *TWO)
    assert (plain.done.code, jumped.done.code) == (0, 0), jumped.done.said[-3000:]
    changing = {"seconds", "timing"}
    first, second = ([one.model_dump(exclude=changing) for one in made.run.results()] for made in (plain, jumped))
    assert first == second
    assert all(0 <= result.seconds < 3600 for result in jumped.run.results())


@pytest.mark.thorough
def test_a_torn_list_of_results_is_told_and_made_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It stops neither other runs of the folder nor commands."""
    done = run_pytest(*TWO, f"--reports={tmp_path}", "--run=mine")
    assert done.code == 0, done.said[-3000:]
    run = Run.open(tmp_path / "runs" / "mine")
    whole = run.results_file.read_bytes()
    run.results_file.write_bytes(whole[:-200])
    assert main(["report", "--reports", str(tmp_path)]) == 1
    assert "results.jsonl: line 2" in capsys.readouterr().out
    other = run_pytest(*TWO, f"--reports={tmp_path}", "--run=other")
    assert other.code == 0, other.said[-3000:]
    assert main(["rescore", str(run.folder)]) == 1
    assert run.results_file.read_bytes() == whole
    assert main(["rescore", str(run.folder)]) == 0


@pytest.mark.thorough
def test_another_runs_damaged_manifest_costs_only_the_pages(tmp_path: Path) -> None:
    (tmp_path / "runs" / "old").mkdir(parents=True)
    (tmp_path / "runs" / "old" / "run.json").write_text("{")
    done = run_pytest(*TWO, f"--reports={tmp_path}", "--run=new")
    assert done.code == 0, done.said[-3000:]
    assert f"the pages could not be written: {tmp_path / 'runs' / 'old' / 'run.json'}: is not the manifest" in done.said
    assert len(Run.open(tmp_path / "runs" / "new").results()) == 2


def test_no_browser_keeps_pages_in_dev_shm() -> None:
    """Otherwise a full one can crash them. (Playwright also sets this, but not for the browser of a CDP agent.)"""
    assert "--disable-dev-shm-usage" in defaults().arguments


def test_an_answer_to_a_case_that_was_given_up_reaches_no_other() -> None:
    """The server answers with the episode's name: the first request when it is too late, all others at once."""
    asked: list[str] = []
    go_on, page = threading.Event(), view("main\n text")

    @Request.application
    def late(request: Request) -> Response:
        episode = json.loads(request.get_data())["episode"]
        asked.append(episode)
        if len(asked) == 1:
            go_on.wait(60)
        return Response(json.dumps({"action": {"type": "finish", "answer": episode}}))

    with served(late) as address:
        factory = AgentSpec.parse(address).factory
        given_up = factory(task(), Equipment(options={"timeout": "0.5"}))
        with pytest.raises(AgentError, match="longer than"):
            given_up.act(page)
        episodes = set()
        for _ in range(3):
            move = factory(task(), Equipment()).act(page)
            go_on.set()
            assert isinstance(move, Move)
            assert move.action is not None
            assert move.action.type == "finish"
            episodes.add(move.action.answer)
    assert len(episodes) == 3
