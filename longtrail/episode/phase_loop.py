"""Phase loop: what the loops of one phase share, whether we or the agent drive the browser."""

from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from longtrail.agents.agent import Assignment
from longtrail.agents.case_limits import CaseLimits
from longtrail.browser.view import View
from longtrail.episode.shift_state import ShiftState
from longtrail.errors import AgentError, HarnessTrouble
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Change, End, Phase, Request, Step
from longtrail.web.world import World

if TYPE_CHECKING:
    from playwright.async_api import Page

T = TypeVar("T")

MAX_RAW = 4_000
"""Maximum characters kept of a malformed answer."""
MAX_TRACEBACK = 8_000
"""Characters kept from the end of an agent's traceback."""
SaveShot = Callable[[bytes], str]
"""Keeps a screenshot; returns the file's name."""


class EpisodeSession(Protocol):
    """The part of a browser session that an episode needs to start and end it. Everything else is left to the loop."""

    @property
    def url(self) -> str: ...

    def goto(self, url: str) -> None: ...

    def rest(self) -> None:
        """Wait until the page and its requests are finished."""
        ...

    def with_page(self, use: "Callable[[Page], Coroutine[Any, Any, T]]") -> T:
        """Use the page that is active, or was used last. Raises HarnessTrouble."""
        ...

    def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, in Playwright's form."""
        ...

    def close(self) -> None:
        """End it."""
        ...


@dataclass
class Journal:
    """The record so far; updated at every step, so that trouble loses nothing."""

    steps: list[Step] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    phase: Phase | None = None
    """The phase that was begun last."""
    models: set[str] = field(default_factory=set)
    """Model ids that the server reported."""
    last_page: Observation | None = None
    """The page after the last step, if the key steps ended the phase."""
    on_step: Callable[[int], object] = lambda _: None
    """Called after each step with the number of steps."""

    def add(self, step: Step) -> None:
        self.steps.append(step)
        self.on_step(len(self.steps))

    def add_late(self, requests: tuple[Request, ...], changes: tuple[Change, ...] = ()) -> None:
        """Add requests that came after the last step was recorded to it, with their changes."""
        if (requests or changes) and self.steps:
            last = self.steps[-1]
            update = {"requests": (*last.requests, *requests), "changes": (*last.changes, *changes)}
            self.steps[-1] = last.model_copy(update=update)


@dataclass(frozen=True)
class PhaseContext:
    """What the loop of a phase works with: what the agent is told, the sites, the limits, and the journal."""

    assignment: Assignment
    world: World
    journal: Journal
    save_shot: SaveShot | None = None
    stop_reason: Callable[[], str] = str
    """Called before each turn: returns why the whole run must end; empty while it continues."""
    limits: CaseLimits = field(default_factory=CaseLimits)
    shift: ShiftState | None = None
    """Shift: decisions do not end the phase, but go to this inbox."""
    steps_before: int = 0
    """Shift: the number of steps of earlier sessions."""

    def with_shot(self, view: View) -> View:
        """The view, with the name of its screenshot if that is kept."""
        if view.image is None or self.save_shot is None:
            return view
        shown = view.observation.model_copy(update={"screenshot": self.save_shot(view.image)})
        return replace(view, observation=shown)


def agent_error(error: AgentError, phase: Phase) -> End:
    """The end of a phase with an agent error."""
    return End(
        reason="agent_error", phase=phase, detail=error.message[:400], traceback=error.traceback[-MAX_TRACEBACK:]
    )


def check_start(world: World) -> None:
    """Raises HarnessTrouble if a site failed before the agent did anything."""
    check(world)
    if world.log.crashes:
        raise HarnessTrouble("site_error", world.log.crashes[-1])


def check(world: World) -> None:
    """Raises HarnessTrouble if a site failed by itself or blocked us."""
    if world.log.faults:
        raise HarnessTrouble(world.log.fault_kind, world.log.faults[-1])


READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that send nothing. Changes that a site makes while it serves them are reported with the next step that
sends."""


class StepChanges:
    """Which rows of the sites each step of a phase changed. Checked only after a step that sent something."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known = world.changes()

    def with_changes(self, step: Step) -> Step:
        """The step with what it changed."""
        changes = self.of(step.requests)
        return step.model_copy(update={"changes": changes}) if changes else step

    def of(self, requests: Iterable[Request]) -> tuple[Change, ...]:
        """The changes since the last check, if one of these requests sent something."""
        if all(request.method in READING for request in requests):
            return ()
        before, self._known = self._known, self._world.changes()
        return since(before, self._known)


def since(before: Sequence[Change], now: Sequence[Change]) -> tuple[Change, ...]:
    """The changes between two checks, each of which has all differences from the same initial state."""
    known = {(change.site, change.table, change.key): change for change in before}
    changes = []
    for change in now:
        earlier = known.pop((change.site, change.table, change.key), None)
        first = earlier.after if earlier else change.before
        if first != change.after:
            changes.append(change.model_copy(update={"before": first}))
    undone = (each.model_copy(update={"before": each.after, "after": each.before}) for each in known.values())
    return (*changes, *undone)
