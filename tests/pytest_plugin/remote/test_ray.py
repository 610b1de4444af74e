"""Cases on a real Ray cluster of processes: the same results as without Ray, lost nodes, and refused commands.

python -m pytest tests/pytest_plugin/remote/test_ray.py --all      # needs pip install 'longtrail[ray]'
"""

import json
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.noise.pool import POOL
from longtrail.runs.store import Run
from tests.pytest_plugin.held_servers import LATENCY, one_at_a_time
from tests.pytest_plugin.pytest_process import ROOT, environment
from tests.pytest_plugin.remote.ray_machines import Cluster, alone, run
from tests.pytest_plugin.test_sharding import without_times

SAID = ("-q", "-m", "noise_0 or noise_25k or raw and not appeal", "--sample", "4", "--seed", "3", "--no-shots")


@pytest.fixture(scope="module")
def whole(project: Path) -> Run:
    """The run of one process."""
    done = run(project, *SAID, "--run", "whole")
    assert done.code == 0, done.said[-3000:]
    return Run.open(project / "reports" / "runs" / "whole")


@pytest.mark.thorough
def test_a_cluster_makes_the_run_of_one_process(cluster: Cluster, project: Path, whole: Run) -> None:
    done = run(project, *SAID, "--run", "far", "--ray", cluster.address, "--ray-workers", "2")
    assert done.code == 0, done.said[-3000:]
    far = Run.open(project / "reports" / "runs" / "far")
    assert without_times(far) == without_times(whole)
    assert far.manifest.cases == whole.manifest.cases
    assert sorted(path.name for path in far.traces.iterdir()) == sorted(path.name for path in whole.traces.iterdir())
    assert {path.name for path in (far.folder / "workers").iterdir()} == {"ray0.json", "ray1.json"}
    assert not list((far.folder / "running").glob("*"))


@contextmanager
def once(found: Callable[[], object], act: Callable[[], object]) -> Iterator[None]:
    """While the block runs, act once this is found."""
    over = threading.Event()

    def wait() -> None:
        while not found():
            if over.wait(0.05):
                return
        act()

    waiting = threading.Thread(target=wait)
    waiting.start()
    try:
        yield
    finally:
        over.set()
        waiting.join(60)


@pytest.mark.thorough
def test_a_node_that_is_killed_costs_nothing(cluster: Cluster, project: Path, whole: Run) -> None:
    """Two nodes are killed while workers play. Unfinished cases are played elsewhere, and the results are the same."""
    folder = project / "reports" / "runs" / "killed"
    victims = [cluster.join(), cluster.others.pop()]
    with once(lambda: list(folder.glob("running/*.json")), lambda: [cluster.kill(node) for node in victims]):
        done = run(project, *SAID, "--run", "killed", "--ray", cluster.address, "--ray-workers", "3")
    cluster.others.append(cluster.join())
    assert done.code == 0, done.said[-3000:]
    killed = Run.open(folder)
    assert without_times(killed) == without_times(whole)
    assert all(len(files) == 1 for files in killed.attempts().values())


@pytest.mark.thorough
def test_an_agent_of_the_project_that_ends_its_worker(cluster: Cluster, project: Path) -> None:
    """Its code is sent to the nodes. It is unknown who ended the worker: the case is invalid, the others are played."""
    words = ("--agent", "my_agent:make", "--agent-arg", "leaves=slippers", "-m", "raw and not appeal", "--no-shots")
    tasks = ("--task", "pw-025", "--task", "pw-055", "--task", "pw-001")
    ray = ("--ray", cluster.address, "--ray-workers", "2")
    done = run(project, "-q", *words, *tasks, *ray, "--run", "own")
    assert done.code == 1, done.said[-3000:]
    results = Run.open(project / "reports" / "runs" / "own").results()
    assert sorted(result.outcome for result in results) == ["failed", "failed", "invalid"], done.said[-3000:]
    assert [result.trouble.kind for result in results if result.trouble] == ["worker_crash"]
    assert "1 error" in done.out
    assert "2 failed" in done.out


@pytest.mark.thorough
def test_an_agent_gets_the_packages_and_variables_that_it_needs(cluster: Cluster, project: Path) -> None:
    words = ("--agent", "needy_agent:make", "--task", "pw-025", "-m", "raw and not appeal", "--no-shots", "-q")
    far = ("--ray", cluster.address, "--ray-workers", "1", "--ray-runtime-env", "needs.yaml")
    done = run(project, *words, *far, "--run", "needy")
    assert done.code == 1, done.said[-3000:]
    (episode,) = Run.open(project / "reports" / "runs" / "needy").episodes()
    assert episode.ends[-1].detail == "far away with a helper"


@pytest.mark.thorough
def test_the_first_failure_ends_it(cluster: Cluster, project: Path) -> None:
    words = ("--agent", "my_agent:make", "-m", "raw and not appeal", "--sample", "20", "--no-shots", "-x")
    done = run(project, "-q", *words, "--run", "first", "--ray", cluster.address, "--ray-workers", "2")
    assert done.code == 1, done.said[-3000:]
    assert "stopping after 1 failures" in done.out
    first = Run.open(project / "reports" / "runs" / "first")
    assert first.missing()
    rest = run(project, "-q", *words[:-1], "--resume=first", "--ray", cluster.address, "--ray-workers", "2")
    assert rest.code == 1, rest.said[-3000:]
    assert len(first.results()) == 20
    assert all(len(files) == 1 for files in first.attempts().values()), "no finished case is played again"


