"""Episode context: what an episode is played with."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.agents.agent import Agent, AgentFactory, Assignment
from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.process import AgentProcess, RunningAgent, TaskMessage
from longtrail.agents.spec import AgentSpec, command
from longtrail.browser.action_executor import SEARCH
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import NOTHING, Permissions, ViewSettings, for_reference, whole
from longtrail.checks.hosts import host_of
from longtrail.episode.agent_loop import AgentLoop
from longtrail.episode.external_agent_loop import ExternalAgentLoop
from longtrail.episode.open_app import OpenApp
from longtrail.episode.phase_loop import EpisodeSession, PhaseContext, PhaseLoop, SaveShot
from longtrail.errors import UsageError
from longtrail.llm.secrets import redact
from longtrail.options.flags import ActionChoice, FirstSubtask
from longtrail.records.action_forms import types_in_force
from longtrail.records.memory import PastTask
from longtrail.records.record import Record
from longtrail.records.run_kinds import ActionSet, WebKind
from longtrail.records.trajectory import Case, Contender, Phase, Step, Trajectory
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import decisions_of
from longtrail.tasks.task import LongContextTask, Task
from longtrail.web.site import edition_of

if TYPE_CHECKING:
    from longtrail.agents.people.person_server import PersonServer
    from longtrail.browser.context_records import Recording
    from longtrail.browser.session import Browser
    from longtrail.browser.users_page import OpenPage
    from longtrail.llm.client import ModelClient
    from longtrail.web.sealed import SealedWeb
    from longtrail.web.world import World


class EpisodeSettings(Record):
    """What the user chose that changes episodes."""

    seed: int = 0
    stop_on_success: bool = False
    """Long context: end a part when all of its key steps are hit, as in the paper."""
    first_subtask: FirstSubtask = "agent"
    actions: ActionChoice = "default"
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
    files: Path | None = None
    """The folder for the files that agents download, with a folder for each attempt; None: downloads are blocked."""
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
    """The page of the user's own test that the episode goes on in; no proxy then serves it."""
    past: tuple[PastTask, ...] = ()
    """Earlier tasks in this page."""
    recorder: Recorder = field(default_factory=Recorder)
    person_server: "PersonServer | None" = None
    """Serves the page of the person who plays."""

    @property
    def browser_version(self) -> str:
        """Kind and version of the browser that is played in."""
        return self.page.version if self.page else self.browser.version

    @property
    def spec(self) -> AgentSpec:
        """Which kind of agent plays."""
        return AgentSpec.parse(self.contender.agent)

    def actions(self, task: Task) -> ActionSet:
        """What the agent may do. By default only those get more than the paper's actions who play on own apps or the
        real web, or were made for BrowserGym."""
        if self.settings.actions != "default":
            return self.settings.actions
        more = isinstance(task, AppTask) or self.settings.web == "live" or self.spec.reads_whole_pages
        return "full" if more else "paper"

    @contextmanager
    def session(
        self,
        world: "World",
        storage: dict[str, Any] | None = None,
        *,
        reference: bool = False,
        permissions: Permissions = NOTHING,
    ) -> Iterator[EpisodeSession]:
        """A fresh browser context in a world; both are closed afterwards. `reference`: it plays a reference solution,
        not the contender."""
        try:
            session = self._open(world, storage, reference or self.spec.knows_reference, permissions)
            try:
                yield session
            finally:
                session.close()
        finally:
            world.close()

    @contextmanager
    def page_session(self, app: OpenApp, permissions: Permissions) -> Iterator[EpisodeSession]:
        """A session in the user's page, which stays open afterwards. The agent may open the app's addresses."""
        assert self.page is not None
        session: EpisodeSession
        if self.spec.drives_browser:
            from longtrail.agents.cdp.users_browser import UsersBrowser  # loads Playwright's sync API

            session = UsersBrowser(self.browser, self.page)
        else:
            policy = UrlPolicy(origin.authority for origin in app.origins)
            session = self.page.session(self.browser, policy, self._view(self.spec.knows_reference), permissions)
        try:
            yield session
        finally:
            session.close()

    def _open(
        self, world: "World", storage: dict[str, Any] | None, reference: bool, permissions: Permissions
    ) -> EpisodeSession:
        record = self.recorder.record_session(world.name)
        if self.spec.drives_browser and not reference:
            proxied, person = self.web.own_proxy(world), self.spec.kind == "human"
            return AgentBrowser(self.browser, world, proxied, storage=storage, recording=record, person=person)
        hosts = [origin.partition("://")[2] for origin in world.origins]
        policy, settings, proxy = UrlPolicy(hosts or self.web.reach), self._view(reference), self.web.proxy(world)
        return self.browser.session(
            world,
            proxy,
            storage=storage,
            url_policy=policy,
            settings=settings,
            recording=record,
            permissions=permissions,
        )

    def _view(self, reference: bool) -> ViewSettings:
        settings, shots = self.browser.settings, self.settings.shots
        if reference:
            settings = for_reference(settings)
        elif self.spec.reads_whole_pages:
            settings = whole(settings)
        return settings if shots is None else settings.model_copy(update={"screenshot": shots})

    def loop(self, session: Any, phase: PhaseContext, make_agent: Callable[[], Agent]) -> PhaseLoop:
        """The loop of a phase. An agent that drives the browser itself is a program or a person, so none is made for
        it. Raises UsageError for a person where no page is served."""
        if not isinstance(session, AgentBrowser):
            return AgentLoop(make_agent(), session, phase)
        start: Callable[[TaskMessage], RunningAgent]
        if self.spec.kind != "human":
            start = partial(AgentProcess, command(self.spec.target), folder=session.files)
        elif self.person_server is not None:
            start = partial(self.person_server.begin_phase, phase.assignment, self.browser.engine, session)
        else:
            raise UsageError(f"agent {self.spec.name}: a person plays cases of `pytest evals` only")
        return ExternalAgentLoop(start, self.contender.model, self.options, session, phase)

    def prepare(self, task: Task) -> None:
        """Build the sites of this task before its time is measured."""
        searched = (host_of(SEARCH),) if isinstance(task, LongContextTask) else ()
        self.web.prepare(host_of(task.start), *searched, edition=edition_of(task))

    def reachable(self, url: str) -> bool:
        """Whether there is a site at this address."""
        return self.web.serves(host_of(url))

    def assignment(
        self,
        task: Task,
        case: Case,
        phase: Phase,
        prompt: str,
        step_limit: int,
        history: tuple[PastTask, ...] = (),
        files: Iterable[str] = (),
    ) -> Assignment:
        """What the agent is told. `files`: the names of those that it may upload."""
        decisions, searches = decisions_of(task), not isinstance(task, AppTask)
        sees = self.contender.vision or self.spec.reads_whole_pages
        return Assignment(
            suite=case.suite,
            phase=phase,
            prompt=prompt,
            history=history,
            actions=types_in_force(self.actions(task), searches=searches, sees=sees, decides=bool(decisions)),
            files=tuple(files),
            decisions=tuple(decisions),
            step_limit=step_limit,
            seed=self.settings.seed + case.repeat,
        )


def without_secrets(trajectory: Trajectory) -> Trajectory:
    """The trajectory without keys, even if an agent or an exception quotes them. What pages and sites said stays as it
    was: it is the evidence that is scored."""
    text = trajectory.model_dump_json()
    if (clean := redact(text)) == text:
        return trajectory
    redacted = Trajectory.model_validate_json(clean)
    names = ("changes", "changes_before_appeal", "readings")
    evidence = {name: getattr(trajectory, name) for name in names}
    return redacted.model_copy(update={**evidence, "steps": _with_evidence(redacted.steps, trajectory.steps)})


def _with_evidence(redacted: Sequence[Step], recorded: Sequence[Step]) -> tuple[Step, ...]:
    return tuple(
        step.model_copy(update={"observation": before.observation, "changes": before.changes})
        for step, before in zip(redacted, recorded, strict=True)
    )
