"""Example apps, evaluated as by their owners: a Django project's admin, and a Flask app with a log-in and SQLite."""

import shutil
import sqlite3
from pathlib import Path

import pytest
import yaml

from longtrail.commands.main import main
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, Done, run_pytest

for package in ("django", "flask", "axe_playwright_python"):
    pytest.importorskip(package)
pytestmark = pytest.mark.slow
TASKS = ROOT / "examples" / "django_admin" / "tasks"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Done]:
    """Both tasks, played by the oracle and by an agent that does nothing, on two workers with an app each."""
    reports = tmp_path_factory.mktemp("reports")
    done = run_pytest(
        *(f"--tasks={TASKS}", "-m", "app", "--agent", "oracle", "--agent", "nothing", "-n", "2"),
        *(f"--reports={reports}", "--run", "django"),
    )
    return Run.open(reports / "runs" / "django"), done


def test_the_reference_passes_and_doing_nothing_fails(played: tuple[Run, Done]) -> None:
    run, done = played
    assert done.code == 1, done.said
    outcomes = {result.case.id: result.outcome for result in run.results()}
    assert outcomes == {
        "refund_order-r0-oracle": "passed",
        "missing_parcel-r0-oracle": "passed",
        "refund_order-r0-nothing": "failed",
        "missing_parcel-r0-nothing": "failed",
    }
    by_id = {result.case.id: result for result in run.results()}
    missed = {step.name: step.reason for step in by_id["refund_order-r0-nothing"].key_steps if not step.hit}
    assert missed["refunded"] == "at the end it is 'paid', not 'refunded'"
    assert by_id["missing_parcel-r0-oracle"].metrics["investigation"].value is True
    assert by_id["refund_order-r0-oracle"].category == "refunds"


def test_each_worker_had_an_app_and_a_database_of_its_own(played: tuple[Run, Done]) -> None:
    run, _ = played
    logs = sorted(path.name for path in run.folder.glob("app-*.log"))
    assert logs == ["app-gw0.log", "app-gw1.log"]
    for worker in ("gw0", "gw1"):
        with sqlite3.connect(TASKS.parent / f"shop-{worker}.sqlite3") as db:
            assert db.execute("SELECT count(*) FROM shop_order").fetchone() == (4,)


def test_the_run_stands_in_every_report(played: tuple[Run, Done], capsys: pytest.CaptureFixture[str]) -> None:
    run, done = played
    assert "key_step_rate" in done.out
    assert "Your own apps" in (run.folder.parents[1] / "leaderboard.html").read_text()
    assert "refund_order-r0-oracle.html" in {path.name for path in run.traces.iterdir()}
    assert main(["rescore", str(run.folder)]) == 0  # by the tasks that the run keeps
    assert (
        main(["compare", str(run.folder), str(run.folder), "--contender-a", "oracle", "--contender-b", "nothing"]) == 0
    )
    said = capsys.readouterr().out
    assert "success" in said
    assert "refund_order" in said


def test_the_example_is_valid(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(TASKS)]) == 0
    assert "2 tasks are valid" in capsys.readouterr().out


def test_a_command_that_ends_at_once_is_told(tmp_path: Path) -> None:
    (tmp_path / "apps.yaml").write_text("dead: {command: ['{python}', -c, 'raise SystemExit(\"no settings\")']}\n")
    task = "{suite: app, id: dead, app: dead, instruction: x, key_steps: [{kind: text, name: a, text: a}]}"
    (tmp_path / "dead.yaml").write_text(task)
    done = run_pytest(f"--tasks={tmp_path}", "-m", "app", "--agent", "nothing", f"--reports={tmp_path / 'r'}")
    assert done.code == 1, done.said
    assert "no settings" in done.out
    assert "1 invalid" in done.out


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example, with the recording as a task, and a task whose reference meets an error."""
    folder = tmp_path_factory.mktemp("flask") / "orders"
    shutil.copytree(ROOT / "examples" / "flask_orders", folder)
    shutil.copy(Path(__file__).parent / "data" / "report.yaml", folder / "tasks")
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
