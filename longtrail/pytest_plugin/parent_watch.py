"""Parent watch: ends a worker when its controller has ended for any reason.

Records are already on disk; the browser ends with the worker (`longtrail.browser.guardian`).
"""

import os
import threading
import time

EVERY = 0.5
"""Seconds between two checks."""


def end_with_parent() -> None:
    """Watch from a daemon thread."""
    threading.Thread(target=_watch, args=(os.getppid(),), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    os._exit(1)
