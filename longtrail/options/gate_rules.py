"""Gate rules: the gate's settings, and the exit code of each verdict."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record

Verdict = Literal["IMPROVED", "PASS", "NO REGRESSION FOUND", "REGRESSION", "INVALID"]
EXIT: dict[Verdict, int] = {"IMPROVED": 0, "PASS": 0, "NO REGRESSION FOUND": 0, "REGRESSION": 1, "INVALID": 7}
"""Exit codes; 2 to 5 are pytest's own."""
NOT_SHOWN = 6
"""Exit code of a strict gate if a drop as large as the margin is not ruled out."""
INCOMPLETE = EXIT["INVALID"]
"""Exit code of a run that lacks planned cases or could not be written, with a gate or without."""


class GateRules(Record):
    """The gate's settings. They are fixed before the run."""

    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Probability of a false alarm, over all suites of the run together."""
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """PASS needs high confidence that the drop is smaller than this (non-inferiority)."""
    strict: bool = False
    """Whether only PASS, and IMPROVED by a run that would also PASS, are green, as before a release."""
    subset: bool = False
    """Whether the baseline may have cases that the run did not plan."""
    variants: bool = False
    """Whether the baseline may have played another variant of the tasks."""
    invalid_limit: Annotated[float, Field(ge=0, le=1)] = 0.02
    """Share of invalid cases above which the verdict is INVALID."""

    replay_limit: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Share of cases played again after trouble above which the verdict is INVALID: an agent might end attempts on
    purpose, for example by killing its worker or its session, to get another one. Two cases are always allowed, as one
    interrupted session of a small run has them."""

    @property
    def level(self) -> str:
        """Two-sided level of its intervals, in words: each limit is one-sided at alpha, so `90 %` by default."""
        return f"{100 * (1 - 2 * self.alpha):g} %"

    def too_many_replays(self, replayed: int, cases: int) -> bool:
        """Whether more cases were played again than allowed."""
        return replayed > max(2, self.replay_limit * cases)

    def exit_code(self, verdict: Verdict) -> int:
        """The process's exit code for a verdict."""
        return NOT_SHOWN if self.strict and verdict == "NO REGRESSION FOUND" else EXIT[verdict]
