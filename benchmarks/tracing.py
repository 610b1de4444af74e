"""The cost of Playwright's traces: the oracle plays the same decision tasks with and without one, alternately, in one
process.

    python -m benchmarks.tracing [--tasks 12] [--rounds 3]

Prints the seconds of an episode and of its steps (medians), how much longer a traced one takes, and a trace's size.
"""

import argparse
import tempfile
from pathlib import Path
from statistics import median

from longtrail.browser.context_records import Kind
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext, Recorder
from longtrail.episode.runner import play_once
from longtrail.records.trajectory import Case, Contender
from longtrail.runs.recordings import Recordings
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    decisions = [task for task in load_tasks().values() if isinstance(task, DecisionTask)]
    tasks = decisions[:: len(decisions) // given.tasks][: given.tasks]
    off: dict[Kind, str] = {"tracing": "off"}
    on: dict[Kind, str] = {"tracing": "on"}
    episode: dict[bool, list[float]] = {False: [], True: []}
    browser_time: dict[bool, list[float]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as folder, SealedWeb(all_sites()) as web, Browser() as browser:
        run = Path(folder)
        for number in range(-1, given.rounds):  # the first round only warms up
            for task in tasks:
                for traced in (False, True) if number % 2 else (True, False):
                    with Recordings(on if traced else off, run) as recordings:
                        context = EpisodeContext(
                            web,
                            browser,
                            Contender(agent="oracle"),
                            recorder=Recorder(record_session=recordings.begin),
                        )
                        case = Case(id=f"{task.id.lower()}-{number + 1}", suite=task.suite, task=task.id, prompt="raw")
                        trajectory = play_once(case, task, context)
                        recordings.keep(trajectory, passed=True)
                    if number >= 0:
                        episode[traced].append(trajectory.seconds)
                        browser_time[traced].append(sum(step.timing.browser for step in trajectory.steps))
        sizes = [path.stat().st_size for path in run.rglob("trace.zip")]
    for traced in (False, True):
        name = "with a trace" if traced else "without"
        print(
            f"{name}: {median(episode[traced]):.2f} s an episode, of which {median(browser_time[traced]):.2f} s steps"
        )
    slower = [with_it / without - 1 for without, with_it in zip(episode[False], episode[True], strict=True)]
    print(f"a traced episode takes {median(slower):.0%} longer (median of {len(slower)} pairs)")
    print(f"a trace has {median(sizes) / 1e6:.1f} MB in the median, {max(sizes) / 1e6:.1f} MB at most")


if __name__ == "__main__":
    main()
