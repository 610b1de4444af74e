"""Compares this environment with BrowserGym: the same pages and browser, alternating in one run; prints the ratios.

    pip install "longtrail[browsergym]"                 # or, in a separate environment: pip install browsergym-core
    python benchmarks/browsergym_ratios.py [--browsergym-python /path/to/python] [--sizes small,medium] [--times 3]

As shipped, BrowserGym runs Chromium itself and waits a second before and half a second after every action; its lower
bound is without these waits and with the browser that we use. Both are measured, each in a process of its own. On a
busy machine, wall times are unreliable, ratios within one run less so, and CPU seconds are the most reliable.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from browsergym_pages import SIZES, interactive

from longtrail.browser.launcher import find_chromium
from longtrail.browser.resource_usage import cpu_seconds, memory_mb

HERE = Path(__file__).parent
GOALS = {
    ("step", "shipped"): (25, 25, 25),
    ("step", "floor"): (3, 9, 25),
    ("text-step", "floor"): (6, 15, 60),
    ("open", "shipped"): (15, 15, 20),
    ("episode", "shipped"): (15, 20, 30),
}
"""The required speed-up on the small, the medium and the large page."""
THEIRS = {"text-step": "step", "bare": "reset", "open": "reset"}
"""BrowserGym's measure to compare with if it lacks the same one: its steps and resets always observe. `bare` is
Playwright alone, the lower bound of `open` with this browser."""


class Side:
    """A process that measures one of them."""

    def __init__(self, python: str, script: str, browser: Path, **order: Any) -> None:
        env = {**os.environ, "LONGTRAIL_CHROMIUM": str(browser), "PYTHONPATH": str(HERE.parent)}
        self._order = order
        self.process = subprocess.Popen(
            [python, str(HERE / script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, text=True
        )

    def ask(self, do: str, size: str, times: int) -> list[float]:
        """Seconds of each repetition."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({**self._order, "do": do, "size": size, "times": times}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.process.args} ended without an answer")
        told: list[float] = json.loads(line)["seconds"]
        return told

    def episode(self, size: str) -> tuple[float, float, float]:
        """Seconds and CPU seconds of an episode, and the megabytes in use at its end, with its page still open."""
        before = cpu_seconds(self.process.pid)
        (seconds,) = self.ask("episode", size, 1)
        return seconds, cpu_seconds(self.process.pid) - before, memory_mb(self.process.pid)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def compare(sides: Sequence[Side], size: str, times: int, shipped_times: int) -> None:
    """All measures of one page, alternating, as a table. `sides`: ours, lower bound, as shipped."""
    print(f"\n{size}: {interactive(size)} interactive elements\n{'':<12}{'ours':>10}{'floor':>10}{'shipped':>22}")
    for measure in ("step", "text-step", "bare", "open", "reset"):
        taken: list[list[float]] = [[], [], []]
        for number in range(times):
            taken[0] += sides[0].ask(measure, size, 3)
            for side, seconds in zip(sides[1:], taken[1:], strict=True):
                if side is sides[1] or number < shipped_times:
                    seconds += side.ask(THEIRS.get(measure, measure), size, 3 if side is sides[1] else 1)
        _row(measure, size, [statistics.median(seconds) for seconds in taken])
    episodes = [side.episode(size) for side in sides]
    _row("episode", size, [seconds for seconds, _, _ in episodes])
    for name, unit, goal, told in (
        ("CPU", "s ", 12, [cpu for _, cpu, _ in episodes]),
        ("memory", "MB", 45, [memory for _, _, memory in episodes]),
    ):
        shares = [f"{each:>7.4g} {unit} {100 * told[0] / each:.0f} %" for each in told[1:]]
        print(f"{name:<12}{told[0]:>7.4g} {unit}{shares[0]:<24}{shares[1]} (goal {goal} %)", flush=True)


def _row(measure: str, size: str, seconds: Sequence[float]) -> None:
    text = f"{measure:<12}{seconds[0] * 1000:>7.0f} ms"
    for name, theirs in zip(("floor", "shipped"), seconds[1:], strict=True):
        ratio = theirs / seconds[0]
        goal = GOALS.get((measure, name))
        wanted = goal[list(SIZES).index(size)] if goal else None
        told = f"{ratio:.1f}x" + (f" ({'>=' if ratio >= wanted else 'MISSES '}{wanted})" if wanted else "")
        text += f"{theirs * 1000:>7.0f} ms {told:<14}"
    print(text, flush=True)


def together(sides: Sequence[Side], size: str, seconds: float) -> float:
    """Episodes per minute of two parallel workers."""
    try:
        with ThreadPoolExecutor(len(sides)) as pool:
            list(pool.map(lambda side: side.ask("episode", size, 1), sides))  # started, warm
            start, end = time.perf_counter(), time.perf_counter() + seconds

            def work(side: Side) -> int:
                done = 0
                while time.perf_counter() < end or not done:
                    side.ask("episode", size, 1)
                    done += 1
                return done

            return 60 * sum(pool.map(work, sides)) / (time.perf_counter() - start)
    finally:
        for side in sides:
            side.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--browsergym-python", default=sys.executable, help="of the environment with browsergym-core")
    parser.add_argument("--shipped-browser", type=Path, help="which BrowserGym as shipped runs (default: chromium)")
    parser.add_argument("--sizes", default=",".join(SIZES), help="pages to compare on")
    parser.add_argument("--times", type=int, default=3, help="rounds of each measure")
    parser.add_argument("--shipped-times", type=int, default=1, help="rounds of BrowserGym as shipped")
    parser.add_argument("--seconds", type=float, default=20, help="for two workers at once; 0 leaves that out")
    given = parser.parse_args()
    python = given.browsergym_python
    if subprocess.run([python, "-c", "import browsergym.core"], capture_output=True).returncode:
        raise SystemExit(f"{python} has no browsergym-core: pip install browsergym-core there")
    browser = find_chromium()
    whole = given.shipped_browser or Path(shutil.which("chromium") or browser)
    print(f"ours and the floor: {browser}; as shipped: {whole}")

    def ours() -> Side:
        return Side(sys.executable, "browsergym_ours.py", browser)

    def floor() -> Side:
        return Side(python, "browsergym_theirs.py", browser, shipped=False)

    sides = ours(), floor(), Side(python, "browsergym_theirs.py", whole, shipped=True)
    try:
        for size in given.sizes.split(","):
            compare(sides, size, given.times, given.shipped_times)
    finally:
        for side in sides:
            side.close()
    if given.seconds:
        mine = together((ours(), ours()), "medium", given.seconds)
        best = together((floor(), floor()), "medium", given.seconds)
        print(f"\ntwo workers, medium: {mine:.0f} episodes a minute (goal 60); BrowserGym's floor {best:.1f}")


if __name__ == "__main__":
    main()
