"""Tasks on a small app with a log-in and SQLite: one in YAML, one from a recording, one that meets a server error."""

import shutil
from pathlib import Path

import pytest
import yaml

from longtrail.commands.main import main
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, run_pytest

pytest.importorskip("flask")
pytest.importorskip("axe_playwright_python")
REPORT = """
- suite: app
  id: report
  app: orders
  start: /login
  instruction: Read the report.
  no_server_error: true
  accessibility: true
  reference:
  - {fill: {role: textbox, name: Name, text: clerk}}
  - {fill: {role: textbox, name: Password, text: pass}}
  - {click: {role: button, name: Log in}}
  - {click: {role: link, name: Report}}
  - {finish: There are no figures.}
"""


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, with the recording as a task, and a task whose reference meets an error."""
    folder = tmp_path_factory.mktemp("flask") / "orders"
    shutil.copytree(ROOT / "examples" / "flask_orders", folder)
    (folder / "tasks" / "report.yaml").write_text(REPORT)
    recorded = f"{folder / 'recorded.py'}::test_recorded_refund"
    assert main(["import", "playwright", recorded, "--app", "orders", "--out", str(folder / "tasks")]) == 0
    return folder


def test_a_recording_becomes_a_task(orders: Path) -> None:
    (task,) = yaml.safe_load((orders / "tasks" / "test_recorded_refund.yaml").read_text())
    assert task["start"] == "/login"
    assert task["key_steps"] == [
        {"name": "1-refunded", "kind": "text", "text": "Refunded"},
        {"name": "2-orders-12", "kind": "url", "paths": ["/orders/12"]},
    ]
    assert task["reference"][0] == {"fill": {"role": "textbox", "name": "Name", "text": "clerk"}}
    assert task["reference"][-2] == {"click": {"role": "button", "name": "Refund"}}
    assert main(["validate", str(orders / "tasks")]) == 0


@pytest.mark.slow
def test_the_oracle_plays_them(orders: Path, tmp_path: Path) -> None:
    done = run_pytest(f"--tasks={orders / 'tasks'}", "-m", "app", "-n", "2", f"--reports={tmp_path}", "--run", "r")
    assert done.code == 1, done.said
    results = {result.case.task: result for result in Run.open(tmp_path / "runs" / "r").results()}
    outcomes = {task: result.outcome for task, result in results.items()}
    assert outcomes == {"refund": "passed", "test_recorded_refund": "passed", "report": "failed"}
    (missed,) = results["report"].key_steps
    assert missed.name == "no_server_error"
    assert missed.reason.endswith("/report was answered with 500 at step 4")
    assert results["report"].number("server_errors") == 1
    assert results["report"].number("console_errors") == 1
    assert "no figures" in results["report"].metrics["console_errors"].reason
    assert results["report"].number("accessibility_violations") == 0
    assert "accessibility_violations" not in results["refund"].metrics
    assert results["refund"].number("server_errors") == results["refund"].number("console_errors") == 0
