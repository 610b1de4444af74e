"""Does a run on a cluster scale, and does it survive the loss of machines? Uses a Ray cluster on this machine.

    python -m benchmarks.scaling rate [--workers 2,4,8,16,32] [--latency 30] [--rounds 6]
    python -m benchmarks.scaling kills [--kills 3] [--cases 12]
    python -m benchmarks.scaling plan [--planned 1000]

rate: cases of a scripted model behind a server that answers after LATENCY seconds, ROUNDS of them for each worker. Only
      the middle half of the requests to the server counts: before it, some workers are still starting, and after it,
      some have no case left. The time from the first request to the last answer is printed, too.
kills: nodes are killed at random moments and replaced, KILLS times in as many runs as that takes; the results of each
      run must equal those of a run in one process, except times.
plan: the cost of the session itself with PLANNED cases: an engine returns a recorded episode under each case's name, so
      nothing is played. Prints time per case, the session's memory, and the time of `longtrail report`, `baseline` and
      `compare`.

Needs `pip install 'longtrail[ray]'`.
"""

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from longtrail.llm.mock.server import MockServer
from longtrail.pytest_plugin.remote.ray_cluster import SETTINGS
from longtrail.pytest_plugin.remote.ray_engine import CPUS
from longtrail.runs.store import Run

ROOT = Path(__file__).resolve().parent.parent
CHANGING: dict[str, Any] = {"seconds": True, "timing": True}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=("rate", "kills", "plan"))
    parser.add_argument("--workers", default="2,4,8,16,32", help="numbers of workers to compare")
    parser.add_argument("--latency", type=float, default=30.0, help="seconds that a model's answer takes")
    parser.add_argument("--rounds", type=int, default=6, help="cases for each worker")
    parser.add_argument("--cases", type=int, default=12, help="cases of each run with kills")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--planned", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.part == "rate":
            return rate(Path(folder), [int(part) for part in given.workers.split(",")], given.latency, given.rounds)
        if given.part == "kills":
            return kills(Path(folder), given.kills, given.cases, given.seed)
        from benchmarks.scaling_plan import plan

        return plan(Path(folder), given.planned)


def project(folder: Path) -> Path:
    """A repository without Longtrail in it: what is sent to nodes."""
    if not folder.exists():
        for part in ("fixtures", "benchmark_tests"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "conftest.py", folder)
        (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:playwright\n")
    return folder


def play(reports: Path, name: str, *words: str) -> "subprocess.Popen[str]":
    """A run in a process of its own."""
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "benchmark_tests", "-q", "--no-shots"]
    command += [*words, f"--reports={reports}", "--run", name]
    where = project(reports / "project")
    return subprocess.Popen(command, cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def done(process: "subprocess.Popen[str]") -> str:
    """What it said, once it has ended as runs do."""
    said, _ = process.communicate()
    if process.returncode not in (0, 1):
        raise SystemExit(said[-3000:])
    return said


def rate(reports: Path, numbers: list[int], latency: float, rounds: int) -> int:
    """Model-bound episodes with more and more workers."""
    first: tuple[int, float] | None = None
    for number in numbers:
        with cluster(4, cpus=math.ceil(max(numbers) * CPUS / 4)) as (made, _), MockServer(latency=latency) as server:
            model = ("--model", "openai/scripted-finisher", "--model-arg", f"api_base={server.url}")
            words = ("-m", "raw and not appeal", "--sample", str(rounds * number), *_on(made, number))
            done(play(reports, f"with-{number}", *words, *model))
            at = sorted(request.at for request in server.requests)
        run = Run.open(reports / "runs" / f"with-{number}")
        results = run.results()
        first_quarter, last_quarter = len(at) // 4, 3 * len(at) // 4
        calls = (last_quarter - first_quarter) / (at[last_quarter] - at[first_quarter])
        pace = calls * len(results) / len(at)
        first = first or (number, pace)
        uses = [json.loads(path.read_text()) for path in (run.folder / "workers").glob("*.json")]
        cpu = sum(use["cpu_seconds"] for use in uses) / len(results)
        linear = pace / first[1] * first[0] / number
        print(
            f"{number:3} workers: {60 * pace:6.1f} cases a minute, {linear:.2f} of linear, "
            f"{calls * latency:.1f} calls at once; "
            f"{len(results)} cases in {at[-1] - at[0] + latency:.0f} s, "
            f"{cpu:.1f} CPU seconds a case with the workers' starts; load {os.getloadavg()[1]:.0f}",
            flush=True,
        )
    return 0


def _on(made: Any, workers: int) -> tuple[str, ...]:
    return ("--ray", made.address, "--ray-workers", str(workers))


@contextmanager
def cluster(nodes: int, cpus: int = 1) -> Iterator[tuple[Any, Callable[[], Any]]]:
    """A head without workers, with so many nodes, and what adds another. Nodes say that they have so many CPUs,
    whatever this machine has. Each has a folder of its own, as machines have: else the first that ends takes the
    project's copy from all."""
    from ray.cluster_utils import Cluster

    os.environ.update(SETTINGS)
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    with tempfile.TemporaryDirectory(prefix="nodes-", ignore_cleanup_errors=True) as folder:

        def add() -> Any:
            return made.add_node(num_cpus=cpus, temp_dir=tempfile.mkdtemp(dir=folder))

        try:
            for _ in range(nodes):
                add()
            yield made, add
        finally:
            made.shutdown()


def kills(reports: Path, times: int, cases: int, seed: int) -> int:
    """Nodes killed at random."""
    chance = random.Random(seed)
    words = ("-m", "raw and not appeal", "--sample", str(cases))
    start = time.monotonic()
    done(play(reports, "whole", *words))
    quiet = time.monotonic() - start
    killed = 0
    with cluster(0) as (made, add):
        nodes = [add(), add()]
        trial = 0
        while killed < times:
            trial += 1
            name = f"killed-{trial}"
            process = play(reports, name, *words, *_on(made, 3))
            said: list[str] = []
            reader = threading.Thread(target=lambda p=process, s=said: s.append(p.communicate()[0]))
            reader.start()
            running = reports / "runs" / name / "running"
            while reader.is_alive() and not any(running.glob("*.json")):
                time.sleep(0.05)
            while killed < times and reader.is_alive():
                reader.join(chance.uniform(0, quiet / 2))
                if reader.is_alive():
                    made.remove_node(nodes.pop(chance.randrange(len(nodes))), allow_graceful=False)
                    nodes.append(add())
                    killed += 1
            reader.join()
            if process.returncode:
                raise SystemExit(said[0][-3000:])
            same = results(reports, name) == results(reports, "whole")
            attempts = Run.open(reports / "runs" / name).attempts()
            double = sum(len(files) > 1 for files in attempts.values())
            print(
                f"run {trial}, {killed} nodes killed: {'the same' if same else 'OTHER'} results, {double} double",
                flush=True,
            )
            if not same:
                print(said[0][-2000:])
                return 1
    return 0


def results(reports: Path, name: str) -> list[dict[str, Any]]:
    """Everything of a run's results but times."""
    return [result.model_dump(mode="json", exclude=CHANGING) for result in Run.open(reports / "runs" / name).results()]


def memory_mb() -> float:
    """This process' resident memory now, in MB."""
    return float(psutil.Process().memory_info().rss) / 1024**2


if __name__ == "__main__":
    raise SystemExit(main())
