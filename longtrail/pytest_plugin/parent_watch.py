"""Parent watch: ends a worker when its controller has ended for any reason.

Records are already on disk; the browser ends with the worker (`longtrail.browser.guardian`).
"""

import os
import threading
import time

from longtrail.pytest_plugin import PARENT

EVERY = 0.5
"""Seconds between two checks."""


def end_with_parent(parent: int = PARENT) -> None:
    """End this process, from a daemon thread, when its parent is another process than `parent`: at once if that has
    already ended."""
    threading.Thread(target=_watch, args=(parent,), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    os._exit(1)
