"""Parent watch: a worker ends soon after its controller, however this one ended and whatever the worker is doing."""

import os
import threading
import time

GRACE = 8
"""Seconds in which the worker may end by itself: it loses its connection, and then closes its browser."""
EVERY = 0.5
"""Seconds between two looks."""


def end_with_parent() -> None:
    """Watch from a thread that keeps nothing alive."""
    threading.Thread(target=_watch, args=(os.getppid(),), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    time.sleep(GRACE)
    os._exit(1)
