"""Gate rules: the gate's settings, and the exit code of each verdict."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

Verdict = Literal["PASS", "REGRESSION", "INCONCLUSIVE", "INVALID"]
EXIT: dict[Verdict, int] = {"PASS": 0, "REGRESSION": 1, "INCONCLUSIVE": 6, "INVALID": 7}
"""Exit codes; 2 to 5 are pytest's own."""
INCOMPLETE = EXIT["INVALID"]
"""Exit code of a run that lacks planned cases or could not be written, with a gate or without."""


class GateRules(Record):
    """The gate's settings. They are fixed before the run."""

    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Probability of a false alarm, over all suites of the run together."""
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """PASS needs high confidence that the drop is smaller than this (non-inferiority)."""
    inconclusive: Literal["", "pass", "fail"] = ""
    """Exit code of INCONCLUSIVE: 6 by default, 0 with `pass`, 1 with `fail`."""
    subset: bool = False
    """Whether the baseline may have cases that the run did not plan."""
    variants: bool = False
    """Whether the baseline may have played another variant of the tasks."""
    invalid_limit: Annotated[float, Field(ge=0, le=1)] = 0.02
    """Share of invalid cases above which the verdict is INVALID."""

    replay_limit: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Share of cases played again after trouble above which the verdict is INVALID: an agent might end attempts on
    purpose, for example by killing its worker, to get another one."""

    @property
    def level(self) -> str:
        """Two-sided level of its intervals, in words: each limit is one-sided at alpha, so `90 %` by default."""
        return f"{100 * (1 - 2 * self.alpha):g} %"

    def exit_code(self, verdict: Verdict) -> int:
        """The process's exit code for a verdict."""
        if verdict == "INCONCLUSIVE" and self.inconclusive:
            return 0 if self.inconclusive == "pass" else 1
        return EXIT[verdict]
