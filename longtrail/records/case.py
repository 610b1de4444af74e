"""Case: one cell of the plan, and the name of its setting."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.record import Record
from longtrail.records.run_kinds import InterferenceKind, NeedlePlace, NoiseKind, Placement

Suite = Literal[
    "long_context",
    "discovered",
    "shopping_admin",
    "reddit",
    "hard_shop",
    "hard_forum",
    "shift_shop",
    "shift_forum",
    "app",
]
LONG: tuple[Suite, ...] = ("long_context", "discovered")
"""Suites of tasks with two dependent parts and a history between them: the paper's tasks, and our own, whose second
part needs information that the agent found in the first."""
PATHWAYS: tuple[Suite, ...] = ("shopping_admin", "reddit")
"""Suites of the paper's decision tasks."""
HARD: tuple[Suite, ...] = ("hard_shop", "hard_forum")
"""Suites of our own decision tasks on the same sites, the hard tier: more evidence, longer episodes (docs/hard.md)."""
DECISION: tuple[Suite, ...] = (*PATHWAYS, *HARD)
"""All suites of decision tasks."""
SHIFTS: tuple[Suite, ...] = ("shift_shop", "shift_forum")
"""Suites of shifts: many tickets in one episode, some of which depend on earlier ones (docs/shift.md)."""
NeedKind = Literal["seen", "decided", "told", "reversed", "promised", "alike"]
"""How a ticket of a shift depends on an earlier one."""
ShiftMode = Literal["continuous", "sessions"]
Prompt = Literal["raw", "hint", "explicit"]


class Case(Record):
    """One cell of the plan: a task under one condition, once."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$")]
    """A slug, unique in the run: `ikea_favorites-150k-r0`, `pw-014-hint-r0`, `pw-014-raw-distraction-50k-r0`."""
    suite: Suite
    task: str
    repeat: Annotated[int, Field(ge=0)] = 0
    noise_tokens: Annotated[int, Field(ge=0)] | None = None
    """Long context, and decision tasks crossed with it: the history's target length in tokens; 0: nothing injected."""
    relocated: bool = False
    """Long context's control: nothing injected, but the browser is moved to another site."""
    noise: NoiseKind = "orthogonal"
    needle: NeedlePlace = "first"
    interference: InterferenceKind = "off"
    prompt: Prompt | None = None
    appeal: Literal["deceptive", "valid"] | None = None
    placement: Placement | None = None
    """Decision tasks with long histories: what comes before the noise."""
    shift: ShiftMode | None = None
    """Shifts: one growing context, or a context that is cut after every few tickets."""
    notebook: int | None = None
    """Shifts in sessions: how many characters the notebook holds; None: any number."""
    twin: bool = False
    """A counterfactual twin: the same request, in a world in which few records differ."""
    partner: str = ""
    """Decision tasks: the task with which this one makes a pair of twins; empty if it makes none, or if it is the task
    that a counterfactual twin changes (`longtrail/statistics/twin_pairs.py`)."""
    variant: int | None = None
    """Seed of the variant of the shipped tasks; None: as they ship."""

    @property
    def setting(self) -> str:
        """How its setting differs from the papers', such as `similar noise, needle last` or `crossed`; empty if it
        does not."""
        if self.placement:
            return "crossed"
        if self.shift == "sessions":
            size = f", notebook of {self.notebook}" if self.notebook else ""
            return f"sessions{size}{', twins' if self.twin else ''}"
        if self.twin:
            return "twins"
        parts = ["similar noise"] * (self.noise == "similar") + ["interference"] * (self.interference != "off")
        return ", ".join([*parts, f"needle {self.needle}"] if self.needle != "first" else parts)
