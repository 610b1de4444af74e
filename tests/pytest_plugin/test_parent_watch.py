"""Parent watch: a worker ends with its controller, also if that ended before the worker had collected its tests."""

import contextlib
import subprocess
import sys

import psutil

CHILD = """
import os, sys, time
from longtrail.pytest_plugin.xdist_start import end_with_parent
parent = os.getppid()
print(os.getpid(), flush=True)
if sys.argv[1] == "late":
    while os.getppid() == parent:
        time.sleep(0.01)
end_with_parent(parent)
while True:
    time.sleep(1)
"""
PARENT = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2]], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), end="", flush=True)
"""


def _ends(when: str) -> bool:
    done = subprocess.run([sys.executable, "-c", PARENT, CHILD, when], capture_output=True, text=True, check=True)
    with contextlib.suppress(psutil.NoSuchProcess):
        orphan = psutil.Process(int(done.stdout))
        return not psutil.wait_procs([orphan], 60)[1]
    return True


def test_a_worker_ends_with_its_controller() -> None:
    assert _ends("early")


def test_a_worker_ends_if_its_controller_ended_before_it_watched() -> None:
    assert _ends("late")
