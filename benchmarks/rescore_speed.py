"""How long does it take to score a big run again? Makes many copies of a finished run's episodes under new names.

python -m benchmarks.rescore_speed RUN [--episodes 2000]
"""

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

from longtrail.records.trajectory import Trajectory
from longtrail.runs.rescore import rescore
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks


def enlarge(episodes: Sequence[Trajectory], manifest_of: Run, folder: Path, number: int) -> Run:
    """A run of `number` episodes, copies of these with different ids."""
    run = Run.create(folder, manifest_of.manifest)
    for count, one in zip(range(number), cycle(episodes), strict=False):
        case = one.case.model_copy(update={"id": f"{one.case.id}-copy{count}", "repeat": count // len(episodes)})
        run.write_episode(one.model_copy(update={"case": case}))
    return run


def _cpu() -> float:
    """Seconds of CPU that this process and its finished children have used."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    """Print size and time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("--episodes", type=int, default=2000)
    given = parser.parse_args()
    source = Run.open(given.run)
    with tempfile.TemporaryDirectory() as folder:
        run = enlarge(list(source.episodes()), source, Path(folder) / "big", given.episodes)
        size = sum(path.stat().st_size for path in (run.folder / "episodes").iterdir())
        tasks = load_tasks()
        start, used = time.perf_counter(), _cpu()
        run.write_results(rescore(run, tasks))
        seconds, cpu = time.perf_counter() - start, _cpu() - used
        run.close()
    speed = f"{seconds:.1f} s, {given.episodes / seconds:.0f} a second; {cpu:.1f} s of CPU"
    print(f"{given.episodes} episodes, {size / 1e6:.0f} MB: {speed}")


if __name__ == "__main__":
    main()
