"""The cost of Playwright's traces: the oracle plays the same decision tasks without one, with one that is dropped
because the case passed (`retain-on-failure`), and with one that is kept (`on`), alternately, in one process. As in
every run, each step has a screenshot.

    python -m benchmarks.tracing [--tasks 12] [--rounds 3]

Prints the seconds of an episode (medians), how much longer a traced one takes (medians of pairs), the same if a model
took 2 s for each step, and a trace's size.
"""

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median

from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.episode.context import EpisodeContext, Recorder
from longtrail.episode.runner import play_once
from longtrail.records.trajectory import Case, Contender
from longtrail.runs.recordings import Recordings
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb

RULES = ("off", "retain-on-failure", "on")
PICTURES = ViewSettings(screenshot=True)
MODEL_SECONDS = 2.0


def main() -> None:
    """Play, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    decisions = [task for task in load_tasks().values() if isinstance(task, DecisionTask)]
    tasks = decisions[:: len(decisions) // given.tasks][: given.tasks]
    seconds: dict[str, list[float]] = {rule: [] for rule in RULES}
    steps, sizes = [], []
    with tempfile.TemporaryDirectory() as folder, SealedWeb(all_sites()) as web, Browser(PICTURES) as browser:
        run = Run(Path(folder))
        run.shots.mkdir()
        for number in range(-1, given.rounds):  # the first round only warms up
            for at, task in enumerate(tasks):
                turn = (number + at) % len(RULES)
                for rule in (*RULES[turn:], *RULES[:turn]):
                    case = Case(
                        id=f"{task.id.lower()}-{number + 1}-{rule}", suite=task.suite, task=task.id, prompt="raw"
                    )
                    episode = played(case, task, rule, run, web, browser)
                    if number >= 0:
                        seconds[rule].append(episode[0])
                        steps.append(episode[1])
        sizes = [path.stat().st_size for path in run.folder.rglob("trace.zip")]
    thinking = MODEL_SECONDS * median(steps)
    for rule in RULES:
        pairs = list(zip(seconds["off"], seconds[rule], strict=True))
        slower = median(with_it / without - 1 for without, with_it in pairs)
        beside = median((with_it - without) / (without + thinking) for without, with_it in pairs)
        print(
            f"{rule}: {median(seconds[rule]):.2f} s an episode, {slower:+.0%}; with a model of 2 s a step {beside:+.1%}"
        )
    print(f"{len(seconds['off'])} pairs; {median(steps):g} steps an episode")
    print(f"a trace has {median(sizes) / 1e6:.1f} MB in the median, {max(sizes) / 1e6:.1f} MB at most")


def played(case: Case, task: DecisionTask, rule: str, run: Run, web: SealedWeb, browser: Browser) -> tuple[float, int]:
    """The seconds of an episode, with those to keep or drop its trace; and its number of steps."""
    with Recordings({"tracing": rule}, run.folder) as recordings:
        recorder = Recorder(record_session=recordings.begin, save_shot=run.save_shot)
        trajectory = play_once(case, task, EpisodeContext(web, browser, Contender(agent="oracle"), recorder=recorder))
        assert trajectory.valid, trajectory.ends
        start = time.perf_counter()
        recordings.keep(trajectory, passed=True)
        return trajectory.seconds + time.perf_counter() - start, len(trajectory.steps)


if __name__ == "__main__":
    main()
