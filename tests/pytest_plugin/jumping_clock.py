"""A pytest plugin that runs are given (`-p tests.pytest_plugin.jumping_clock`): the clock on the wall jumps by a day,
forwards and back, at each look. Clocks that only measure go on as they do."""

import itertools
import time

DAY = 86_400.0
_true = time.time
_jumps = itertools.cycle((DAY, -DAY, 0.0))


def _jumping() -> float:
    return _true() + next(_jumps)


time.time = _jumping
