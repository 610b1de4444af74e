"""A pytest plugin for runs (`-p tests.pytest_plugin.jumping_clock`): each reading of the wall clock (`time.time`) is
a day fast, a day slow or right. Monotonic clocks don't change."""

import itertools
import time

DAY = 86_400.0
_true = time.time
_jumps = itertools.cycle((DAY, -DAY, 0.0))


def _jumping() -> float:
    return _true() + next(_jumps)


time.time = _jumping
