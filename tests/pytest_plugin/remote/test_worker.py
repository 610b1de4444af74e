"""A worker of a cluster plays units in a pytest session of its own, and sends everything that the run keeps."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from longtrail.options.run_options import Options
from longtrail.pytest_plugin.controller import create
from longtrail.pytest_plugin.remote.worker import local_id
from longtrail.records.trajectory import Contender
from tests.pytest_plugin.pytest_process import ROOT, environment

TEST = "benchmark_tests/test_pathways.py::test_funnel"


def played(tmp_path: Path, *tests: str) -> list[dict[str, Any]]:
    run = create(tmp_path / "runs" / "mine", Options(contenders=(Contender(agent="oracle"),), reports=tmp_path))
    run.close()
    words = [str(ROOT), str(tmp_path), str(run.folder / "run.json"), *tests]
    done = subprocess.run(
        [sys.executable, "-m", "tests.pytest_plugin.remote.play_units", *words],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.thorough
def test_units_are_played_and_sent(tmp_path: Path) -> None:
    """Test ids may begin with other folders on a worker; its messages have the controller's ids."""
    first, second = f"elsewhere/{TEST}[pw-020-raw-r0]", f"{TEST}[pw-022-raw-r0]"
    messages = [
        message for message in played(tmp_path, first, second) if message["kind"] != "progress" or message["files"]
    ]
    steps = [(message["kind"], message["test"]) for message in messages if message["kind"] in ("began", "finished")]
    assert steps == [("began", first), ("finished", first), ("began", second), ("finished", second)]
    finished = [message for message in messages if message["kind"] == "finished"]
    for message, case in zip(finished, ("pw-020-raw-r0", "pw-022-raw-r0"), strict=True):
        assert {f"episodes/{case}.a0.json", f"results/{case}.a0.json", f"traces/{case}.html"} <= set(message["files"])
        assert all(case in file for file in message["files"]), "nothing of another case"
        assert {nodeid for nodeid, _, _ in message["reports"]} == {message["test"]}
        assert {"setup", "call", "teardown"} <= {when for _, when, _ in message["reports"]}
        assert {outcome for _, _, outcome in message["reports"]} == {"passed"}
    assert messages[-1]["files"] == ["workers/far7.json"], "the browser is closed before the worker is"


@pytest.mark.slow
def test_a_test_that_is_not_there_ends_the_run_in_one_line(tmp_path: Path) -> None:
    stopped = played(tmp_path, f"{TEST}[no-such-case]", f"{TEST}[pw-022-raw-r0]")[:2]
    assert [message["kind"] for message in stopped] == ["stopped", "stopped"]
    assert stopped[0]["reason"] == f"worker far7 ended: {TEST}[no-such-case] is not among its tests"


def test_files_with_the_same_name_are_told_apart_by_their_folders() -> None:
    here = ["evals/a/test_it.py::test[x]", "evals/b/test_it.py::test[x]", "evals/b/test_it.py::test[y]"]
    assert local_id("evals/b/test_it.py::test[x]", here) == here[1]
    assert local_id("/home/me/site-packages/a/test_it.py::test[x]", here) == here[0]
    assert local_id("other/test_it.py::test[y]", here) == here[2]
    with pytest.raises(LookupError, match="may be any of evals/a"):
        local_id("c/test_it.py::test[x]", here)
    with pytest.raises(LookupError, match="is not among its tests"):
        local_id("evals/a/test_it.py::test[z]", here)
