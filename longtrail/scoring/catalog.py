"""The catalogue of measures, as `measures.yaml` lists them: the scorer checks values against it, and the tables of
docs/metrics.md are made from it.

Where a measure of a paper can be gamed, ours has the plain name, and `paper_` marks the one that follows the paper.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator

from longtrail.records.case import DECISION, HARD, LONG, SHIFTS
from longtrail.records.record import Record
from longtrail.records.result import Value
from longtrail.records.trajectory import Suite
from longtrail.yaml_file import read

Kind = Literal["rate", "conditional", "pair", "mean", "label"]
"""`rate`: in [0, 1], an invalid case counts as 0 over all cases; `conditional`: in [0, 1], over the cases for which it
is defined; `pair`: in [0, 1], over the pairs of twins of which both have a valid case; `mean`: any range, over the
cases for which it is defined; `label`: one of several words."""
GROUPS: dict[str, tuple[Suite, ...]] = {
    "long": LONG,
    "decision": DECISION,
    "hard": HARD,
    "shift": SHIFTS,
    "app": ("app",),
}
"""The groups of suites that measures name."""


def _suites(groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(suite for group in groups for suite in GROUPS.get(group, (group,)))


Suites = Annotated[tuple[Suite, ...], BeforeValidator(_suites)]


class Measure(Record):
    """One measure."""

    name: str
    kind: Kind
    suites: Suites
    says: str
    """Its formula in words."""
    source: str = "ours"
    """The paper and section that define it."""
    high: float | None = 1.0
    """The upper bound; None: there is none. The lower bound is 0."""
    labels: tuple[str, ...] = ()
    """The words that a label can be; none: any."""
    primary: Suites = ()
    """The suites of which it is the primary endpoint."""

    @property
    def is_share(self) -> bool:
        """Whether its values are in [0, 1], so that its interval is that of a rate."""
        return self.kind in ("rate", "conditional", "pair")

    @property
    def bounds(self) -> str:
        """Its kind, with the bounds of a mean: `mean, 0 to 7`."""
        if self.kind != "mean":
            return self.kind
        return "mean, from 0" if self.high is None else f"mean, 0 to {self.high:g}"

    def admits(self, value: Value) -> bool:
        """Whether this measure can have a value. None (not defined for the case) is always possible."""
        if value is None:
            return True
        if self.kind == "label":
            return isinstance(value, str) and (not self.labels or value in self.labels)
        if isinstance(value, str) or value != value:
            return False
        return value >= 0 and (self.high is None or value <= self.high)


MEASURES: dict[str, Measure] = {
    measure.name: measure for measure in read(tuple[Measure, ...], Path(__file__).with_name("measures.yaml"))
}
"""Every measure by name, in the order of reports."""
PRIMARY: dict[Suite, str] = {suite: measure.name for measure in MEASURES.values() for suite in measure.primary}
"""The primary endpoint of each suite; everything else is secondary."""


def table(suite: Suite) -> str:
    """The measures of a suite as the Markdown table of docs/metrics.md."""
    rows = (f"| `{m.name}` | {m.bounds} | {m.says} | {m.source} |" for m in MEASURES.values() if suite in m.suites)
    return "\n".join(("| measure | kind | formula | source |", "|---|---|---|---|", *rows))


if __name__ == "__main__":
    print(table("long_context"), table("hard_shop"), table("shift_shop"), sep="\n\n")
