"""Shift state: where an agent stands in a shift: its inbox, its session and its notebook."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from longtrail.agents.agent import Assignment
from longtrail.records.action import Decide, Note
from longtrail.records.action_forms import FORMS, SHIFT_FORMS
from longtrail.records.trajectory import Step
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.web.shift_inbox import ShiftInbox
from longtrail.web.world import World


@dataclass
class ShiftState:
    """The state of one episode."""

    task: ShiftTask
    world: World
    session_tickets: int = 0
    """Tickets of a session; 0: the context is never cut."""
    notebook: bool = False
    """Whether the agent may write notes."""
    notebook_size: int | None = None
    """How many characters the notebook holds; None: any number."""
    notes: list[str] = field(default_factory=list)
    """What is in it."""
    inbox: ShiftInbox = field(init=False)
    session: int = 1
    """The number of the session."""
    _at_start: int = 0
    """How many tickets were decided when the session began."""

    def __post_init__(self) -> None:
        shift = compose(self.task)
        self.inbox = ShiftInbox(self.world.db(shift.site), shift)

    def add_to(self, assignment: Assignment, episode: str, steps: Sequence[Step]) -> Assignment:
        """What an agent is told in a shift besides: the forms of its actions, the session, the steps that are left, and
        its notes so far."""
        note = {"note": FORMS["note"]} if self.notebook else {}
        return assignment.model_copy(
            update={
                "actions": {**assignment.actions, **SHIFT_FORMS, **note},
                "step_limit": assignment.step_limit - len(steps),
                "session": self.session if self.session_tickets else 0,
                "episode": episode,
                "notes": tuple(self.notes),
            }
        )

    def take_note(self, note: Note) -> str:
        """Write into the notebook. Returns why that is not possible; empty if it was written."""
        notes = [] if note.replace else self.notes
        free = self.notebook_size - sum(map(len, notes)) if self.notebook_size is not None else len(note.text)
        if len(note.text) > free:
            return (
                f"the notebook holds {self.notebook_size} characters and {free} are free; this note has "
                f"{len(note.text)}: write less, or replace what is in it"
            )
        self.notes = [*notes, note.text]
        return ""

    def problem(self, decision: Decide) -> str:
        """Why a ticket can't be decided so; empty if it can."""
        if not decision.ticket:
            return 'name the ticket: {"type": "decide", "ticket": "...", ...}'
        return self.inbox.problem(decision.ticket)

    def decided(self, decision: Decide) -> str:
        """A ticket was decided. Returns what the agent is told: what came in."""
        new = self.inbox.close(decision.ticket, self.world.changes())
        came = f"{len(new)} new in the inbox" if new else "nothing new in the inbox"
        done = len(self.inbox.decided)
        return f"{decision.ticket} is decided ({done} of {self.task.size} tickets so far); {came}."

    @property
    def session_is_over(self) -> bool:
        """Whether so many tickets were decided in this session that the context is cut."""
        done = len(self.inbox.decided)
        return bool(self.session_tickets) and self._at_start + self.session_tickets <= done < self.task.size

    def next_session(self) -> None:
        """A new session begins."""
        self.session += 1
        self._at_start = len(self.inbox.decided)
