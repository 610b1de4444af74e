"""Episodes per minute: the oracle on every case (raw prompts, no noise and 25k) with two workers, as a user would run
it.

    python benchmarks/throughput.py [WORKERS]

Prints wall time, episodes per minute, and for an episode its time, its time in the browser and its steps.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import fmean, median

from longtrail.runs.store import Run

ROOT = Path(__file__).resolve().parent.parent


def main(workers: str = "2") -> None:
    """One run in a separate process."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-n", workers, f"--reports={folder}"]
        command += ["-m", "noise_0 or noise_25k or (raw and not appeal)", "--run", "throughput"]
        start = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        wall = time.monotonic() - start
        if done.returncode:
            raise SystemExit(done.stdout[-3000:])
        results = Run.open(Path(folder) / "runs" / "throughput").results()
    seconds = [result.seconds for result in results]
    print(f"{len(results)} episodes, {workers} workers: {wall:.1f} s wall, {60 * len(results) / wall:.0f} a minute")
    print(f"an episode: {median(seconds):.2f} s in the median, {fmean(seconds):.2f} s in the mean")
    print(f"in the browser: {fmean(result.timing.browser for result in results):.2f} s")
    print(f"steps: {fmean(result.steps for result in results):.1f}")


if __name__ == "__main__":
    main(*sys.argv[1:2])
