"""First call: litellm makes a model's HTTP client at the start of its first call and keeps it. Threads that call at the
same moment would each make one; all but one are lost, with their connections open.
"""

import threading
import time

WAIT = 1.0
"""Seconds after the start of a model's first call by which its client is made, also on a busy machine. No call waits
longer. If it is too short, the only harm is an unused open connection."""
_FIRST: dict[str, float] = {}
_LOCK = threading.Lock()


def after_first_call(model: str) -> None:
    """Return at once for a model's first call in this process; later calls wait until WAIT seconds after its start."""
    with _LOCK:
        started = _FIRST.setdefault(model, now := time.monotonic())
    if started < now:
        time.sleep(max(0.0, started + WAIT - now))
