"""Findings: what the gate was asked, what it found, and its verdict. `gate.json` is one GateReport."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record
from longtrail.records.trajectory import Suite

Verdict = Literal["PASS", "REGRESSION", "INCONCLUSIVE", "INVALID"]
EXIT: dict[Verdict, int] = {"PASS": 0, "REGRESSION": 1, "INCONCLUSIVE": 6, "INVALID": 7}
"""Exit codes; 2 to 5 are pytest's own."""


class GateRules(Record):
    """What the gate decides by. Fixed before the run."""

    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Chance of a false alarm, over all suites of the run together."""
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """PASS needs a drop that is surely smaller than this (non-inferiority)."""
    inconclusive: Literal["", "pass", "fail"] = ""
    """Exit code of INCONCLUSIVE: 6, or 0 by `pass`, or 1 by `fail`."""
    subset: bool = False
    """The baseline may hold cases that the run did not plan."""
    invalid_limit: Annotated[float, Field(ge=0, le=1)] = 0.02
    """Share of invalid cases above which nothing is decided."""

    def exit_code(self, verdict: Verdict) -> int:
        """The process' exit code for a verdict."""
        if verdict == "INCONCLUSIVE" and self.inconclusive:
            return 0 if self.inconclusive == "pass" else 1
        return EXIT[verdict]


class EndpointFinding(Record):
    """One endpoint, before (the baseline) and after (the run)."""

    endpoint: str
    """`success`, `success at 25k`, `proven under hint` ..."""
    before: float
    after: float
    change: float
    """after - before: mean over tasks."""
    low: float
    high: float
    """Of the change: limits of its interval, each of them one-sided at level alpha."""
    p: float
    """One-sided: the chance of such a drop, or a larger one, if nothing had changed."""
    adjusted: float
    """The same after Holm's correction over its family."""
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
    """Of the run's worst repeat."""


class SuiteFindings(Record):
    """One suite's findings."""

    suite: Suite
    primary: EndpointFinding
    """It alone decides. Adjusted over the suites of the run."""
    secondary: tuple[EndpointFinding, ...] = ()
    """For reading on; adjusted among themselves."""
    detectable: float | None = None
    """The drop of the primary endpoint that would have been found with 80 % power; None: no drop would have."""
    invalid: tuple[int, int] = (0, 0)
    """Invalid cases before and after."""
    cases: tuple[int, int] = (0, 0)
    regressed: tuple[CaseChange, ...] = ()
    improved: tuple[CaseChange, ...] = ()


class GateReport(Record):
    """The gate's whole answer."""

    form: int = 1
    verdict: Verdict
    exit_code: int
    reasons: tuple[str, ...] = ()
    """Why it is INVALID, one line each; else empty."""
    notes: tuple[str, ...] = ()
    """What differs between the runs without making them incomparable."""
    rules: GateRules
    before: str
    """The baseline's run and contender."""
    after: str
    suites: tuple[SuiteFindings, ...] = ()
