"""Measures of decision cases with a separate module each: every module of this package is a measure.

A module has `MEASURE` (its name, kind, bounds and meaning) and `measure(case) -> Metric`.
"""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any


@cache
def decision_measures() -> tuple[Any, ...]:
    """The modules of this package, by name."""
    return tuple(import_module(f"{__name__}.{name}") for name in sorted(m.name for m in pkgutil.iter_modules(__path__)))
