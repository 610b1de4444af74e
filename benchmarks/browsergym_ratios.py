"""This environment beside BrowserGym: the same pages, the same browser, in turns, in one run; prints the ratios.

    pip install "trailmark[browsergym]"                 # or, in an environment of its own: pip install browsergym-core
    python benchmarks/browsergym_ratios.py [--browsergym-python /path/to/python] [--sizes small,medium] [--times 3]

As shipped, BrowserGym waits a second before and half a second after every action; its floor is without any of that.
Both are measured. Wall times on a busy machine say little, ratios of one run a little more, CPU seconds most.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from browsergym_pages import SIZES, interactive

from trailmark.browser.launcher import find_chromium
from trailmark.browser.usage import cpu_seconds, memory_mb

HERE = Path(__file__).parent
GOALS = {
    ("step", "shipped"): (25, 25, 25),
    ("step", "floor"): (3, 9, 25),
    ("text-step", "floor"): (6, 15, 60),
    ("reset", "shipped"): (25, 25, 25),
    ("episode", "shipped"): (15, 20, 30),
}
"""So many times faster, on the small, the medium and the large page."""


class Side:
    """A process that measures one of the two."""

    def __init__(self, python: str, script: str) -> None:
        env = {**os.environ, "TRAILMARK_CHROMIUM": str(find_chromium()), "PYTHONPATH": str(HERE.parent)}
        self.process = subprocess.Popen(
            [python, str(HERE / script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True
        )

    def ask(self, **order: Any) -> tuple[list[float], float]:
        """Seconds of each repetition, and CPU seconds for one."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        before = cpu_seconds(self.process.pid)
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args} ended without an answer")
        return json.loads(line)["seconds"], (cpu_seconds(self.process.pid) - before) / order["times"]

    @property
    def memory(self) -> float:
        return memory_mb(self.process.pid)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def compare(ours: Side, theirs: Side, size: str, times: int, shipped_times: int) -> None:
    """All measures of one page, in turns, as a table."""
    print(
        f"\n{size}: {interactive(size)} interactive elements\n{'':<12}{'ours':>10}{'floor':>10}{'':>14}{'shipped':>10}"
    )
    for measure in ("step", "text-step", "reset", "episode"):
        mine, floor, shipped, cpu = [], [], [], [0.0, 0.0]
        same = {"do": measure.removeprefix("text-"), "size": size}
        rounds = 1 if measure == "episode" else times
        for number in range(rounds):
            repeats = 1 if measure == "episode" else 3
            seconds, cpu[0] = ours.ask(do=measure, size=size, times=repeats)
            mine += seconds
            seconds, cpu[1] = theirs.ask(**same, shipped=False, times=repeats)
            floor += seconds
            if number < shipped_times:
                shipped += theirs.ask(**same, shipped=True, times=1)[0]
        _row(measure, size, mine, floor, shipped, cpu)


def _row(
    measure: str,
    size: str,
    mine: Sequence[float],
    floor: Sequence[float],
    shipped: Sequence[float],
    cpu: Sequence[float],
) -> None:
    one = statistics.median(mine)
    text = f"{measure:<12}{one * 1000:>7.0f} ms"
    for name, times in (("floor", floor), ("shipped", shipped)):
        if not times:
            continue
        ratio = statistics.median(times) / one
        goal = GOALS.get((measure, name))
        wanted = goal[list(SIZES).index(size)] if goal else None
        told = f"{ratio:.1f}x" + (f" ({'>=' if ratio >= wanted else 'MISSES '}{wanted})" if wanted else "")
        text += f"{statistics.median(times) * 1000:>7.0f} ms {told:<14}"
    print(f"{text} CPU {cpu[0]:.2f} s / {cpu[1]:.2f} s = {100 * cpu[0] / cpu[1]:.0f} %", flush=True)


def together(python: str, script: str, order: dict[str, Any], seconds: float) -> float:
    """Episodes a minute of two workers at once."""
    sides = [Side(python, script) for _ in range(2)]
    try:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda side: side.ask(**order, times=1), sides))  # started, warm
            start, end = time.perf_counter(), time.perf_counter() + seconds

            def work(side: Side) -> int:
                done = 0
                while time.perf_counter() < end or not done:
                    side.ask(**order, times=1)
                    done += 1
                return done

            done = sum(pool.map(work, sides))
            return 60 * done / (time.perf_counter() - start)
    finally:
        for side in sides:
            side.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--browsergym-python", default=sys.executable, help="of the environment with browsergym-core")
    parser.add_argument("--sizes", default=",".join(SIZES), help="pages to compare on")
    parser.add_argument("--times", type=int, default=3, help="rounds of each measure")
    parser.add_argument("--shipped-times", type=int, default=1, help="rounds of BrowserGym as shipped")
    parser.add_argument("--seconds", type=float, default=20, help="for two workers at once; 0 leaves that out")
    given = parser.parse_args()
    theirs_python = given.browsergym_python
    if subprocess.run([theirs_python, "-c", "import browsergym.core"], capture_output=True).returncode:
        raise SystemExit(f"{theirs_python} has no browsergym-core: pip install browsergym-core there")
    ours, theirs = Side(sys.executable, "browsergym_ours.py"), Side(theirs_python, "browsergym_theirs.py")
    try:
        for size in given.sizes.split(","):
            compare(ours, theirs, size, given.times, given.shipped_times)
            memory = ours.memory, theirs.memory
            print(
                f"memory      {memory[0]:>7.0f} MB{memory[1]:>7.0f} MB = {100 * memory[0] / memory[1]:.0f} % (goal 45)"
            )
    finally:
        ours.close()
        theirs.close()
    if given.seconds:
        order = {"do": "episode", "size": "medium"}
        mine = together(sys.executable, "browsergym_ours.py", order, given.seconds)
        floor = together(theirs_python, "browsergym_theirs.py", {**order, "shipped": False}, given.seconds)
        print(f"\ntwo workers, medium: {mine:.0f} episodes a minute (goal 60); BrowserGym's floor {floor:.1f}")


if __name__ == "__main__":
    main()
