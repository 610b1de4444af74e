"""Runs that are kept at an address: they survive the machine, shards meet there, and a store may fail or hang."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem

from longtrail.commands.main import main
from longtrail.pytest_plugin.artifacts import Artifacts
from longtrail.runs.checked import check_run
from longtrail.runs.object_store import Mirror, Store, fetched
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment, machine, run_pytest
from tests.runs.test_merging import played

WORDS = ("-q", "-m", "raw and not appeal", "--task", "pw-025", "--task", "pw-055", "--run=night")
RESUME = (*WORDS[:-1], "--resume=night")


def episodes(store: Store) -> dict[str, int]:
    return {name: size for name, size in store.files().items() if name.startswith("episodes/")}


@pytest.mark.thorough
def test_a_machine_is_lost_and_another_one_goes_on(
    s3: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.items():
        monkeypatch.setenv(name, value)
    here, other, third = (machine(tmp_path / name) for name in ("lost", "other", "third"))
    address = "s3://lab/sessions"
    store = Store(f"{address}/runs/night")
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *WORDS, f"--reports={address}"]
    lost = subprocess.Popen(
        command,
        cwd=here,
        env=environment(**s3),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while not episodes(store) and time.monotonic() < deadline:
        assert lost.poll() is None
        time.sleep(0.1)
    os.killpg(lost.pid, signal.SIGKILL)
    lost.wait()
    sent = episodes(store)
    assert len(sent) == 1

    done = run_pytest(*RESUME, f"--reports={address}", cwd=other, env=environment(**s3))
    assert done.code == 0, done.said[-3000:]
    assert f"copy:        {store.address}" in done.out
    assert sent.items() <= episodes(store).items()
    with fetched(store) as folder:
        run = Run.open(folder)
        assert len(run.results()) == 2
        assert check_run(run).problems() == ()
        assert (folder / "index.html").is_file()
    again = run_pytest(*WORDS, f"--reports={address}", cwd=third, env=environment(**s3))
    assert again.code == 4
    assert "already contains a run" in again.err


@pytest.mark.slow
def test_a_store_that_can_not_be_written_ends_the_session_before_it_plays(s3: dict[str, str], tmp_path: Path) -> None:
    done = run_pytest(*WORDS, "--reports=s3://no-such-bucket/x", cwd=machine(tmp_path / "here"), env=environment(**s3))
    assert (done.code, done.err.strip().count("\n")) == (4, 0), done.said[-3000:]
    assert "s3://no-such-bucket/x/runs/night can't be" in done.err


@pytest.mark.thorough
@pytest.mark.parametrize("gated", [False, True])
def test_a_store_that_is_gone_at_the_end_leaves_the_whole_run_here(tmp_path: Path, gated: bool) -> None:
    """A copy that is not complete is told by the exit code, also if the gate has a verdict."""
    place = tmp_path / "kept"
    env = environment(LOST_PLACE=str(place))
    here = machine(tmp_path / "here")
    words = (*WORDS, f"--reports=file://{place}")
    if gated:
        main = run_pytest(*WORDS[:-1], "--run=main", cwd=here)
        assert main.code == 0, main.said[-3000:]
        words = (*words, "--baseline=main")
    done = run_pytest("-p", "tests.pytest_plugin.lost_place", *words, cwd=here, env=env)
    assert ("gate: NO REGRESSION FOUND" in done.out) == gated
    assert done.code == 4, done.said[-3000:]
    assert "can't be written: " in done.out
    assert "--resume=night sends what is missing" in done.out
    run = Run.open(here / "reports" / "runs" / "night")
    assert [result.outcome for result in run.results()] == ["passed"] * 2
    assert check_run(run).problems() == ()


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
    gate = ("--baseline=own.json", "--gate=strict")
    assert main(["merge", "part-*of3", "--reports=s3://lab/own", "--into=gated", *gate]) == 6


class SilentFiles(LocalFileSystem):  # type: ignore[misc]
    """A store that answers nothing while `silent` is set."""

    protocol = "silent"
    silent = threading.Event()
    go_on = threading.Event()

    def put_file(self, *args: Any, **kwargs: Any) -> None:
        if self.silent.is_set():
            self.go_on.wait()
        super().put_file(*args, **kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_mkdir": True})


@pytest.fixture
def silent_place(tmp_path: Path) -> Iterator[str]:
    fsspec.register_implementation("silent", SilentFiles, clobber=True)
    yield f"silent://{tmp_path / 'kept'}"
    SilentFiles.go_on.set()
    SilentFiles.silent.clear()


def test_a_store_that_hangs_is_told_at_the_end(tmp_path: Path, silent_place: str) -> None:
    run = played(tmp_path / "runs" / "night", ("one",))
    artifacts = Artifacts(Mirror(run.folder, silent_place), patience=0.2)
    SilentFiles.silent.set()
    (run.folder / "report.html").write_text("another page")
    told: list[str] = []
    terminal = SimpleNamespace(write_line=lambda line, **_: told.append(line))
    config = SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=lambda _: terminal))
    session = SimpleNamespace(exitstatus=1, config=config)
    end = artifacts.pytest_sessionfinish(session)
    next(end)
    with pytest.raises(StopIteration):
        end.send(None)
    assert session.exitstatus == 4
    (line,) = told
    assert "has not answered for 0.2 s; the whole run is in" in line
