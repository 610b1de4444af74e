"""Exit codes of real sessions, serial and with workers: the gate alone decides, whatever pytest and plugins set."""

import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from longtrail.errors import UsageError
from longtrail.gate.findings import GateReport
from longtrail.runs.baseline import Scores, read_scores, write_baseline
from longtrail.runs.store import Run
from tests.pytest_plugin.conftest import Runs
from tests.pytest_plugin.conftest import runs as runs
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

WORKERS = pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "parallel"])
EXIT_WITH_ONE = """
import pytest
@pytest.hookimpl(wrapper=True)
def pytest_sessionfinish(session):
    done = yield
    session.exitstatus |= 3
    return done
"""
RENAMING = """
import os
import sys

def told(event, args):
    if event == "os.rename":
        with open(os.environ["RENAMED"], "a") as file:
            print(os.path.basename(args[1]), file=file)

sys.addaudithook(told)
"""
"""Records the name of every file that this process renames a temporary file to."""
BROKEN_FIXTURE = """
import pytest
@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef):
    if fixturedef.argname == "longtrail_first_parts":
        raise RuntimeError("no room")
"""


ONE_CASE = ("--agent", "nothing", "--task", "pw-025", "-m", "raw and not appeal", "--no-shots")
"""The cheapest run there is: its one case fails, so pytest alone would exit with 1."""


@pytest.fixture
def baseline_run(runs: Runs) -> Path:
    """The folder of a finished run of ONE_CASE."""
    return runs.made("gate-base", *ONE_CASE).run.folder


@pytest.fixture
def baseline_scores(baseline_run: Path) -> Scores:
    return read_scores(baseline_run)


def session(tmp_path: Path, *args: str, plugin: str = "", **env: str) -> tuple[Done, GateReport | None]:
    """A new run, and the report of its gate."""
    (tmp_path / "extra_plugin.py").write_text(plugin)
    more = ("-p", "extra_plugin") if plugin else ()
    changes = environment(PYTHONPATH=str(tmp_path), **env)
    done = run_pytest("-q", f"--reports={tmp_path / 'reports'}", "--run=mine", *args, *more, env=changes)
    file = tmp_path / "reports" / "runs" / "mine" / "gate.json"
    return done, GateReport.model_validate_json(file.read_bytes()) if file.exists() else None


@pytest.mark.thorough
def test_a_failed_case_that_failed_before_is_no_regression(tmp_path: Path, baseline_run: Path) -> None:
    """pytest's code is 1 and a plugin adds 2, but the gate's rules decide. One case can't be conclusive.

    Results and pages are written only once: after the verdict, which the pages show.
    """
    summary = tmp_path / "summary.md"
    told = {"GITHUB_STEP_SUMMARY": str(summary), "RENAMED": str(tmp_path / "renamed")}
    plugin = RENAMING + EXIT_WITH_ONE
    done, report = session(tmp_path, *ONE_CASE, f"--baseline={baseline_run}", plugin=plugin, **told)
    assert report is not None, done.said[-3000:]
    assert (report.verdict, report.exit_code, done.code) == ("NO REGRESSION FOUND", 0, 0), done.said[-3000:]
    assert "gate: NO REGRESSION FOUND" in done.out
    assert summary.read_text().startswith("## Longtrail gate: NO REGRESSION FOUND")
    assert report.suites[0].primary.pairs == 1
    renamed = (tmp_path / "renamed").read_text().splitlines()
    once = ("results.jsonl", "leaderboard.html", "index.html", "cases.html", "cases.js")
    assert {name: renamed.count(name) for name in once} == dict.fromkeys(once, 1)
    assert renamed.index("results.jsonl") < renamed.index("index.html")
    assert "NO REGRESSION FOUND" in (tmp_path / "reports/runs/mine/index.html").read_text()


@pytest.mark.thorough
def test_a_strict_gate_fails_and_the_report_is_plain(
    tmp_path: Path, baseline_run: Path, baseline_scores: Scores
) -> None:
    """With workers, and with the file that `longtrail baseline` makes instead of the run's folder."""
    file = write_baseline(baseline_scores, tmp_path / "base.json")
    wrong = {"GITHUB_STEP_SUMMARY": str(tmp_path)}
    rules = ("--gate=strict", "--margin=0.1")
    done, _ = session(tmp_path, *ONE_CASE, "-n", "2", f"--baseline={file}", *rules, plugin=EXIT_WITH_ONE, **wrong)
    assert done.code == 6, done.said[-3000:]
    assert f"{tmp_path} can't be written" in done.out
    found: dict[str, Any] = json.loads((tmp_path / "reports" / "runs" / "mine" / "gate.json").read_text())
    assert found["verdict"] == "NO REGRESSION FOUND"
    assert found["rules"]["margin"] == 0.1
    assert found["suites"][0]["primary"]["endpoint"] == "proven"
    assert found["before"] == f"{baseline_run.name} (nothing)"


@pytest.mark.thorough
@WORKERS
def test_a_broken_fixture_is_invalid(tmp_path: Path, baseline_run: Path, workers: tuple[str, ...]) -> None:
    done, report = session(tmp_path, *ONE_CASE, *workers, f"--baseline={baseline_run}", plugin=BROKEN_FIXTURE)
    assert done.code == 7, done.said[-3000:]
    assert report is not None
    assert report.verdict == "INVALID"


@pytest.mark.sampled(4, ci=2)
@WORKERS
def test_what_can_not_be_compared_is_not_played(
    tmp_path: Path, baseline_scores: Scores, workers: tuple[str, ...]
) -> None:
    other = baseline_scores.model_copy(
        update={"manifest": baseline_scores.manifest.model_copy(update={"data": "000000000000"})}
    )
    file = write_baseline(other, tmp_path / "base.json")
    done, report = session(tmp_path, *ONE_CASE, *workers, f"--baseline={file}")
    assert done.code == 7, done.said[-3000:]
    assert report is not None
    assert "data version: 000000000000 in the baseline" in report.reasons[0]
    assert "gate: INVALID: data version" in done.said
    assert list(Run.open(tmp_path / "reports" / "runs" / "mine").episodes()) == []


def test_no_case_at_all_is_pytests_own_and_not_green(tmp_path: Path, baseline_run: Path) -> None:
    done, report = session(tmp_path, *ONE_CASE, "-m", "raw and hint", f"--baseline={baseline_run}")
    assert done.code == 5, done.said[-3000:]
    assert report is None
    assert not (tmp_path / "reports").exists()


def _answer_once(server: socket.socket) -> None:
    with server:
        server.accept()[0].close()


def test_an_invalid_case_is_never_green(tmp_path: Path, baseline_scores: Scores) -> None:
    """The agent's server answers when the run begins, and is gone later."""
    server = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{server.getsockname()[1]}"
    threading.Thread(target=_answer_once, args=(server,), daemon=True).start()
    mine = baseline_scores.contenders[0].model_copy(update={"agent": address})
    file = write_baseline(baseline_scores.model_copy(update={"contenders": (mine,)}), tmp_path / "base.json")
    done, report = session(tmp_path, *ONE_CASE[2:], "--agent", address, f"--baseline={file}")
    assert done.code == 7, done.said[-3000:]
    assert report is not None
    assert "1 of 1 cases of this run are invalid" in report.reasons[0]


def test_there_is_no_run_in_a_folder_without_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no run here"):
        read_scores(tmp_path)
