"""Limits of model calls on a Ray cluster of processes, and a cluster that requires a token.

python -m pytest tests/pytest_plugin/remote/test_ray_limits.py --all      # needs pip install 'longtrail[ray]'"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from longtrail.browser.launcher import find_chromium
from longtrail.llm.call_book import FILE, CallBook
from longtrail.runs.store import Run
from tests.pytest_plugin.held_servers import KillingServer, SlowingServer, one_at_a_time
from tests.pytest_plugin.pytest_process import ROOT, environment, process
from tests.pytest_plugin.remote.ray_machines import Cluster, alone, run

WORDS = ("-q", "-m", "raw and not appeal", "--sample", "4", "--no-shots", "--model", "openai/scripted-finisher")
PAUSE = 15
"""Seconds that the server asks to wait. A worker needs far less from one call to the next."""
ACTOR = """
import sys
from pathlib import Path

import ray

from longtrail.agents.own_agent import OwnAgent
from longtrail.errors import HarnessTrouble
from longtrail.llm.call_book import CallBook
from longtrail.llm.limits import CallEnd, CallLimits, CallRequest
from longtrail.llm.limits import Limiter
from longtrail.pytest_plugin.remote.ray_actors import CallsElsewhere, SharedCalls


class Calling:
    def act(self, view):
        with Limiter(calls).admit("openai/mine", 10, 0.0):
            raise SystemExit("it was admitted")


def request(asker):
    return CallRequest("openai/mine", 10, 0.0, "me", asker)


ray.init(address=sys.argv[1], log_to_driver=False)
actor = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(SharedCalls).remote(
    CallBook(Path(sys.argv[2]), CallLimits(concurrency=1))
)
calls, others = CallsElsewhere(actor, "ray0"), CallsElsewhere(actor, "ray1")
ticket = calls.admit(request("first")).ticket
assert ticket
ray.kill(actor, no_restart=False)
assert others.admit(request("second")).wait, "the first call is still running"
calls.end(ticket, CallEnd(succeeded=True))
assert others.admit(request("second")).ticket
ray.get(actor.lose.remote("ray1"))
late = others.admit(request("third"))
assert late.kind == "cancelled" and not late.ticket, late
assert calls.admit(request("fourth")).ticket
for spoil in (lambda: Path(sys.argv[2], sys.argv[3]).write_bytes(b"no database " * 1000), lambda: ray.kill(actor)):
    spoil()
    try:
        OwnAgent(Calling, knows_case=True).act(None)
    except HarnessTrouble as trouble:
        assert trouble.kind == "storage", trouble
        print(trouble.message)
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two nodes with room for one worker each."""
    pytest.importorskip("ray")
    made = Cluster(workers=1)
    yield made
    made.close()


def on(cluster: Cluster, server: SlowingServer | KillingServer) -> tuple[str, ...]:
    return ("--model-arg", f"api_base={server.url}", "--ray", cluster.address, "--ray-workers", "2")


@pytest.mark.thorough
def test_a_rate_limit_slows_the_workers_of_all_nodes(cluster: Cluster, project: Path) -> None:
    """One worker is told to wait; the other, on another node, has a call under way and makes no further one."""
    folder = project / "reports" / "runs" / "slowed"
    with SlowingServer(PAUSE, lambda: bool(CallBook(folder).state().slowed)) as server:
        done = run(project, *WORDS, *on(cluster, server), "--run", "slowed")
    assert done.code == 1, done.said[-3000:]
    slowed = Run.open(folder)
    assert [result.outcome for result in slowed.results()] == ["failed"] * 4
    assert {path.name for path in (folder / "workers").iterdir()} == {"ray0.json", "ray1.json"}
    further = [request.at for request in server.requests[2:]]
    assert len(further) >= 3
    assert min(further) - server.refused_at >= PAUSE


@pytest.mark.thorough
def test_a_worker_that_dies_with_the_only_slot(cluster: Cluster, project: Path) -> None:
    with KillingServer() as server:
        done = run(project, *WORDS, *on(cluster, server), "--concurrency", "1", "--run", "died")
    assert done.code == 1, done.said[-3000:]
    died = Run.open(project / "reports" / "runs" / "died")
    assert server.killed
    assert [result.outcome for result in died.results()] == ["failed"] * 4
    assert not died.missing()
    assert sorted(len(files) for files in died.attempts().values()) == [1, 1, 1, 2]
    assert len(server.requests) > 4
    assert one_at_a_time(server.requests[1:])  # the first caller was killed


@pytest.mark.thorough
def test_the_actor_with_the_limits(cluster: Cluster, tmp_path: Path) -> None:
    """Its restart ends no call, a lost worker gets none, and an agent whose calls it can't admit has not failed."""
    (tmp_path / "act.py").write_text(ACTOR)
    CallBook(tmp_path)
    words = (sys.executable, str(tmp_path / "act.py"), cluster.address, str(tmp_path), FILE)
    done = process(*words, env=environment(PYTHONPATH=str(ROOT)))
    assert done.code == 0, done.err[-3000:]
    told = [line for line in done.out.splitlines() if "the run's limits of model calls can't be reached: " in line]
    assert len(told) == 2, done.out
    assert [FILE in line for line in told] == [True, False], told


@pytest.mark.thorough
def test_a_cluster_with_a_token_lets_in_who_has_it(project: Path, tmp_path: Path) -> None:
    """`ray start` requires the token that it finds in the user's folder."""
    pytest.importorskip("ray")
    home, stranger = tmp_path / "home", tmp_path / "stranger"
    (home / ".ray").mkdir(parents=True)
    stranger.mkdir()
    (home / ".ray" / "auth_token").write_text("a1" * 32)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    browser = {"LONGTRAIL_CHROMIUM": str(find_chromium())}
    start = [
        sys.executable,
        "-m",
        "ray.scripts.scripts",
        "start",
        "--head",
        "--block",
        f"--port={port}",
        "--num-cpus=1",
    ]
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:  # short: for sockets
        start += ["--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder}"]
        environ = environment(HOME=str(home), **browser)
        with subprocess.Popen(start, env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True) as head:
            try:
                assert head.stdout is not None
                address = next(line for line in head.stdout if "--address=" in line).split("'")[1]
                words = ("-q", "--task", "pw-001", "-k", "raw", "--no-shots", "--ray", address, "--run")
                done = alone(
                    "benchmark_tests", *words, "let-in", cwd=project, HOME=str(home), RAY_AUTH_MODE="token", **browser
                )
                refused = alone("benchmark_tests", *words, "unknown", cwd=project, HOME=str(stranger), **browser)
            finally:
                os.killpg(head.pid, signal.SIGTERM)
    assert done.code == 0, done.said[-3000:]
    assert refused.code == 4, refused.said[-3000:]
    assert "if it requires a token, set RAY_AUTH_MODE=token" in refused.said
    assert "gcs_client" not in refused.said
    assert not (project / "reports" / "runs" / "unknown").exists()
