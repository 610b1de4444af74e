"""What an episode is played with (`EpisodeContext`), and one attempt with its record so far (`CaseAttempt`)."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from longtrail.agents import oracle
from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment
from longtrail.agents.case_limits import CaseLimits
from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.process import command
from longtrail.agents.own_agent import OwnAgent
from longtrail.agents.spec import AgentSpec
from longtrail.browser.action_executor import SEARCH
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view_settings import ViewSettings, for_reference, whole
from longtrail.checks.hosts import host_of
from longtrail.checks.key_steps import all_hit
from longtrail.episode.agent_loop import AgentLoop
from longtrail.episode.external_agent_loop import ExternalAgentLoop
from longtrail.episode.open_app import OpenApp
from longtrail.episode.phase_loop import EpisodeSession, Journal, PhaseLoop, PhaseSetting, SaveShot, SiteLog
from longtrail.episode.shift_desk import ShiftDesk
from longtrail.options.flags import FirstSubtask
from longtrail.records.memory import PastTask
from longtrail.records.record import Record
from longtrail.records.run_kinds import WebKind
from longtrail.records.site_reports import Reading
from longtrail.records.trajectory import Case, Change, Contender, History, Phase, Step
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import decisions_of
from longtrail.tasks.task import LongContextTask, Subtask, Task
from longtrail.web.site import edition_of

if TYPE_CHECKING:
    from longtrail.browser.contexts.recording import Recording
    from longtrail.browser.contexts.users_page import OpenPage
    from longtrail.browser.session import Browser
    from longtrail.llm.client import ModelClient
    from longtrail.web.sealed import SealedWeb
    from longtrail.web.world import World

BROWSER_ACTIONS = ("goto", "click", "fill", "select", "search", "back", "scroll")


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
    case_timeout: float = 0.0
    case_tokens: int | None = None
    case_cost: float | None = None
    """Limits of the agent in one case: seconds (0: none), tokens, USD."""
    session_tickets: int = 3
    """Shifts under the condition `sessions`: tickets of a session."""
    shots: bool | None = None
    """Whether screenshots are taken; None: as the browser was made."""

    @classmethod
    def chosen(cls, options: Record) -> "EpisodeSettings":
        """The run options with these names."""
        return cls.model_validate(options.model_dump(include=set(cls.model_fields)))


@dataclass(frozen=True)
class Recorder:
    """What is written and asked while an episode is played."""

    save_shot: SaveShot | None = None
    on_step: Callable[[int], object] = lambda _: None
    """Called after each step of an attempt with the number of steps."""
    wrap_model: "Callable[[ModelClient, Case, int, Sequence[Step]], ModelClient]" = lambda model, *_: model
    """Makes the client for a phase of an attempt at a case, which records or replays its calls; the last argument has
    the steps so far."""
    stop_reason: Callable[[], str] = str
    """Why the whole run must end; empty while it continues."""
    data_checksum: str = ""
    record_session: "Callable[[str], Recording | None]" = lambda _: None
    """Makes what records the session of a world with this name; None: nothing does."""


@dataclass(frozen=True)
class EpisodeContext:
    """The web, the browser, the contender and its agent. Only the first three are required."""

    web: "SealedWeb"
    browser: "Browser"
    contender: Contender
    factory: AgentFactory | None = None
    """The agent's factory; None: the one that the contender's agent names."""
    model: "ModelClient | None" = None
    options: dict[str, str] = field(default_factory=dict)
    """The agent options of the command line, secrets included."""
    settings: EpisodeSettings = field(default_factory=EpisodeSettings)
    app: Callable[[], OpenApp] | None = None
    """Opens the app that a task on a user's own one is played on; the web is then an `OwnWeb`."""
    page: "OpenPage | None" = None
    """The page of the user's own test that the episode goes on in; no front then serves it."""
    past: tuple[PastTask, ...] = ()
    """Earlier tasks in this page."""
    recorder: Recorder = field(default_factory=Recorder)

    @property
    def browser_version(self) -> str:
        """Kind and version of the browser that is played in."""
        return self.page.version if self.page else self.browser.version

    @property
    def spec(self) -> AgentSpec:
        """Which kind of agent plays."""
        return AgentSpec.parse(self.contender.agent)

    @contextmanager
    def session(
        self, world: "World", storage: dict[str, Any] | None = None, *, reference: bool = False
    ) -> Iterator[EpisodeSession]:
        """A fresh browser context in a world; both are closed afterwards. `reference`: it plays a reference solution,
        not the contender."""
        try:
            session = self._open(world, storage, reference or self.spec.knows_reference)
            try:
                yield session
            finally:
                session.close()
        finally:
            world.close()

    @contextmanager
    def page_session(self, app: OpenApp) -> Iterator[EpisodeSession]:
        """A session in the user's page, which stays open afterwards. The agent may open the app's addresses."""
        assert self.page is not None
        session: EpisodeSession
        if self.spec.drives_browser:
            from longtrail.agents.cdp.users_browser import UsersBrowser  # loads Playwright's sync API

            session = UsersBrowser(self.browser, self.page)
        else:
            policy = UrlPolicy(origin.authority for origin in app.origins)
            session = self.page.session(self.browser, policy, self._view(self.spec.knows_reference))
        try:
            yield session
        finally:
            session.close()

    def _open(self, world: "World", storage: dict[str, Any] | None, reference: bool) -> EpisodeSession:
        if self.spec.drives_browser and not reference:
            return AgentBrowser.open(self.browser, world, self.web.own_proxy(world), storage=storage)
        hosts = [origin.partition("://")[2] for origin in world.origins]
        policy, settings = UrlPolicy(hosts or self.web.reach), self._view(reference)
        proxy = self.web.proxy(world)
        record = self.recorder.record_session(world.name)
        return self.browser.session(
            world, proxy, storage=storage, url_policy=policy, settings=settings, recording=record
        )

    def _view(self, reference: bool) -> ViewSettings:
        settings, shots = self.browser.settings, self.settings.shots
        if reference:
            settings = for_reference(settings)
        elif self.spec.reads_whole_pages:
            settings = whole(settings)
        return settings if shots is None else settings.model_copy(update={"screenshot": shots})

    def loop(self, session: Any, setting: PhaseSetting, make_agent: Callable[[], Agent]) -> PhaseLoop:
        """The loop of a phase. An agent that drives the browser itself is a program, so none is made for it."""
        if isinstance(session, AgentBrowser):
            words = command(self.spec.target)
            return ExternalAgentLoop(words, self.contender.model, self.options, session, setting)
        return AgentLoop(make_agent(), session, setting)

    def prepare(self, task: Task) -> None:
        """Build the sites of this task before its time is measured."""
        searched = (host_of(SEARCH),) if isinstance(task, LongContextTask) else ()
        self.web.prepare(host_of(task.start), *searched, edition=edition_of(task))

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


