"""Case: one cell of the plan; what a run can choose; and the split of the tasks for training and for tests."""

from typing import Annotated, Literal

from pydantic import Field

from longtrail.errors import UsageError
from longtrail.records.record import Record

WebKind = Literal["embedded", "live"]
"""The web that an episode was played on."""
FirstSubtask = Literal["agent", "reference"]
"""Who plays the first part."""
LiveCommits = Literal["hold", "allow"]
"""What happens to requests with real-world effects on the live web."""
ObservationForm = Literal["axtree", "html", "text"]
"""How pages are shown to the agent."""
ActionChoice = Literal["default", "paper", "full"]
ActionSet = Literal["paper", "full"]
"""What an agent may do: the seven actions of the long-context paper, or also what `records/full_actions.py` adds."""
NoiseKind = Literal["orthogonal", "similar"]
"""`orthogonal`: noise from other sites about other things (the paper). `similar`: every other trajectory is on the
task's own site, as long as the pool has any."""
InterferenceKind = Literal["off", "high"]
"""`high`: the history also has entries that are easily confused with the first part, and the instructions tell them
apart by their purposes (tasks/interference.py)."""
NeedlePlace = Literal["first", "middle", "last", "random"]
"""The position of the first part in the history (the paper: first)."""
Placement = Literal["distraction", "lost_guidance", "lost_evidence"]
"""What comes before the noise of a decision task: nothing; the guidance (hint or plan); an earlier episode that found
half of the evidence."""
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


Split = Literal["test", "train"]
"""A task is for tests as it ships, and in the variants of small seeds; all other variants are for training
(docs/labs.md)."""
FIRST_FOR_TRAINING = 100_000
"""Variants with smaller seeds are for tests."""
HIGHEST_SEED = 999_999
"""Of `--variant`."""


def split_of(variant: int | None) -> Split:
    """The split that the variant of a seed belongs to; None: the tasks as they ship."""
    return "test" if variant is None or variant < FIRST_FOR_TRAINING else "train"


def training_line(variant: int | None) -> str:
    """For a run's summary: a warning if its variant is for training; otherwise empty."""
    if split_of(variant) == "test":
        return ""
    return f"--variant {variant} is for training (docs/labs.md): report tests on shipped tasks, or on smaller seeds"


def check_split(split: Split, variant: int | None) -> None:
    """Raise UsageError if a variant does not belong to the split, or has no seed that `--variant` takes."""
    if split not in ("test", "train"):
        raise UsageError(f"split={split!r}: expected test or train")
    if variant is not None and not 1 <= variant <= HIGHEST_SEED:
        raise UsageError(f"variant={variant}: expected a seed from 1 to {HIGHEST_SEED}")
    if split_of(variant) != split:
        seeds = f"{FIRST_FOR_TRAINING} to {HIGHEST_SEED}" if split == "train" else f"1 to {FIRST_FOR_TRAINING - 1}"
        shipped = "" if split == "train" else ", or none for the shipped tasks"
        raise UsageError(f"variant={variant} is not for split={split!r}: its seeds are {seeds}{shipped}")
