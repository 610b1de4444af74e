"""Quiet calls: warnings of litellm and of providers don't concern the user, and must not become errors.

`warnings.catch_warnings` changes the filters of all threads, and pytest replaces them for each test. Where several
episodes are played at once, calls and tests overlap. So this is a filter for one kind of thread, and it stays.
"""

import threading
import warnings
from typing import Any

CALLING = "model call"
"""The name of a thread that makes a model call."""


class _CallingThreads:
    """Takes the place of a filter's pattern for a module's name."""

    def match(self, _: str) -> bool:
        """Whether the thread that warns now is making a model call."""
        return threading.current_thread().name == CALLING


_FILTER: Any = ("ignore", None, Warning, _CallingThreads(), 0)


def hush() -> None:
    """From now on, ignore all warnings in calling threads, whatever the other filters say. Whoever sets new filters
    calls it again."""
    filters: Any = warnings.filters
    if not filters or filters[0] is not _FILTER:
        filters.insert(0, _FILTER)
