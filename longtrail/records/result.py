"""Result: the scores of a trajectory. Made by the scorer; a pure function of Task and Trajectory."""

import sys
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from longtrail.records.case import NeedKind
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Contender, Phase, Provenance, Timing, Trouble, Usage

CaseOutcome = Literal["passed", "failed", "invalid"]
Value = bool | int | float | str | None


class Metric(Record):
    """One measured value and its reason in one line. None: not defined for this case (the reason says why)."""

    value: Value
    reason: str

    @property
    def number(self) -> float | None:
        """The value as a number (True = 1.0), or None if it is not defined or a label."""
        return None if self.value is None or isinstance(self.value, str) else float(self.value)


@lru_cache(10_000)
def _shared_metric(value: Value, reason: str, text: str) -> Metric:  # noqa: ARG001 (tells True from 1 and 1.0)
    return Metric(value=value, reason=reason)


class KeyStepResult(Record):
    """Whether and where a key step was hit."""

    name: str
    phase: Phase
    hit: bool
    step: int | None = None
    """Number of the step (in its phase) that hit it first."""
    reason: str


class FactResult(Record):
    """Whether a fact was shown to the agent before its decision, and whether the agent stated it."""

    id: str
    says: str
    supporting: bool = False
    """The decision doesn't depend on it: reported, never required."""
    delivered: int | None = None
    """Number of the step whose observation first contained it; None: never."""
    said: bool = False
    said_at: int | None = None
    """Number of the step whose thought or justification first stated it."""
    counted: bool = False
    """Cited by a piece of evidence, and delivered before that."""
    reason: str


ClaimKind = Literal["fabricated_source", "misattribution", "synthetic", "traced", "unverifiable"]
"""The class of a claim. The first three are hallucinations (PATHWAYS, section 5)."""
FLAGGED: tuple[ClaimKind, ...] = ("fabricated_source", "misattribution", "synthetic")
"""The classes that are hallucinations."""


class ClaimResult(Record):
    """Whether one claim of a decision is supported by what the agent was shown."""

    text: str
    source: str = ""
    """The page that a piece of evidence names; empty for a sentence of the justification."""
    kind: ClaimKind
    reason: str

    @property
    def flagged(self) -> bool:
        """Whether it is a hallucination by the rules."""
        return self.kind in FLAGGED


AppealOutcome = Literal[
    "resisted", "partly_swayed", "swayed", "improved", "unmoved", "timeout",
    "already_right", "misled", "healed", "partly_healed", "still_wrong",
]  # fmt: skip
"""The effect of an appeal on a decision (table in `scoring/appeals.py`)."""


class AppealTurn(Record):
    """The state after one turn of an appeal: its number (from 1), the current decision, and the outcome so far."""

    number: Annotated[int, Field(ge=1)]
    answer: str | None
    """The last valid decision of the appeal up to this turn; None: none yet."""
    worth: float | None
    """The score of that decision, 0 to 1."""
    outcome: AppealOutcome | None
    reason: str


class TicketResult(Record):
    """One ticket of a shift."""

    id: str
    family: str
    place: int
    """Its place in the order of arrival, from 0."""
    kinds: tuple[NeedKind, ...] = ()
    """How it depends on earlier tickets; empty: on nothing."""
    distance: int = 0
    """Tickets between what it depends on and itself."""
    tokens: int = 0
    """Tokens of pages (about four characters each) that the agent was shown between the two."""
    needs: tuple[str, ...] = ()
    """Numbers of the tickets and mails on which it depends."""
    truth: str
    decision: str | None = None
    """The last valid decision."""
    first: str | None = None
    """The first valid decision."""
    decided_at: int | None = None
    """Number of the step of the last decision."""
    steps: int = 0
    """Steps since the decision before."""
    right: bool = False
    investigated: bool = False
    reasoned: bool = False
    executed: bool = False
    harmful: bool = False
    consistent: bool | None = None
    """Whether the decision follows from the agent's own earlier ones; None: it rests on none."""
    reason: str = ""

    @property
    def proven(self) -> bool:
        """Whether the evidence was shown and cited, and the decision is right."""
        return self.right and self.investigated and self.reasoned


class FailureCause(Record):
    """Why an episode ended without the agent's own word."""

    kind: Literal["agent_error", "refusal", "no_valid_action", "cut_off", "failed_actions", "step_limit"]
    message: str = ""
    """The agent's exception, the model's words, or the commonest error of the steps."""
    steps: int = 0
    """How many steps had this error."""
    of: int = 0
    """Of how many steps."""
    example: str = ""
    """An answer without a valid action."""


class Result(Record):
    """The scores of one case."""

    case: Case
    contender: Contender
    attempt: Annotated[int, Field(ge=0)] = 0
    """Number of earlier attempts that ended in trouble."""
    discarded_steps: Annotated[int, Field(ge=0)] = 0
    """Steps of these earlier attempts."""
    provenance: Provenance
    outcome: CaseOutcome
    reason: str
    cause: FailureCause | None = None
    """Of a failed case that the agent did not end itself."""
    category: str = ""
    """Long context: the error category. Decision tasks: the task's category."""
    stage: str = ""
    """The furthest stage that it reached: `a1`, `a2` / `investigation`, `reasoning`, `decision`, `proven`."""
    metrics: dict[str, Metric] = {}
    key_steps: tuple[KeyStepResult, ...] = ()
    facts: tuple[FactResult, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    """Decision tasks: every claim of the decision, checked against what was delivered."""
    appeal_turns: tuple[AppealTurn, ...] = ()
    """Appeals: the state after each turn."""
    tickets: tuple[TicketResult, ...] = ()
    """Shifts: every ticket."""
    steps: int = 0
    usage: Usage = Usage()
    first_part_of: str = ""
    """Long context: the attempt that played the first part, if this one only shares it."""
    saved: Usage = Usage()
    """The usage that playing a shared first part again would have cost; not included in `usage`."""
    timing: Timing = Timing()
    seconds: float = 0.0
    trouble: Trouble | None = None

    @field_validator("metrics")
    @classmethod
    def _shared(cls, metrics: dict[str, Metric]) -> dict[str, Metric]:
        """Many metrics of a large run are equal: only one of equal metrics is kept in memory."""
        return {
            sys.intern(name): _shared_metric(metric.value, metric.reason, repr(metric.value))
            for name, metric in metrics.items()
        }

    @property
    def values(self) -> dict[str, Any]:
        """The value of each metric."""
        return {name: metric.value for name, metric in self.metrics.items()}

    def word(self, name: str) -> str:
        """A metric as text; empty if it is not defined."""
        value = self.values.get(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> float | None:
        """A metric as a number (True = 1.0), or None if it is not defined."""
        metric = self.metrics.get(name)
        return None if metric is None else metric.number
