"""What resources do many model-bound episodes on one machine need? A scripted model answers after LATENCY seconds.

    python -m benchmarks.episodes [--runs 16x1,2x8,0x16] [--latency 10] [--cases 32]

Each run is WORKERSxEPISODES: `-n WORKERS --episodes-per-worker EPISODES`; 0 workers: one process, without xdist.

- memory: PSS of all processes of the run together (controller, workers, drivers, browsers), sampled every second:
  the maximum, and the part of it above 350 MB for each of the episodes that are played at once (goal: at most 120 MB).
- harness: the share of the time of episodes that neither model nor pages took (goal: at most 5 %), opening and closing
  included; browser: the share of pages and the browser in steps.
- calls at once: how many requests the model's server answered at once, in the middle half of all requests.
- same: whether the results equal those of the first run, except times and the tokens that the server had in its cache.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from longtrail.browser.resource_usage import cpu_seconds, tree
from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run

ROOT = Path(__file__).resolve().parent.parent
CACHED = {"cached_tokens"}
CHANGING: dict[str, Any] = {"seconds": True, "timing": True, "usage": CACHED, "summary_usage": CACHED, "saved": CACHED}

MEGABYTES, SHARE = 120, 0.05
"""Goals: memory of an episode, and the harness's share of its time."""


class Watch:
    """Memory and CPU time of a process and all that it started, at their most."""

    def __init__(self, pid: int) -> None:
        self.peak, self.cpu, self.parts = 0.0, 0.0, Counter[str]()
        self._pid, self._over = pid, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(1.0):
            parts = Counter[str]()
            for process in tree(self._pid):
                try:
                    parts[_kind(process)] += process.memory_full_info().pss / 1024**2
                except psutil.Error:
                    continue
            self.cpu = max(self.cpu, cpu_seconds(self._pid))
            if parts.total() > self.peak:
                self.peak, self.parts = parts.total(), parts


def _goal(met: bool) -> str:
    return "(goal met)" if met else "(MISSES the goal)"


def _kind(process: psutil.Process) -> str:
    name = process.name()
    return "browser" if "chrom" in name or "headless" in name else "driver" if "node" in name else "python"


def play(reports: Path, workers: int, episodes: int, cases: int, model: str, latency: float) -> list[dict[str, Any]]:
    """One run, told in a line; its results without times."""
    name = f"run-{workers}x{episodes}"
    with MockServer(latency=latency) as server:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--reports={reports}"]
        command += ["--run", name, "-m", "raw and not appeal", "--sample", str(cases), "-n", str(workers)]
        command += ["--model", f"openai/{model}", "--model-arg", f"api_base={server.url}"]
        command += ["--episodes-per-worker", str(episodes)] if episodes > 1 else []
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        watch = Watch(process.pid)
        said, _ = process.communicate()
        wall = time.monotonic() - start
        watch.end()
        at = sorted(request.at for request in server.requests)
    if process.returncode not in (0, 1):
        raise SystemExit(said[-3000:])
    results = Run.open(reports / "runs" / name).results()
    model_s, browser = (sum(getattr(result.timing, part) for result in results) for part in ("model", "browser"))
    whole = sum(result.seconds for result in results)
    harness = (whole - model_s - browser) / whole
    first, last = len(at) // 4, 3 * len(at) // 4
    calls = (last - first) / (at[last] - at[first]) * latency
    places = max(1, workers) * episodes
    each = (watch.peak - 350) / places
    parts = ", ".join(f"{kind} {mb:.0f}" for kind, mb in sorted(watch.parts.items()))
    print(
        f"-n {workers} --episodes-per-worker {episodes}: {watch.peak:.0f} MB ({parts}), "
        f"{each:.0f} MB an episode above 350 {_goal(each <= MEGABYTES)}; "
        f"harness {harness:.1%} {_goal(harness <= SHARE)}, browser {browser / whole:.1%} of the episodes' time; "
        f"{calls:.1f} calls at once; {len(results)} cases, {len(at)} calls in {wall:.0f} s; "
        f"{watch.cpu / len(results):.1f} CPU seconds a case; load {os.getloadavg()[0]:.0f}; "
        f"{sum(result.outcome == 'invalid' for result in results)} invalid",
        flush=True,
    )
    return [result.model_dump(mode="json", exclude=CHANGING) for result in results]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", default="16x1,2x8,0x16", help="WORKERSxEPISODES of each run")
    parser.add_argument("--latency", type=float, default=10.0, help="seconds that a model's answer takes")
    parser.add_argument("--cases", type=int, default=32)
    parser.add_argument("--model", default="scripted-careful", help="a scripted model of `longtrail mock-model`")
    given = parser.parse_args()
    expected = None
    with tempfile.TemporaryDirectory() as folder:
        for run in given.runs.split(","):
            workers, episodes = map(int, run.split("x"))
            found = play(Path(folder), workers, episodes, given.cases, given.model, given.latency)
            expected = expected or found
            print(f"  same: {'yes' if found == expected else 'NO'}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
