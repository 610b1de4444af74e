"""Machine: the cores and the free memory that this process may use, also inside a container.

A container's limits are in files of its control group (cgroup): those of version 2, or of version 1, where each
resource has a folder of its own. A limit of any group above it holds, too.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import psutil

CGROUP, OWN = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def cores(root: Path = CGROUP, own: Path = OWN) -> float:
    """Cores that this process may use, with two digits. `root`, `own`: where the control groups are, and the list of
    those of this process."""
    found = float(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else psutil.cpu_count() or 1)
    for folder in _groups("", root, own):
        quota, _, period = _text(folder / "cpu.max").partition(" ")
        found = min(found, _share(quota, period))
    for folder in _groups("cpu", root, own):
        found = min(found, _share(_text(folder / "cpu.cfs_quota_us"), _text(folder / "cpu.cfs_period_us")))
    return round(found, 2)


def free_mb(root: Path = CGROUP, own: Path = OWN) -> float:
    """Free memory in MB, within the limits. A group's use contains files that were read; unused ones (`inactive_file`)
    count as free."""
    free = float(psutil.virtual_memory().available)
    for folder in _groups("", root, own):
        free = min(free, _left(folder, "memory.max", "memory.current", "inactive_file"))
    for folder in _groups("memory", root, own):
        free = min(free, _left(folder, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"))
    return free / 1024**2


def _groups(resource: str, root: Path, own: Path) -> Iterator[Path]:
    """The folders of this process' group and of those above it; `resource`: of version 1; empty: of version 2. A
    container may see its own group as the root, so folders may be missing."""
    for line in _text(own).splitlines():
        _, names, path = (*line.split(":", 2), "", "")[:3]
        if resource not in names.split(","):
            continue
        parts = [part for part in path.split("/") if part and part != ".."]
        bases = [root / names, root / resource] if resource else [root, root / "unified"]
        for base in dict.fromkeys(bases):
            for depth in range(len(parts) + 1):
                yield base.joinpath(*parts[:depth])


def _share(quota: str, period: str) -> float:
    """Cores in a quota; unlimited (`max`, -1) or unknown: infinitely many."""
    if quota.isdigit() and period.isdigit() and int(quota) > 0 and int(period) > 0:
        return int(quota) / int(period)
    return float("inf")


def _left(folder: Path, limit: str, used: str, unused: str) -> float:
    """Bytes below a limit."""
    most, now = _text(folder / limit), _text(folder / used)
    if not (most.isdigit() and now.isdigit()):
        return float("inf")
    stat = dict(line.split(" ", 1) for line in _text(folder / "memory.stat").splitlines() if " " in line)
    files = stat.get(unused, "0")
    return max(0.0, int(most) - int(now) + (int(files) if files.isdigit() else 0))


def _text(path: Path) -> str:
    try:
        return path.read_text("ascii", "replace").strip()
    except OSError:
        return ""
