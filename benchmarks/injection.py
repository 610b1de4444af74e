"""How much time and memory it takes to build a history: by length, with a warm tokenizer.

    python -m benchmarks.injection [POOL]

Each length is measured in a separate process, over seven tasks: for the first time (including the selection of the
noise) and again with another seed. Memory is the process's maximum less what imports and the pool need. Goals: under
300 ms for 150,000 tokens, time and memory growing no faster than the length.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from longtrail.llm.tokens import count, tokenizer_name
from longtrail.noise.injection import inject
from longtrail.noise.pool import POOL, NoisePool, load_pool
from longtrail.paths import TASKS
from longtrail.records.memory import MemoryStep, PastTask, render_history
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask

LENGTHS = (25_000, 50_000, 100_000, 150_000, 250_000, 500_000, 1_000_000)
EVERY = 8
"""Of the suite's tasks, each of this number is measured."""
FIRST = PastTask(
    instruction="Look up when the harbor ferry leaves.",
    steps=(MemoryStep(url="https://example.test/", thought="The timetable is here.", action="click link 'Ferry'"),),
)


def megabytes() -> float:
    """The most memory that this process has used so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(path: Path, length: int) -> dict[str, float]:
    """Times in milliseconds and memory in megabytes for one length."""
    count("warm")
    tasks = [task for task in load_tasks(TASKS / "long_context").values() if isinstance(task, LongContextTask)][::EVERY]
    start = time.perf_counter()
    pool = load_pool(path)
    read = time.perf_counter() - start
    start = time.perf_counter()
    tokens = pool.tokens
    counted = time.perf_counter() - start
    before, times = megabytes(), [_times(task, pool, length) for task in tasks]
    return {
        "read": 1000 * read,
        "count": 1000 * counted,
        "tokens": tokens,
        "pool": before,
        "first": statistics.median(one for one, _ in times),
        "again": statistics.median(other for _, other in times),
        "memory": megabytes() - before,
    }


def _times(task: LongContextTask, pool: NoisePool, length: int) -> tuple[float, float]:
    """Milliseconds to build a task's history and its text, for the first time and with another seed."""
    found = []
    for seed in (0, 1):
        start = time.perf_counter()
        made = inject(task, FIRST, lambda: pool, length, seed)
        render_history(made.episodes)
        found.append(1000 * (time.perf_counter() - start))
    return found[0], found[1]


def main() -> None:
    """Print a row for each length."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else POOL
    if len(sys.argv) > 2:
        print(json.dumps(measured(path, int(sys.argv[2]))))
        return
    print(f"{'tokens':>9} {'first, ms':>10} {'again, ms':>10} {'memory, MB':>11}")
    for length in LENGTHS:
        command = [sys.executable, "-m", "benchmarks.injection", str(path), str(length)]
        row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(f"{length:>9,} {row['first']:>10.0f} {row['again']:>10.1f} {row['memory']:>11.0f}", flush=True)
    print(
        f"pool: {row['tokens']:,.0f} {tokenizer_name()} tokens, read in {row['read']:.0f} ms, counted once in "
        f"{row['count']:.0f} ms; the process then has {row['pool']:.0f} MB"
    )


if __name__ == "__main__":
    main()
