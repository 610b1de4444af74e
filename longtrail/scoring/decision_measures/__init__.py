"""Measures of decision cases with a separate module each: every module of this package is the measure of its name, and
has `measure(view) -> Metric`."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any


@cache
def decision_measures() -> dict[str, Any]:
    """The modules of this package, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return {name: import_module(f"{__name__}.{name}") for name in names}
