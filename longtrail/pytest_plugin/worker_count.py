"""Worker count: what `-n auto` means where a model plays: how many workers, and how many episodes in each.

Most of such an episode is waiting for the model. A worker with its browser takes 460 MB, and each further episode in it
less than 60 (`python -m benchmarks.episodes`). So there are as many workers as there are cores, since one process
computes on one core at a time, and several episodes in each.
"""

import os
from pathlib import Path
from typing import Any

from longtrail.agents.spec import AgentSpec
from longtrail.pytest_plugin.machine import cores, free_mb
from longtrail.pytest_plugin.model_speed import recorded_speed

CPU = 0.2
"""Seconds of a core that a call of a model and what follows it take."""
SECONDS = 1.5
"""How long a model is expected to take for an answer if no run has recorded it."""
MOST = 32
"""Maximum number of episodes in a worker: they share one browser and one lock of the interpreter."""
WORKER_MB, EPISODE_MB, SESSION_MB = 460, 60, 300
"""Memory of a worker with one episode, of each further episode, and of the session itself."""
SHARE = 0.75
"""The share of the free memory that is used."""
XDISTS = "PYTEST_XDIST_AUTO_NUM_WORKERS"
"""The environment variable with which xdist's `-n auto` is overruled."""


def auto_workers(option: Any, root: Path) -> int | None:
    """Number of workers; sets `--episodes-per-worker` unless given, and `longtrail_auto` to a line that says why.
    `option`: pytest's, with a model; `root`: its root folder. None: xdist decides, as workers of Ray play."""
    if option.longtrail_ray is not None:
        return None
    usable, free = cores(), free_mb()
    forced, limit = os.environ.get(XDISTS, ""), getattr(option, "maxprocesses", None)
    if forced.isdigit() and int(forced) > 0:
        wanted, why = int(forced), XDISTS
    else:
        wanted, why = max(1, int(usable)), f"{usable:g} core{'' if usable == 1 else 's'}"
    if limit and limit < wanted:
        wanted, why = limit, f"--maxprocesses {limit}"
    given = option.longtrail_episodes_per_worker
    reports = option.longtrail_reports if isinstance(option.longtrail_reports, Path) else root / "reports"
    most, reason = (given, "as given") if given else _episodes(option, reports / "runs")
    workers, episodes = choose(wanted, free, most, fixed=given is not None)
    workers = wanted if why == XDISTS else workers
    less = " allow no more" if (workers, episodes) < (wanted, most) else ""
    each = f"{episodes} episode{'' if episodes == 1 else 's'} each"
    option.longtrail_episodes_per_worker = episodes
    option.longtrail_auto = (
        f"-n auto: {workers} worker{'' if workers == 1 else 's'} ({why}), {each} "
        f"({free / 1024:.1f} GB free{less}; {reason})"
    )
    return workers


def choose(cores: int, free_mb: float, most: int, *, fixed: bool = False) -> tuple[int, int]:
    """Workers and episodes in each, for this number of cores and this free memory; at most `most` episodes, exactly
    that number if `fixed`. First there are fewer episodes, down to one, then fewer workers, down to one."""
    room = free_mb * SHARE - SESSION_MB
    for episodes in (most,) if fixed else range(most, 0, -1):
        if cores * (WORKER_MB + (episodes - 1) * EPISODE_MB) <= room:
            return cores, episodes
    least = most if fixed else 1
    return max(1, int(room // (WORKER_MB + (least - 1) * EPISODE_MB))), least


def filling(seconds: float) -> int:
    """How many episodes fill a core, if each waits so many seconds for every answer; at least 2, at most `MOST`. More
    than necessary cost only memory: they wait for each other."""
    return min(MOST, max(2, int((seconds + CPU) / CPU + 1e-9)))


def _episodes(option: Any, runs: Path) -> tuple[int, str]:
    """The number of episodes in a worker, if there is memory for them, and the reason."""
    if why := _one_by_one(option):
        return 1, why
    speed = recorded_speed(runs, option.longtrail_model)
    if speed is None:
        most = filling(SECONDS)
        return most, f"a model that answers within {SECONDS:g} s fills a core"
    return filling(speed.seconds), f"{speed.model} took {speed.seconds:.1f} s per call in run {speed.run}"


def _one_by_one(option: Any) -> str:
    """Why a worker must play one episode after the other; empty if it need not. The code of a project's own agents may
    rely on it, and so may their servers."""
    for agent in option.longtrail_agent:
        if AgentSpec.parse(agent).kind != "built_in":
            return f"{agent} may need one after the other; else give --episodes-per-worker"
    if option.longtrail_replay is not None:
        return "--replay doesn't wait"
    return "on the real web" if option.longtrail_web == "live" else ""
