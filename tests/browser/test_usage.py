"""A worker's processor time and memory are measured and printed, with notices for the user."""

import os
import subprocess
import sys
from pathlib import Path

from longtrail.browser.resource_usage import (
    ResourceMeter,
    WorkerUsage,
    cpu_seconds,
    memory_mb,
    process_tree,
    read_usage_lines,
    write_usage,
)

BUSY = "b = bytearray(400_000_000); t = 0\nwhile t < 5_000_000: t += 1\nprint('done', flush=True); input()"


def test_children_count() -> None:
    before = memory_mb(os.getpid()), cpu_seconds(os.getpid())
    with ResourceMeter() as meter:
        child = subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "done\n"
        assert child.pid in [process.pid for process in process_tree(os.getpid())]
        use = meter.read("gw0")
        child.communicate("\n")
    assert process_tree(child.pid) == []
    assert use.peak_mb > before[0] + 250  # browsers of other tests may end meanwhile
    assert use.cpu_seconds > before[1] + 0.1
    assert cpu_seconds(os.getpid()) >= use.cpu_seconds  # ended processes still count


def test_told_once(tmp_path: Path) -> None:
    assert read_usage_lines(tmp_path) == []
    for worker in ("gw0", "gw1"):
        write_usage(
            tmp_path, WorkerUsage(worker=worker, cpu_seconds=12.34, peak_mb=345.6, notices=("the sandbox is off",))
        )
    (tmp_path / "workers" / "gw2.json").write_text("{")
    assert read_usage_lines(tmp_path) == [
        "worker gw0: 12 CPU seconds, at most 346 MB",
        "worker gw1: 12 CPU seconds, at most 346 MB",
        "the sandbox is off",
    ]
