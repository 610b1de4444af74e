"""Parent watch: ends a worker when its controller has ended for any reason.

Records are already on disk; the browser ends with the worker (`longtrail.browser.guardian`).
"""

import os
import threading
import time

EVERY = 0.5
"""Seconds between two checks."""
PARENT = os.getppid()
"""In a worker: its controller, as it was when the worker began. It may have ended when the worker has collected."""


def end_with_parent(parent: int) -> None:
    """End this process, from a daemon thread, when its parent is another process than `parent`: at once if that has
    already ended."""
    threading.Thread(target=_watch, args=(parent,), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    os._exit(1)
