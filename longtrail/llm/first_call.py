"""First call: litellm makes a model's HTTP client in its first call and keeps it. Threads that call at the same moment
would each make one; all but one are lost, with their connections open.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

WAIT = 10.0
"""Seconds that other calls wait at most for the first: a server that does not answer holds up one call, not all."""
_MADE: set[str] = set()
_MAKING = threading.Lock()


@contextmanager
def first_call_alone(model: str) -> Iterator[None]:
    """Make a call to a model; if none has ended in this process yet, no other first call runs meanwhile."""
    held = model not in _MADE and _MAKING.acquire(timeout=WAIT)
    if held and model in _MADE:
        _MAKING.release()
        held = False
    try:
        yield
    finally:
        _MADE.add(model)
        if held:
            _MAKING.release()
