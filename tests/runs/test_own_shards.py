"""Own tasks and tasks on an own app in shards: kept on an S3 server, and merged on a machine without tasks and app."""

import os
import shutil
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

PAGES = """\
import http.server, sys
class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Shop</title><h1>Shop</h1><a href=/orders/12>Order 12</a>")
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Pages).serve_forever()
"""
APPS = 'shop: {command: ["{python}", pages.py, "{port}"], folder: .}\n'
TASK = """\
suite: app
id: %s
app: shop
instruction: Open order 12.
key_steps: [{kind: url, name: order, paths: [/orders/12]}]
reference: [{click: {role: link, name: Order 12}}]
"""
PLAN = {"ex-umbrella-raw-r0", "first_order-r0", "second_order-r0"}


@pytest.mark.thorough
def test_shards_of_own_tasks_meet_at_an_address(
    tmp_path: Path, s3: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three machines, each with a copy of the tasks in a folder of its own; a fourth has only the address."""
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "pages.py").write_text(PAGES)
    (tasks / "apps.yaml").write_text(APPS)
    for name in ("first_order", "second_order"):
        (tasks / f"{name}.yaml").write_text(TASK % name)
    shutil.copy(ROOT / "examples" / "shop_task" / "umbrella.yaml", tasks)
    wanted = ("-m", "own and not appeal and not hint and not explicit", "--no-shots")
    shipped = (str(ROOT / "benchmark_tests"), "-c", str(ROOT / "pyproject.toml"))
    for number in (1, 2, 3):
        machine = tmp_path / str(number)
        mine = shutil.copytree(tasks, machine / f"tasks{number}")
        shard = ("--shard", f"{number}/3", "--run=part", "--reports=s3://lab/own", "--rootdir", str(machine))
        words = (*shipped, *shard, f"--tasks={mine}", *wanted)
        done = run_pytest("-q", *words, cwd=machine, env=environment(**s3))
        assert done.code == 0, done.said[-3000:]
        shutil.rmtree(mine)
    shutil.rmtree(tasks)
    monkeypatch.chdir(tmp_path)
    for name, value in s3.items():
        monkeypatch.setitem(os.environ, name, value)
    assert main(["merge", "part-*of3", "--reports", "s3://lab/own"]) == 0, capsys.readouterr()
    merged = Run.open(tmp_path / "reports" / "runs" / "part")
    assert {result.case.id for result in merged.results()} == PLAN
    assert all(result.outcome == "passed" for result in merged.results())
    assert len(list(merged.folder.glob("app-main-*of3.log"))) == 2
    assert main(["rescore", str(merged.folder)]) == 0
    assert main(["baseline", str(merged.folder), "--out", "own.json"]) == 0
    assert main(["merge", "part-*of3", "--reports", "s3://lab/own", "--into", "gated", "--baseline", "own.json"]) == 6
