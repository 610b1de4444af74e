"""The records of a gate and of a comparison: findings by endpoint, suite and case, and the verdict.

`gate.json` is one GateReport.
"""

from typing import Literal

from longtrail.options.gate_rules import GateRules, Verdict
from longtrail.records.record import Record
from longtrail.records.trajectory import Suite


class EndpointFinding(Record):
    """One endpoint, before (the baseline) and after (the run)."""

    endpoint: str
    """`success`, `success at 25k`, `proven under hint` ..."""
    measure: str = ""
    """The measure whose mean it is; empty in reports of earlier versions."""
    conditions: tuple[str, ...] = ()
    """The conditions that the mean includes."""
    before: float
    after: float
    change: float
    """after - before: mean over tasks."""
    low: float
    high: float
    """Interval of the change; each limit is one-sided at level alpha."""
    scope: Literal["these tasks", "such tasks"] = "such tasks"
    """What the interval is about: the change on exactly these tasks, whose uncertainty is the noise between runs; or,
    with one repeat, the change on tasks such as these, because noise and differences between tasks can't be told
    apart."""
    p: float
    """One-sided: the probability of this drop or a larger one if nothing had changed."""
    adjusted: float
    """`p` after Holm's correction over its family."""
    gain: float = 1.0
    """One-sided: the probability of this gain or a larger one if nothing had changed; adjusted as `adjusted` is. 1 in
    comparisons, which are two-sided."""
    method: str
    tasks: int
    pairs: int
    """Pairs of independent outcomes."""

    @property
    def largest_drop(self) -> float:
        """The upper confidence bound of the drop."""
        return -self.low


class CaseChange(Record):
    """One task under one condition whose primary endpoint changed."""

    task: str
    condition: str
    before: float
    after: float
    repeats: tuple[int, int]
    """Valid repeats before and after."""
    reason: str = ""
    """The reason of the run's worst repeat."""


class SuiteSides(Record):
    """One suite of two runs, before and after."""

    suite: Suite
    primary: EndpointFinding
    """The gate's only endpoint that decides, adjusted over the suites of the run; of a comparison, two-sided."""
    secondary: tuple[EndpointFinding, ...] = ()
    """The other endpoints and the conditions; `adjusted` by Holm among themselves."""
    cases: tuple[int, int] = (0, 0)
    invalid: tuple[int, int] = (0, 0)
    """Invalid cases before and after."""
    regressed: tuple[CaseChange, ...] = ()
    improved: tuple[CaseChange, ...] = ()


class SuiteComparison(SuiteSides):
    """One suite of a comparison."""

    tasks: tuple[EndpointFinding, ...] = ()
    """The primary endpoint task by task; `adjusted` by Holm among the tasks."""
    unpaired: tuple[int, int] = (0, 0)
    """Cases whose task and condition the other run lacks."""


TARGET_DROP = 0.1
"""The drop for which the gate says how many episodes would find it."""


class SuiteFindings(SuiteSides):
    """One suite of a gate."""

    detectable: float | None = None
    """The smallest drop of the primary endpoint that this comparison finds with 80 % power; None: it finds none."""
    repeats_needed: int | None = None
    """How often both runs must play each task to find a drop of `TARGET_DROP` with 80 % power; None: more than 100
    times, or the baseline can't drop so far."""
    more_episodes: int | None = None
    """How many more episodes this run has then; None if `repeats_needed` is."""
    replayed: tuple[int, int] = (0, 0)
    """Cases played again after trouble, before and after."""


class Look(Record):
    """The gate after one of the repeats of a sequential run."""

    repeats: int
    """Repeats of each case so far."""
    verdict: Verdict
    p: float
    """The smallest one-sided p of a drop, over the suites."""
    level: float
    """The level that it must reach here."""
    go_on: bool
    """Whether another repeat is played."""
    reason: str
    """Why, in words."""


class GateReport(Record):
    """The gate's verdict with everything behind it."""

    form: int = 2
    verdict: Verdict
    exit_code: int
    reasons: tuple[str, ...] = ()
    """Why it is INVALID, one line each; else empty."""
    notes: tuple[str, ...] = ()
    """Differences between the runs that don't prevent the comparison."""
    rules: GateRules
    level: float | None = None
    """The one-sided level of this verdict, over all suites; None: alpha. In a sequential run it is less, because
    several looks share alpha."""
    looks: tuple[Look, ...] = ()
    """Of a sequential run, in order; the last one is this report's."""
    before: str
    """The baseline's run and contender."""
    after: str
    suites: tuple[SuiteFindings, ...] = ()

    @property
    def decided_at(self) -> float:
        """The one-sided level of tests and of each limit of an interval."""
        return self.rules.alpha if self.level is None else self.level

    @property
    def interval_level(self) -> str:
        """Two-sided level of the intervals, in words: `90 %` by default."""
        return f"{100 * (1 - 2 * self.decided_at):.3g} %"
