"""Measure: the description of one measure besides its formula: its suites, bounds and meaning."""

from typing import Literal

from longtrail.records.case import HARD, PATHWAYS
from longtrail.records.record import Record
from longtrail.records.result import Value
from longtrail.records.trajectory import Suite

Kind = Literal["rate", "given", "mean", "label"]
"""`rate`: in [0, 1], an invalid case counts as 0 over all cases; `given`: in [0, 1], over the cases for which it is
defined; `mean`: any range, over the cases for which it is defined; `label`: one of several words."""

DECISION: tuple[Suite, ...] = (*PATHWAYS, *HARD)
APP: tuple[Suite, ...] = ("app",)


class Measure(Record):
    """One measure."""

    name: str
    suites: tuple[Suite, ...]
    kind: Kind
    says: str
    """Its meaning, in one line."""
    low: float = 0.0
    high: float | None = 1.0
    """None: no upper bound."""
    labels: tuple[str, ...] = ()

    def admits(self, value: Value) -> bool:
        """Whether this measure can have a value. None (not defined for the case) is always possible."""
        if value is None:
            return True
        if self.kind == "label":
            return isinstance(value, str) and (not self.labels or value in self.labels)
        if isinstance(value, str) or value != value:
            return False
        return self.low <= value and (self.high is None or value <= self.high)
