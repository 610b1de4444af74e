"""Model speed: how long a model took to answer, as the latest run of a reports folder recorded it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

RUNS, CASES = 20, 500
"""Number of latest runs, and of cases in each, that are looked at: this happens before every session with `-n auto`."""
FEW = 3
"""Number of cases with calls that a run needs."""


@dataclass(frozen=True)
class ModelSpeed:
    """What a run tells about a model."""

    model: str
    seconds: float
    """Median over the cases: seconds of a call."""
    run: str


def recorded_speed(runs: Path, models: Sequence[str]) -> ModelSpeed | None:
    """The slowest of these models in the latest run in which any of them played; None: nothing is known."""
    ended = sorted(runs.glob("*/results.jsonl"), key=_when, reverse=True)
    for file in ended[:RUNS]:
        taken: dict[str, list[float]] = {}
        for model, seconds in _calls(file):
            if model in models:
                taken.setdefault(model, []).append(seconds)
        known = [ModelSpeed(one, median(all_), file.parent.name) for one, all_ in taken.items() if len(all_) >= FEW]
        if known:
            return max(known, key=lambda speed: speed.seconds)
    return None


def _calls(file: Path) -> list[tuple[str, float]]:
    """(model, seconds of a call) of each case that called one. Replayed calls took no time. Files of other versions are
    read as far as they are understood."""
    found = []
    try:
        with file.open(encoding="utf-8") as lines:
            for line in islice(lines, CASES):
                one: dict[str, Any] = json.loads(line)
                calls, seconds = int(one["usage"]["calls"]), float(one["timing"]["model"])
                if calls and seconds > 0:
                    found.append((str(one["contender"]["model"]), seconds / calls))
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return found


def _when(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
