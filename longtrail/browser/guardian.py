"""Guardian: a small process that outlives its worker and ends what a killed worker leaves running.

What a worker starts (a browser, an agent's program, the browser that this program drives) may live on when the worker
is killed. The guardian learns about each on its standard input. When that closes, the worker has ended in some way;
the guardian then ends all that was not released, with the processes of its group, and removes its folder.
"""

import atexit
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path


class Guardian:
    """The worker's side. The process runs while there is something to watch."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._watched: set[int] = set()
        self._lock = threading.Lock()

    def watch(self, pid: int, folder: Path) -> None:
        """End this process and its group, and remove this folder, if the worker ends before `release`."""
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            group = os.getpgid(pid)
            self._watched.add(pid)
            self._tell(f"+{pid} {0 if group == os.getpgid(0) else group} {folder}\n")

    def release(self, pid: int) -> None:
        """Stop watching: the worker has ended it itself."""
        if pid not in self._watched:
            return
        self._watched.discard(pid)
        self._tell(f"-{pid}\n")
        with self._lock:
            if not self._watched and self._process is not None:
                _dismiss(self._process)
                self._process = None

    def _tell(self, line: str) -> None:
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._process = _start()
            assert self._process.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(line.encode())
                self._process.stdin.flush()


def _start() -> "subprocess.Popen[bytes]":
    """Start it with the bare interpreter, as this file needs nothing else, in a session that Ctrl-C does not reach."""
    command = [sys.executable, "-I", "-S", __file__]
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(command, stdin=pipe, stdout=quiet, start_new_session=True)  # noqa: S603 (our own words)


def _dismiss(process: "subprocess.Popen[bytes]") -> None:
    """The worker ends normally."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        process.communicate(timeout=5)


def main() -> None:
    """Listen until the worker's end, then clean up."""
    left: dict[str, tuple[int, str]] = {}
    for line in sys.stdin:
        if line[0] == "-":
            left.pop(line[1:].strip(), None)
            continue
        pid, group, folder = line[1:].rstrip("\n").split(" ", 2)
        left[pid] = int(group), folder
    for pid, (number, folder) in left.items():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(number, signal.SIGKILL) if number else os.kill(int(pid), signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)


def _at_exit() -> None:
    if GUARDIAN._process is not None:
        _dismiss(GUARDIAN._process)


GUARDIAN = Guardian()
"""Children of this process."""

atexit.register(_at_exit)

if __name__ == "__main__":
    main()
