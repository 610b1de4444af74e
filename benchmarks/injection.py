"""How long it takes to inject a history: by length, with a warm tokenizer, the first time for a task and again.

    python -m benchmarks.injection

Goal: under 300 ms for 150,000 tokens, growing no faster than the length.
"""

import statistics
import time

from longtrail.llm.tokens import count, tokenizer_name
from longtrail.noise.injection import inject
from longtrail.noise.pool import load_pool
from longtrail.paths import TASKS
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask

LENGTHS = (25_000, 50_000, 75_000, 100_000, 125_000, 150_000)
FIRST = PastTask(
    instruction="Look up when the harbor ferry leaves.",
    steps=(MemoryStep(url="https://example.test/", thought="The timetable is here.", action="click link 'Ferry'"),),
)


def main() -> None:
    """Print the figures."""
    count("warm")
    start = time.perf_counter()
    pool = load_pool()
    print(f"pool: {len(pool.trajectories)} trajectories, read in {1000 * (time.perf_counter() - start):.0f} ms")
    start = time.perf_counter()
    print(f"{pool.tokens} {tokenizer_name()} tokens, counted in {1000 * (time.perf_counter() - start):.0f} ms, once")
    tasks = [task for task in load_tasks(TASKS / "long_context").values() if isinstance(task, LongContextTask)]
    inject(tasks[0], FIRST, lambda: pool, LENGTHS[0], 0)
    first: list[float] = []
    again: dict[int, list[float]] = {length: [] for length in LENGTHS}
    for task in tasks[1:]:
        start = time.perf_counter()
        inject(task, FIRST, lambda: pool, LENGTHS[-1], 0)
        first.append(1000 * (time.perf_counter() - start))
        for length in LENGTHS:
            start = time.perf_counter()
            inject(task, FIRST, lambda: pool, length, 1)
            again[length].append(1000 * (time.perf_counter() - start))
    print(f"{LENGTHS[-1]} tokens, first time: median {statistics.median(first):.0f} ms, longest {max(first):.0f} ms")
    for length, times in again.items():
        print(f"{length:>7} tokens, again: median {statistics.median(times):.1f} ms, longest {max(times):.1f} ms")


if __name__ == "__main__":
    main()
