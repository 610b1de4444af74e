"""Measure: the description of one measure. It stands beside its code; the tables of docs/metrics.md are made
from it."""

from typing import Literal

from longtrail.records.case import HARD, LONG, PATHWAYS
from longtrail.records.record import Record
from longtrail.records.result import Value
from longtrail.records.trajectory import Suite

Kind = Literal["rate", "conditional", "pair", "mean", "label"]
"""`rate`: in [0, 1], an invalid case counts as 0 over all cases; `conditional`: in [0, 1], over the cases for which it
is defined; `pair`: in [0, 1], over the pairs of twins of which both have a valid case; `mean`: any range, over the
cases for which it is defined; `label`: one of several words."""

DECISION: tuple[Suite, ...] = (*PATHWAYS, *HARD)
DECISION_AND_APP: tuple[Suite, ...] = (*DECISION, "app")
LONG_AND_APP: tuple[Suite, ...] = (*LONG, "app")
OURS = "ours"


class Measure(Record):
    """One measure."""

    kind: Kind
    name: str
    suites: tuple[Suite, ...]
    says: str
    """Its formula in words."""
    source: str = OURS
    """The paper and section that define it."""
    low: float = 0.0
    high: float | None = 1.0
    """None: no upper bound."""
    labels: tuple[str, ...] = ()

    @property
    def is_share(self) -> bool:
        """Whether its values are in [0, 1], so that its interval is that of a rate."""
        return self.kind in ("rate", "conditional", "pair")

    @property
    def bounds(self) -> str:
        """Its kind, with the bounds of a mean: `mean, 0 to 7`."""
        if self.kind != "mean":
            return self.kind
        return f"mean, from {self.low:g}" if self.high is None else f"mean, {self.low:g} to {self.high:g}"

    def admits(self, value: Value) -> bool:
        """Whether this measure can have a value. None (not defined for the case) is always possible."""
        if value is None:
            return True
        if self.kind == "label":
            return isinstance(value, str) and (not self.labels or value in self.labels)
        if isinstance(value, str) or value != value:
            return False
        return self.low <= value and (self.high is None or value <= self.high)


def rate(name: str, suites: tuple[Suite, ...], says: str, source: str = OURS) -> Measure:
    """A rate over all cases."""
    return Measure(kind="rate", name=name, suites=suites, says=says, source=source)


def conditional(name: str, suites: tuple[Suite, ...], says: str, source: str = OURS) -> Measure:
    """A rate over the cases for which it is defined."""
    return Measure(kind="conditional", name=name, suites=suites, says=says, source=source)


def pair(name: str, suites: tuple[Suite, ...], says: str) -> Measure:
    """A rate over pairs of twins."""
    return Measure(kind="pair", name=name, suites=suites, says=says, source=OURS)


def mean(name: str, suites: tuple[Suite, ...], says: str, source: str = OURS, high: float | None = 1.0) -> Measure:
    """A mean from 0 to `high`; None: no upper bound."""
    return Measure(kind="mean", name=name, suites=suites, says=says, source=source, high=high)


def label(name: str, suites: tuple[Suite, ...], says: str, source: str = OURS, labels: tuple[str, ...] = ()) -> Measure:
    """One of some words; any word if there are no `labels`."""
    return Measure(kind="label", name=name, suites=suites, says=says, source=source, labels=labels)
