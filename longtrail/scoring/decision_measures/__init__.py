"""Measures of decision cases with a separate module each: every module of this package is a measure.

A module has `MEASURE` (its name, kind, bounds and meaning) and `measure(case) -> Metric`.
"""

import pkgutil
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from longtrail.records.result import Metric
from longtrail.scoring.measure import Measure


class DecisionMeasure(Protocol):
    """The interface of such a module."""

    MEASURE: Measure
    measure: Callable[[Any], Metric]
    """The measure's value in a case."""


@cache
def decision_measures() -> tuple[DecisionMeasure, ...]:
    """The modules of this package, by name."""
    found = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return tuple(cast(DecisionMeasure, import_module(f"{__name__}.{name}")) for name in found)
