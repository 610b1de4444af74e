"""Does a recorded run replay without a miss? Records episodes of a scripted model, then replays them on a busy machine.

    python -m benchmarks.replays [--episodes 50] [--workers 2] [--loops 4]

If an agent gets a text that differs from the recorded run, that is a `cassette_miss`. Prints their number and every
case with another result; exits with 1 if there is one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.busy_machine import busy
from benchmarks.pressure import CASES, ROOT, differences
from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=50, help="how many to record and replay")
    parser.add_argument("--workers", type=int, default=2, help="of both runs")
    parser.add_argument("--loops", type=int, default=4, help="endless loops beside the replay")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, MockServer() as server:
        reports, tape = Path(folder), Path(folder) / "tape"
        model = ("--model", "openai/scripted-careful", "--model-arg", f"api_base={server.url}")
        args = (*model, *CASES, "--sample", str(given.episodes), "-n", str(given.workers))
        recorded = _run(reports, "recorded", *args, f"--record={tape}")
        with busy(given.loops):
            replayed = _run(reports, "replayed", *args, f"--replay={tape}")
        found = list(differences(recorded, replayed))
        results = replayed.results()
    misses = sum(result.trouble is not None and result.trouble.kind == "cassette_miss" for result in results)
    for line in found:
        print(line)
    print(f"{len(results)} episodes replayed: {misses} cassette misses, {len(found)} differences")
    return 1 if found or misses else 0


def _run(reports: Path, name: str, *args: str) -> Run:
    command = [sys.executable, "-m", "pytest", "-q", *args, f"--reports={reports}", "--run", name]
    env = {**os.environ, "OPENAI_API_KEY": "sk-none"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    return Run.open(reports / "runs" / name)


if __name__ == "__main__":
    raise SystemExit(main())
