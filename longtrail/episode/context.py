"""Episode context: everything that episodes share. One per worker process; the fixtures build it."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import longtrail
from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment
from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.process import command
from longtrail.agents.spec import AgentSpec
from longtrail.browser.action_executor import SEARCH
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view_settings import ViewSettings, for_reference, whole
from longtrail.checks.hosts import host_of
from longtrail.episode.agent_loop import AgentLoop
from longtrail.episode.external_agent_loop import ExternalAgentLoop
from longtrail.episode.open_app import OpenApp
from longtrail.episode.phase_loop import EpisodeSession, PhaseLoop, PhaseSetting
from longtrail.options.flags import FirstSubtask
from longtrail.records.memory import PastTask
from longtrail.records.observation import Observation
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Contender, End, Phase, Step
from longtrail.records.web_kind import WebKind
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import case_prompt, decisions_of
from longtrail.tasks.task import DecisionTask, LongContextTask, Task

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.llm.cassette import Cassette
    from longtrail.llm.client import ModelClient
    from longtrail.noise.pool import NoisePool
    from longtrail.web.sealed import SealedWeb
    from longtrail.web.world import World

BROWSER_ACTIONS = ("goto", "click", "fill", "select", "search", "back", "scroll")
FIRST_PARTS_KEPT = 8
"""Maximum first parts that a worker keeps; the cases of one task are next to each other in the plan."""


class EpisodeSettings(Record):
    """What the user chose that changes episodes."""

    seed: int = 0
    stop_on_success: bool = False
    """Long context: end a part when all of its key steps are hit, as in the paper."""
    first_subtask: FirstSubtask = "agent"
    appeal_turns: int = 1
    appeal_step_limit: int = 10
    web: WebKind = "embedded"
    """The kind of web of `EpisodeContext.web`; recorded with every episode."""

    @classmethod
    def chosen(cls, options: Record) -> "EpisodeSettings":
        """The run options with these names."""
        return cls.model_validate(options.model_dump(include=set(cls.model_fields)))


@dataclass(frozen=True)
class FirstPart:
    """A finished first subtask: what every context length starts from."""

    steps: tuple[Step, ...]
    end: End
    world: "World"
    storage: dict[str, Any]
    """Cookies and local storage, in Playwright's form."""
    url: str
    played_in: str
    """The attempt that played it (`CASE.aN`)."""
    last_page: Observation | None = None
    """The page that its last step opened, if the key steps ended the part there."""


@dataclass(frozen=True)
class SessionInWorld:
    """A browser session in its world: the place an agent acts from, and the loop that goes with it."""

    session: EpisodeSession
    world: "World"
    loop: Callable[[PhaseSetting, Callable[[], Agent]], PhaseLoop]
    """Makes the loop of a phase; the agent is made only in loops that ask it for actions."""


class FirstPartCache:
    """First parts that several cases share, at most FIRST_PARTS_KEPT at once."""

    def __init__(self) -> None:
        self._parts: OrderedDict[tuple[str, str, int], FirstPart] = OrderedDict()

    def get(self, key: tuple[str, str, int], play: Callable[[], FirstPart]) -> FirstPart:
        """The first part of (contender, task, repeat): played once per worker, then shared by all context lengths."""
        if key not in self._parts:
            self._parts[key] = play()
            while len(self._parts) > FIRST_PARTS_KEPT:
                _, old = self._parts.popitem(last=False)
                old.world.close()
        self._parts.move_to_end(key)
        return self._parts[key]

    def close(self) -> None:
        """Close their worlds."""
        while self._parts:
            self._parts.popitem()[1].world.close()


def shipped_pool() -> "NoisePool":
    """The shipped noise, imported only when a case needs it."""
    from longtrail.noise import pool

    return pool.shipped_pool()


