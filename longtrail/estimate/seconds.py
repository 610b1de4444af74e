"""Seconds: how long cases that share a first part are expected to take, one after the other."""

from collections.abc import Iterable

from longtrail.estimate.cases import phases_of
from longtrail.tasks.cases import Planned

CALL, STEP, READING = 1.5, 0.5, 10_000
"""Seconds per call, seconds per browser step, tokens of history that a model reads per second."""


def expected_seconds(cases: Iterable[Planned]) -> float:
    """Seconds that these cases take in one process.

    A task's first part is played once for all of its lengths, and of each history only the part beyond the longest
    previous one is read. The figures are those of `--estimate` (`estimate/cases.py`); only their ratios matter here.
    """
    seconds, longest, opened = 0.0, 0, False
    for case in cases:
        for phase, _, steps, _, history in phases_of(case, "default"):
            if phase == "a1" and opened:
                continue
            opened = opened or phase == "a1"
            seconds += steps * (CALL + STEP)
            seconds += max(0, history - longest) / READING if phase == "a2" else history / READING
            longest = max(longest, history) if phase == "a2" else longest
    return seconds