@dataclass
class CaseAttempt:
    """One attempt at a case, and its record so far."""

    case: Case
    task: Task
    context: EpisodeContext
    number: int = 0
    prompt: str = ""
    """What the agent is told in the second part, in the decision or in the only part."""
    journal: Journal = field(default_factory=Journal)
    first_part_of: str = ""
    """The attempt that played the first part, if it was another one."""
    history: History | None = None
    changes: tuple[Change, ...] = ()
    changes_before_appeal: tuple[Change, ...] | None = None
    app: OpenApp | None = None
    readings: tuple[Reading, ...] = ()
    started: float = field(default_factory=time.monotonic)
    limits: CaseLimits = field(init=False)

    def __post_init__(self) -> None:
        settings = self.context.settings
        self.limits = CaseLimits(settings.case_timeout, settings.case_tokens, settings.case_cost)
        self.journal.on_step = self.context.recorder.on_step

    @property
    def name(self) -> str:
        """Unique among all attempts of a run."""
        return f"{self.case.id}.a{self.number}"

    def loop(
        self,
        session: EpisodeSession,
        world: SiteLog,
        phase: Phase,
        prompt: str,
        limit: int,
        history: tuple[PastTask, ...] = (),
        desk: ShiftDesk | None = None,
    ) -> PhaseLoop:
        """The loop of one phase, agent included."""
        context, recorder = self.context, self.context.recorder
        assignment = context.assignment(self.task, self.case, phase, prompt, limit, history)
        before = len(self.journal.steps) if desk else 0
        if desk:
            assignment = desk.add_to(assignment, self.name, self.journal.steps)
        setting = PhaseSetting(
            assignment, world, self.journal, recorder.save_shot, recorder.stop_reason, self.limits, desk, before
        )
        return context.loop(session, setting, partial(self._agent, assignment))

    def all_hit(self, part: Subtask, steps: Sequence[Step], phase: Phase, world: "World") -> bool:
        """Whether the part must end because all its key steps were hit."""
        settings = self.context.settings
        if not settings.stop_on_success:
            return False
        key_steps = part.route if settings.web == "live" else part.key_steps
        return all_hit(
            key_steps, [step for step in steps if step.phase == phase], world.changes(), ordered=part.ordered
        )

    def _agent(self, assignment: Assignment) -> Agent:
        """The contender's agent, or the oracle where the reference plays the first part."""
        context, phase = self.context, assignment.phase
        by_reference = context.settings.first_subtask == "reference"
        reference = by_reference and phase == "a1"
        factory = oracle.make if reference else context.factory or context.spec.factory
        options: dict[str, object] = {**context.options}
        if reference or context.spec.knows_reference:
            options["reference"] = self._script(phase)
        model = context.model
        if model is not None:
            model = context.recorder.wrap_model(model, self.case, self.number, self.journal.steps)
            model = self.limits.timed(model)
        make = partial(factory, assignment, Equipment(model, options, context.contender.profile))
        if reference or context.spec.built_in:
            return make()
        known = phase == "appeal" or (phase == "a2" and not by_reference) or assignment.session > 1
        return OwnAgent(make, knows_case=known, limits=self.limits)

    def _script(self, phase: Phase) -> oracle.ReferenceScript:
        script = oracle.script(self.task, phase)
        return script if self.app is None else script.model_copy(update={"moves": self.app.reference(script.moves)})