@dataclass
class EpisodeContext:
    """The web, the browser, the contender and its equipment. Only web, browser and contender are required."""

    web: "SealedWeb"
    browser: "Browser"
    contender: Contender
    factory: AgentFactory | None = None
    """The agent's factory; None: the one that the contender's agent names."""
    pool: "Callable[[], NoisePool]" = shipped_pool
    first_parts: FirstPartCache = field(default_factory=FirstPartCache)
    """The code that makes the context must close it."""
    prompt: str | None = None
    """The prompt of a decision task; None: the case's briefing."""
    data_checksum: str = ""
    model: "ModelClient | None" = None
    options: dict[str, str] = field(default_factory=dict)
    """The agent options of the command line, secrets included."""
    cassette: "Cassette | None" = None
    settings: EpisodeSettings = field(default_factory=EpisodeSettings)
    shots: bool | None = None
    """Whether screenshots are taken; None: as the browser was made."""
    save_shot: Callable[[bytes], str] | None = None
    """Keeps a screenshot; returns the file's name."""
    on_step: Callable[[int], object] = lambda _: None
    """Called after each step of an attempt with the number of steps."""
    keep_calls: "Callable[[ModelClient, Case, int, Sequence[Step]], ModelClient] | None" = None
    """Makes a client that records its calls, for an attempt at a case; the last argument has the steps so far."""
    app: Callable[[], OpenApp] | None = None
    """Opens the app that a task on a user's own one is played on; the web is then an `OwnWeb`."""
    stop_reason: Callable[[], str] = str
    """Why the whole run must end; empty while it continues. May raise a KeyboardInterrupt: no record is wanted."""
    version: str = longtrail.__version__

    @contextmanager
    def session(
        self, world: "World", storage: dict[str, Any] | None = None, *, reference: bool = False
    ) -> Iterator[SessionInWorld]:
        """A fresh browser context in a world; both are closed afterwards. `reference`: it plays a reference solution,
        not the contender."""
        reference = reference or self.spec.knows_reference
        try:
            own = self.spec.drives_browser and not reference
            opened = self._own(world, storage) if own else self._driven(world, storage, reference)
            try:
                yield opened
            finally:
                opened.session.close()
        finally:
            world.close()

    def _own(self, world: "World", storage: dict[str, Any] | None) -> SessionInWorld:
        """A browser that the agent drives itself, and its observer."""
        session = AgentBrowser.open(self.browser, world, self.web.own_proxy(world), storage=storage)
        words = command(self.spec.target)
        model, options = self.contender.model, self.options
        return SessionInWorld(
            session, world, lambda setting, _: ExternalAgentLoop(words, model, options, session, setting)
        )

    def _driven(self, world: "World", storage: dict[str, Any] | None, reference: bool) -> SessionInWorld:
        """A session that we drive with the agent's actions."""
        settings = self._view(reference)
        own = [site.partition("://")[2] for site in world.origins]
        fence = UrlPolicy(own or self.web.reach)
        session = self.browser.session(world, self.web.proxy(world), storage=storage, fence=fence, settings=settings)
        return SessionInWorld(session, world, lambda setting, agent: AgentLoop(agent(), session, setting))

    def _view(self, reference: bool) -> ViewSettings:
        settings = self.browser.settings
        if reference:
            settings = for_reference(settings)
        elif self.spec.reads_whole_pages:
            settings = whole(settings)
        return settings if self.shots is None else settings.model_copy(update={"screenshot": self.shots})

    @property
    def spec(self) -> AgentSpec:
        """Which kind of agent plays."""
        return AgentSpec.parse(self.contender.agent)

    def prepare(self, task: Task) -> None:
        """Prepare the sites of this task before its time is measured."""
        searched = (host_of(SEARCH),) if isinstance(task, LongContextTask) else ()
        hard = isinstance(task, DecisionTask) and task.hard
        self.web.prepare(host_of(task.start), *searched, edition="hard" if hard else "usual")

    def told(self, task: Task, case: Case) -> str:
        """The prompt of a decision task under the case's condition."""
        return case_prompt(task, case) if self.prompt is None else self.prompt

    def reachable(self, url: str) -> bool:
        """Whether there is a site at this address."""
        return self.web.serves(host_of(url))

    def assignment(
        self, task: Task, case: Case, phase: Phase, prompt: str, step_limit: int, history: tuple[PastTask, ...] = ()
    ) -> Assignment:
        """What the agent is told."""
        decisions = decisions_of(task)
        return Assignment(
            suite=case.suite,
            phase=phase,
            prompt=prompt,
            history=history,
            actions=(
                *(name for name in BROWSER_ACTIONS if name != "search" or not isinstance(task, AppTask)),
                *(("gesture",) if self.spec.reads_whole_pages else ()),
                "finish",
                *(("decide",) if decisions else ()),
            ),
            decisions=tuple(decisions),
            step_limit=step_limit,
            seed=self.settings.seed + case.repeat,
        )

    def equipment(
        self, extra: dict[str, object], case: Case, attempt: int = 0, steps: Sequence[Step] = ()
    ) -> Equipment:
        """The equipment for the agent's factory in a phase of an attempt; `steps` are the steps so far."""
        model = self.cassette.around(self.model, case.repeat) if self.cassette and self.model else self.model
        if model is not None and self.keep_calls is not None:
            model = self.keep_calls(model, case, attempt, steps)
        return Equipment(model, {**self.options, **extra}, self.contender.profile)
