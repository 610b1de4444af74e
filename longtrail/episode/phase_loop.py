"""Phase loop: what every loop of one phase is and is given, whoever moves the browser: our session or the agent."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from longtrail.agents.agent import Assignment
from longtrail.errors import AgentError, HarnessTrouble, TroubleKind
from longtrail.records.observation import Observation
from longtrail.records.trajectory import End, Phase, Request, Step

MAX_RAW = 4_000
"""Longest piece of a malformed answer that is kept, in characters."""
MAX_TRACEBACK = 8_000
"""So many last characters of an agent's traceback are kept."""
SaveShot = Callable[[bytes], str]
"""Keeps a screenshot; returns the file's name."""


class PhaseLoop(Protocol):
    """One phase of an episode, ready to be played."""

    def play(self, done: Callable[[list[Step]], bool] = ...) -> End:
        """Play until the phase ends, or `done` says after a step that everything has been reached.
        Raises HarnessTrouble; the steps up to then are in the journal."""
        ...


class EpisodeSession(Protocol):
    """A browser session as an episode begins and ends it. What happens in between is the loop's business."""

    @property
    def url(self) -> str:
        """Where it is."""
        ...

    def goto(self, url: str) -> None:
        """Open a page."""
        ...

    def rest(self) -> None:
        """Wait until nothing is under way any more."""
        ...

    def storage_state(self) -> dict[str, Any]:
        """Cookies and local storage, as Playwright keeps them."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class SiteLog(Protocol):
    """The sites' side of an episode: what was served, and what broke there."""

    @property
    def requests(self) -> list[Request]: ...

    @property
    def faults(self) -> list[str]: ...

    @property
    def fault_kind(self) -> TroubleKind:
        """Of the last fault."""
        ...


@dataclass
class Journal:
    """What happened so far; filled at every step, so that trouble loses nothing."""

    steps: list[Step] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    """Model ids that the server reported."""
    last_page: Observation | None = None
    """The page after the last step of a phase that was ended by its key steps."""

    def late(self, requests: tuple[Request, ...]) -> None:
        """Requests that came after the last step was written down belong to it."""
        if requests and self.steps:
            last = self.steps[-1]
            self.steps[-1] = last.model_copy(update={"requests": (*last.requests, *requests)})


@dataclass(frozen=True)
class PhaseSetting:
    """By which rules a phase is played, on which sites, and where it is written down."""

    assignment: Assignment
    site: SiteLog
    journal: Journal
    save_shot: SaveShot | None = None
    stop_reason: Callable[[], str] = str
    """Says, before each turn, why the whole run is to end; empty while it goes on."""


def agent_error(error: AgentError, phase: Phase) -> End:
    """The end of a phase in which the agent failed by itself."""
    return End(
        reason="agent_error", phase=phase, detail=error.message[:400], traceback=error.traceback[-MAX_TRACEBACK:]
    )


def check(site: SiteLog) -> None:
    """Raises HarnessTrouble if a site failed, or keeps us out."""
    if site.faults:
        raise HarnessTrouble(site.fault_kind, site.faults[-1])
