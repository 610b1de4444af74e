"""Simulates a busy machine: processes that only compute, and slow writes to the disk.

with busy(loops=4): ...                 # the block runs next to four endless loops
pytest -p benchmarks.busy_machine ...   # with WRITE_STALL=0.05: each flush to the disk takes up to 0.05 s longer
"""

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

STALL = "WRITE_STALL"


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """Run this many processes that compute endlessly within the context."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def _stall_writes(longest: float) -> None:
    flush, dice = os.fsync, random.Random(os.getpid())

    def slow_flush(file: int) -> None:
        time.sleep(dice.uniform(0, longest))
        flush(file)

    os.fsync = slow_flush


if seconds := float(os.environ.get(STALL, "0")):
    _stall_writes(seconds)
