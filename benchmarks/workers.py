"""What resources do many model-bound workers on one machine need? A scripted model answers after LATENCY seconds.

    python -m benchmarks.workers [--runs 4,16] [--latency 5] [--cases 32]

Each run is the number of its workers (`-n`).

- memory: PSS of all processes of the run together (controller, workers, drivers, browsers), sampled every
  second: the maximum, its parts, and what each worker adds above 350 MB.
- harness: the share of the episodes' time that neither the model nor pages took (goal: at most 5 %); browser: the share
  of pages and the browser in steps.
- same: whether the results equal those of the first run, except times and the tokens that the server had in its cache.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from longtrail.browser.resource_usage import cpu_seconds, process_tree
from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run

ROOT = Path(__file__).resolve().parent.parent
CACHED = {"cached_tokens"}
CHANGING: dict[str, Any] = {"seconds": True, "timing": True, "usage": CACHED, "summary_usage": CACHED, "saved": CACHED}
SESSION_MB = 350
"""What a session may take, besides its workers."""


class MemoryMeter:
    """Memory and CPU time of a process and all that it started, at their most."""

    def __init__(self, pid: int) -> None:
        self.peak, self.cpu, self.parts = 0.0, 0.0, Counter[str]()
        self._pid, self._stop = pid, threading.Event()
        self._thread = threading.Thread(target=self._measure, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop measuring."""
        self._stop.set()
        self._thread.join()

    def _measure(self) -> None:
        while not self._stop.wait(1.0):
            parts = Counter[str]()
            for process in process_tree(self._pid):
                try:
                    parts[_kind(process)] += process.memory_full_info().pss / 1024**2
                except psutil.Error:
                    continue
            self.cpu = max(self.cpu, cpu_seconds(self._pid))
            if parts.total() > self.peak:
                self.peak, self.parts = parts.total(), parts


def _kind(process: psutil.Process) -> str:
    name = process.name()
    return "browsers" if "chrom" in name or "headless" in name else "drivers" if "node" in name else "python"


def play(reports: Path, workers: int, cases: int, model: str, latency: float) -> list[dict[str, Any]]:
    """One run, described in a line; its results without times."""
    name = f"run-{workers}"
    with MockServer(latency=latency) as server:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--reports={reports}"]
        command += ["--run", name, "-m", "raw and not appeal", "--sample", str(cases), "-n", str(workers)]
        command += ["--model", f"openai/{model}", "--model-arg", f"api_base={server.url}"]
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        meter = MemoryMeter(process.pid)
        output, _ = process.communicate()
        wall = time.monotonic() - start
        meter.end()
    if process.returncode not in (0, 1):
        raise SystemExit(output[-3000:])
    results = Run.open(reports / "runs" / name).results()
    model_s, browser = (sum(getattr(result.timing, part) for result in results) for part in ("model", "browser"))
    whole = sum(result.seconds for result in results)
    parts = ", ".join(f"{kind} {mb:.0f}" for kind, mb in sorted(meter.parts.items()))
    print(
        f"-n {workers}: {meter.peak:.0f} MB ({parts}), {(meter.peak - SESSION_MB) / workers:.0f} MB a worker above "
        f"{SESSION_MB}; harness {(whole - model_s - browser) / whole:.1%}, browser {browser / whole:.1%} of the "
        f"episodes' time; {len(results)} cases in {wall:.0f} s; {meter.cpu / len(results):.1f} CPU seconds a case; "
        f"{sum(result.outcome == 'invalid' for result in results)} invalid",
        flush=True,
    )
    return [result.model_dump(mode="json", exclude=CHANGING) for result in results]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", default="4,16", help="the number of workers of each run")
    parser.add_argument("--latency", type=float, default=5.0, help="seconds that a model's answer takes")
    parser.add_argument("--cases", type=int, default=32)
    parser.add_argument("--model", default="scripted-careful", help="a scripted model of `longtrail mock-model`")
    given = parser.parse_args()
    expected = None
    with tempfile.TemporaryDirectory() as folder:
        for workers in map(int, given.runs.split(",")):
            results = play(Path(folder), workers, given.cases, given.model, given.latency)
            expected = expected or results
            print(f"  same: {'yes' if results == expected else 'NO'}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
