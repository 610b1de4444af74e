"""Parent watch: ends a worker when its controller has ended, for whatever reason.

What is recorded is on the disk; the browser ends with the worker (`longtrail.browser.guardian`).
"""

import os
import threading
import time

EVERY = 0.5
"""Seconds between two looks."""


def end_with_parent() -> None:
    """Watch from a thread that keeps nothing alive."""
    threading.Thread(target=_watch, args=(os.getppid(),), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    os._exit(1)
