"""Do results depend on the number of worker processes, or change if the same command is run again? They must not.

    python -m benchmarks.same_results [--sample 24]

Plays the same cases of both suites with the oracle and with an agent that fails: without workers, the same again, with
`-n 2`, `-n 6` and `--dist load`. The lines of results.jsonl must be identical, except for times. Prints each
line that differs; exits with 1 if there is one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIMES = ("seconds", "timing")
WAYS = (("-n", "0"), ("-n", "0"), ("-n", "2"), ("-n", "6"), ("-n", "2", "--dist", "load"))
"""The first one is what the others are compared with."""
CASES = ("-m", "raw or noise_0 or noise_25k", "--agent", "oracle", "--agent", "looper", "--no-shots")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sample", type=int, default=24, help="tasks of each run")
    given = parser.parse_args()
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        first: list[str] = []
        for number, way in enumerate(WAYS):
            lines = _play(Path(folder), f"run-{number}", *way, "--sample", str(given.sample))
            first = first or lines
            told = [pair for pair in zip_longest(first, lines) if pair[0] != pair[1]]
            differing += len(told)
            print(f"{' '.join(way)}: {len(lines)} results, {len(told)} differ")
            for one, other in told:
                print(f"  - {one}\n  + {other}")
            sys.stdout.flush()
    return 1 if differing else 0


def _play(reports: Path, name: str, *words: str) -> list[str]:
    """The lines of results.jsonl of a run, without times."""
    command = [sys.executable, "-m", "pytest", "-q", *CASES, *words, f"--reports={reports}", f"--run={name}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    text = (reports / "runs" / name / "results.jsonl").read_text(encoding="utf-8")
    return [_without_times(line) for line in text.splitlines()]


def _without_times(line: str) -> str:
    record = json.loads(line)
    return json.dumps({key: value for key, value in record.items() if key not in TIMES}, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(main())
