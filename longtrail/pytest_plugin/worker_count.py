"""Worker count: what `-n auto` means where a model plays: how many workers, and how many episodes in each.

Most of such an episode is waiting for the model. A worker with its browser takes 460 MB, and each further episode in it
less than 60 (`python -m benchmarks.episodes`). So there are as many workers as there are cores, since one process
computes on one core at a time, and several episodes in each.
"""

import os
from pathlib import Path
from typing import Any

import psutil

from longtrail.agents.spec import AgentSpec

EPISODES = 8
"""Episodes for each core. A call and what follows it take about 0.2 s of a core: eight fill it if a model answers
within 1.5 s. With a slower model more would fit, but its speed is unknown before the run. With a faster one episodes
wait for each other, which costs only memory."""
WORKER_MB, EPISODE_MB, SESSION_MB = 460, 60, 300
"""Memory of a worker with one episode, of each further episode, and of the session itself."""
SHARE = 0.75
"""The share of the free memory that is used."""
CGROUP = Path("/sys/fs/cgroup")


def auto_workers(option: Any) -> int | None:
    """Number of workers; sets `--episodes-per-worker` unless given. `option`: pytest's, with a model. None: xdist
    decides, as workers of Ray play."""
    if option.longtrail_ray is not None:
        return None
    given = option.longtrail_episodes_per_worker
    most = given or (EPISODES if _waits(option) else 1)
    workers, episodes = choose(_cores(), _free_mb(), most, fixed=given is not None)
    option.longtrail_episodes_per_worker = episodes
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


def _waits(option: Any) -> bool:
    """Whether episodes wait for a model, and all agents may be played in threads."""
    known = all(AgentSpec.parse(agent).kind in ("built_in", "http") for agent in option.longtrail_agent)
    return known and option.longtrail_replay is None and option.longtrail_web != "live"


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else psutil.cpu_count() or 1


def _free_mb() -> float:
    """Free memory; inside a container, within its limit."""
    free = psutil.virtual_memory().available
    try:
        limit = int((CGROUP / "memory.max").read_text("ascii"))
        free = min(free, max(0, limit - int((CGROUP / "memory.current").read_text("ascii"))))
    except (OSError, ValueError):  # no container, or one without a limit
        pass
    return free / 1024**2
