"""Parent watch: ends a worker when its controller has ended for any reason.

Records are already on disk; the browser ends with the worker (`longtrail.browser.guardian`).
"""

import os
import threading
import time

import longtrail.pytest_plugin

EVERY = 0.5
"""Seconds between two checks."""


def end_with_parent(parent: int | None = None) -> None:
    """End this process, from a daemon thread, when its parent is another process than `parent` (by default the one that
    it began with): at once if that has already ended."""
    expected = longtrail.pytest_plugin.PARENT if parent is None else parent
    threading.Thread(target=_watch, args=(expected,), name="longtrail-parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(EVERY)
    os._exit(1)