@pytest.mark.thorough
def test_ctrl_c_ends_it_and_leaves_what_was_finished(cluster: Cluster, project: Path) -> None:
    words = ("-q", "-m", "raw and not appeal", "--no-shots", "--run", "stopped", "--ray", cluster.address)
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "benchmark_tests", *words]
    with subprocess.Popen(command, cwd=project, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        folder = project / "reports" / "runs" / "stopped"
        waiting = threading.Event()
        while not list(folder.glob("results/*.json")) and process.poll() is None:
            waiting.wait(0.1)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=400)
    assert process.returncode == 2, said[-3000:]
    assert "--resume=stopped" in said
    stopped = Run.open(folder)
    assert stopped.results()
    assert stopped.missing()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--ray-workers 2", "--ray-workers: needs --ray"),
        ("--ray-runtime-env needs.yaml", "--ray-runtime-env: needs --ray ADDRESS"),
        ("--ray --ray-runtime-env needs.yaml", "--ray-runtime-env: needs --ray ADDRESS"),
        ("--ray {address} --ray-runtime-env wrong.yaml", "wrong.yaml: working_dir: "),
        ("--ray {address} -n 2", "--ray and -n: give only one of them"),
        (f"--ray {{address}} --noise-pool {POOL}", f"--noise-pool {POOL}: on a cluster, name it by"),
        (
            "--ray {address} --model openai/x --model-arg api_base={model} --record=tape",
            "--record: the calls would stay",
        ),
        ("--ray ray://127.0.0.1:10001", "expected HOST:PORT, auto, or nothing"),
        ("--ray 127.0.0.1:1", "--ray 127.0.0.1:1: no Ray cluster answers there"),
    ],
)
def test_what_can_not_be_is_told_in_one_line(cluster: Cluster, project: Path, words: str, told: str) -> None:
    with MockServer() as server:
        given = words.format(address=cluster.address, model=server.url).split()
        done = run(project, *SAID, *given, "--run", "refused")
    assert done.code == 4, done.said[-3000:]
    assert told in done.said
    assert "Traceback" not in done.said
    assert not (project / "reports" / "runs" / "refused").exists()


@pytest.mark.thorough
def test_a_node_with_other_data_is_refused(cluster: Cluster, project: Path, tmp_path: Path) -> None:
    """The controller's copy of the package differs from that of the nodes."""
    shutil.copytree(ROOT / "longtrail", tmp_path / "longtrail", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "markers.ini", tmp_path)
    (tmp_path / "longtrail" / "data" / "more.yaml").write_text("a: b\n")
    words = ("benchmark_tests", *SAID, "--run", "refused", "--ray", cluster.address)
    done = alone(*words, cwd=project, PYTHONPATH=str(tmp_path))
    assert done.code == 4, done.said[-3000:]
    assert "data is " in done.said
    assert "all must be alike" in done.said
    assert not (project / "reports" / "runs" / "refused").exists()


@pytest.mark.thorough
def test_without_ray_its_package_is_named(tmp_path: Path) -> None:
    """Also if Ray is installed: here its import fails."""
    (tmp_path / "ray.py").write_text("raise ImportError('not here')\n")
    done = alone(*SAID, "--ray", f"--reports={tmp_path / 'reports'}", PYTHONPATH=str(tmp_path))
    assert done.code == 4, done.said[-3000:]
    assert "--ray: needs Ray (not here): pip install 'longtrail[ray]'" in done.said
    assert not (tmp_path / "reports").exists()


@pytest.mark.thorough
def test_one_machine_needs_no_cluster(tmp_path: Path) -> None:
    """The model calls of its workers share the limits of the run."""
    pytest.importorskip("ray")
    from longtrail.llm.call_book import CallBook

    with MockServer(latency=LATENCY) as server:
        model = ("--model", "openai/scripted-finisher", "--model-arg", f"api_base={server.url}")
        prices = ("--model-arg", "input_cost_per_token=1e-6", "--model-arg", "output_cost_per_token=1e-6")
        words = ("-q", "-m", "raw and not appeal", "--sample", "6", "--no-shots", "--budget=50", "--concurrency=1")
        ray = ("--ray", "--ray-workers=2", f"--reports={tmp_path}", "--run=limited")
        done = alone(*words, *model, *prices, *ray)
        assert done.code == 1, done.said[-3000:]
        run = Run.open(tmp_path / "runs" / "limited")
        results = run.results()
        assert {result.outcome for result in results} == {"failed"}
        spent = sum(result.usage.usd or 0.0 for result in results)
        assert CallBook(run.folder).spent == pytest.approx(spent)
        assert len(server.requests) == sum(result.usage.calls for result in results)
        assert one_at_a_time(server.requests)
    assert json.loads((run.folder / "run.json").read_bytes())["options"]["ray"] == "local"


@pytest.mark.thorough
def test_a_lost_head_node_ends_the_run_in_order(project: Path, whole: Run) -> None:
    """Ray ends a process that can't reach its head for a minute. Before that, the session writes what it has, and the
    same command continues it on another cluster."""
    pytest.importorskip("ray")
    folder = project / "reports" / "runs" / "headless"
    made = Cluster()
    try:
        with once(lambda: list(folder.glob("episodes/*.json")), made.kill_head):
            done = run(project, *SAID, "--run", "headless", "--ray", made.address, "--ray-workers", "1")
    finally:
        made.close()
    lost = Run.open(folder)
    assert done.code == (4 if lost.missing() else 0), done.said[-3000:]
    assert ("the cluster's head node at" in done.said) == bool(lost.missing())
    other = Cluster()
    try:
        words = ("--resume=headless", "--ray", other.address, "--ray-workers", "2")
        rest = run(project, *SAID, *words)
        assert rest.code == 0, rest.said[-3000:]
    finally:
        other.close()
    assert without_times(lost) == without_times(whole)
