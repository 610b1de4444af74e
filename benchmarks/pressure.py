"""Does a busy machine change the results of episodes? The oracle plays the same cases in a quiet run and in a busy
one.

    python -m benchmarks.pressure [--episodes 1000] [--workers 6] [--loops 4] [--stall 0.05] [--quiet-workers 2]

The busy run has more workers than processors, runs next to endless loops, and
its writes to the disk are slow. Every
case must end the same: outcome, attempt and measures, and for each step the action, outcome, requests and the text
that was shown. Prints each difference; exits with 1 if there is one.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any

from benchmarks.busy_machine import STALL, busy
from longtrail.records.result import Result
from longtrail.records.trajectory import Step, Trajectory
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks

ROOT = Path(__file__).resolve().parent.parent
CASES = ("-m", "long_context or (raw and not appeal)", "--lengths", "0", "--no-shots")
"""One case per task."""
MEASURES = ("success", "success_a2", "key_step_rate", "proven", "decision", "executed")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=1000, help="how many in each run")
    parser.add_argument("--workers", type=int, default=6, help="of the run under pressure")
    parser.add_argument("--quiet-workers", type=int, default=2, help="of the run to compare with")
    parser.add_argument("--loops", type=int, default=4, help="endless loops beside it")
    parser.add_argument("--stall", type=float, default=0.05, help="longest stall of a write in seconds")
    parser.add_argument("--reports", type=Path, help="keep both runs here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reports = given.reports or Path(folder)
        start = time.monotonic()
        quiet = play(reports, "quiet", given.episodes, given.quiet_workers)
        middle = time.monotonic()
        with busy(given.loops):
            pressed = play(reports, "pressed", given.episodes, given.workers, given.stall)
        end = time.monotonic()
        found = list(differences(quiet, pressed))
        number = len(quiet.results())
    for line in found:
        print(line)
    print(f"{number} episodes, quiet {middle - start:.0f} s, under pressure {end - middle:.0f} s: ", end="")
    print(f"{len(found)} differences" if found else "every one the same")
    return 1 if found else 0


def play(reports: Path, name: str, episodes: int, workers: int, stall: float = 0.0) -> Run:
    """A run of the oracle on this many cases, in a separate process."""
    repeats = ceil(episodes / len(load_tasks()))
    sample = ceil(episodes / repeats)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.busy_machine", "-n", str(workers), *CASES]
    command += ["--sample", str(sample), "--repeats", str(repeats), f"--reports={reports}", "--run", name]
    env = {**os.environ, STALL: str(stall), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    return Run.open(reports / "runs" / name)


def differences(quiet: Run, pressed: Run) -> Iterator[str]:
    """One line for each case that did not end the same, with the first thing that differs."""
    results = [{result.case.id: result for result in run.results()} for run in (quiet, pressed)]
    episodes = [{episode.case.id: episode for episode in run.episodes()} for run in (quiet, pressed)]
    for case in sorted(results[0].keys() | results[1].keys()):
        if not all(case in told for told in (*results, *episodes)):
            yield f"{case}: only in one of the runs"
            continue
        told = _difference(*(_told(each[case]) for each in results))
        told = told or _difference(*(_played(episode[case]) for episode in episodes))
        if told:
            yield f"{case}: {told}"


def _difference(one: dict[str, Any], other: dict[str, Any]) -> str:
    for name in (*one, *other):
        if one.get(name) != other.get(name):
            return f"{name}: {one.get(name)!r:.2000} in the quiet run, {other.get(name)!r:.2000} under pressure"
    return ""


def _told(result: Result) -> dict[str, Any]:
    return {
        "outcome": result.outcome,
        "reason": result.reason,
        "attempt": result.attempt,
        **{name: result.number(name) for name in MEASURES},
    }


def _played(episode: Trajectory) -> dict[str, Any]:
    steps = {}
    for step in episode.steps:
        for name, value in _step(step).items():
            steps[f"step {step.phase} {step.number}, {name}"] = value
    return {**steps, "changes": episode.changes}


def _step(step: Step) -> dict[str, Any]:
    """Requests of one step are sent in parallel, so their order is irrelevant."""
    return {
        "shown": step.observation.text,
        "action": step.action.model_dump_json() if step.action else None,
        "outcome": step.outcome,
        "requests": sorted((request.method, request.url, request.status, request.dest) for request in step.requests),
    }


if __name__ == "__main__":
    raise SystemExit(main())
