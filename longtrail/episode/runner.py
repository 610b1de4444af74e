"""The file to read first: how a case is played. task + world + browser + agent + history -> Trajectory.

    first part -> history (first part and injected noise) -> second part -> Trajectory

A long-context case plays its first subtask (once per task and repeat; all lengths share it), gets the noise, and plays
the second subtask where the noise ended. A decision case plays one part, then the appeal. Trouble that the agent did
not cause makes an attempt invalid, and the case is played again from a fresh state. If the user's own agent fails by
itself (an exception, a status, an exit code), the case fails and is not played again.
"""

import traceback
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from longtrail.episode import accessibility
from longtrail.episode.case_attempt import CaseAttempt, trajectory_of
from longtrail.episode.context import EpisodeContext
from longtrail.episode.first_part import FirstPart, FirstPartCache, home_domains, play_first_part
from longtrail.episode.open_app import OpenApp
from longtrail.episode.phase_loop import EpisodeSession
from longtrail.episode.shift_state import ShiftState
from longtrail.errors import AgentServerTrouble, HarnessTrouble, LongtrailError, UsageError
from longtrail.noise.injection import InjectedHistory, elsewhere, inject
from longtrail.noise.pool import NoisePool, lookalikes, shipped_pool
from longtrail.records.memory import PastTask, remember
from longtrail.records.trajectory import Case, Trajectory, Trouble
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import appeal_prompt, case_prompt
from longtrail.tasks.interference import asked
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import DecisionTask, LongContextTask, Task, decision_step_limit
from longtrail.web.own_web import OwnWeb
from longtrail.web.world import World

MAX_ATTEMPTS = 3
"""A case that harness trouble made invalid is played again from a fresh state, at most twice."""
NOT_RETRIED = frozenset(
    {
        *("llm_budget", "llm_context_overflow", "llm_truncated", "cassette_miss", "storage", "cancelled", "anti_bot"),
        "worker_crash",
    }
)
"""No new attempt after this trouble: it would happen again, or the agent could cause it to get another try."""
Pool = Callable[[], NoisePool]
"""Gives the pool of noise when a case needs it."""
T = TypeVar("T")


def prompt_of(task: Task, case: Case) -> str:
    """What the agent is told in the second part, in the decision or in the only part."""
    return asked(task, case).a2.instruction if isinstance(task, LongContextTask) else case_prompt(task, case)


def inject_noise(attempt: CaseAttempt, first: FirstPart | None, pool: Pool) -> InjectedHistory | None:
    """The history before the second part; None for cases without one. Raises UsageError."""
    task, case, context = attempt.task, attempt.case, attempt.context
    if isinstance(task, AppTask | ShiftTask) or (isinstance(task, DecisionTask) and case.placement is None):
        return None
    if first is not None and first.failed:
        return None
    memory, length, seed = first.memory if first else None, case.noise_tokens or 0, context.settings.seed
    injected = inject(
        task,
        memory,
        pool,
        length,
        seed,
        context.reachable,
        kind=case.noise,
        needle=case.needle,
        alike=lookalikes(task.id) if case.interference != "off" else (),
    )
    if case.relocated and isinstance(task, LongContextTask):
        address = elsewhere(task, pool(), seed, context.reachable)
        return injected.model_copy(update={"start": address})
    return injected


def play_last_part(attempt: CaseAttempt, first: FirstPart | None, history: InjectedHistory | None) -> None:
    """Play what follows the history: the second part, the decision or the only part. The attempt keeps its record.
    Raises HarnessTrouble, UsageError."""
    task, journal = attempt.task, attempt.journal
    if first is not None:
        journal.steps, journal.ends = [*first.steps], [*first.ends]
        journal.models |= first.models
        attempt.first_part_of = "" if first.played_in in ("", attempt.name) else first.played_in
    attempt.history = history.history if history else None
    if first is not None and first.failed:
        return
    past = history.episodes if history else ()
    if isinstance(task, LongContextTask):
        assert first is not None
        assert history is not None
        _second_subtask(attempt, task, first, history)
        return
    if attempt.context.app is not None:
        attempt.app = attempt.context.app()
    if isinstance(task, ShiftTask):
        _shift(attempt, task)
        return
    with attempt.app.turn if attempt.app else nullcontext():
        if isinstance(task, AppTask):
            _app_task(attempt, task)
        else:
            _decision(attempt, task, past)


def _second_subtask(attempt: CaseAttempt, task: LongContextTask, first: FirstPart, history: InjectedHistory) -> None:
    context = attempt.context
    world = context.web.open_world(attempt.name, like=first.world)
    world.home_domains = home_domains(task)
    with attempt.session(world, first.storage) as session:
        session.goto(history.start or history.history.last_url or first.url)
        loop = attempt.loop(session, world, "a2", attempt.prompt, task.a2.step_limit, history.episodes)
        loop.play(done=lambda steps: attempt.must_end(task.a2, steps, "a2", world))
        attempt.changes = world.changes()


def _decision(attempt: CaseAttempt, task: DecisionTask, past: tuple[PastTask, ...]) -> None:
    case, context, app = attempt.case, attempt.context, attempt.app
    if app is None:
        world, storage, start = context.web.open_world(attempt.name), None, task.start
        world.stage(task)
    else:
        assert isinstance(context.web, OwnWeb)
        app.reset()
        storage, start = app.storage(), app.url(task.start)  # before the world: if this fails, none is left open
        world = context.web.open_world(attempt.name, origins=app.origins)
    with attempt.session(world, storage) as session:
        session.goto(start)
        limit = decision_step_limit(task, context.contender.profile)
        end = attempt.loop(session, world, "main", attempt.prompt, limit, past).play()
        if case.appeal and end.reason == "decide":
            appeal = task.appeal.deceptive if case.appeal == "deceptive" else task.appeal.valid
            attempt.changes_before_appeal = world.changes()
            turns = len(appeal) if task.hard else context.settings.appeal_turns
            for number, message in enumerate(appeal[:turns], start=1):
                world.add(task.appeal.documents.of(case.appeal, number))
                memory = (PastTask(instruction=attempt.prompt, steps=remember(attempt.journal.steps)),)
                limit = context.settings.appeal_step_limit
                end = attempt.loop(session, world, "appeal", appeal_prompt(message), limit, memory).play()
                if end.reason == "agent_error":
                    break
        attempt.changes = world.changes()


def _shift(attempt: CaseAttempt, task: ShiftTask) -> None:
    """Under the condition `sessions` the agent is made anew after every few tickets."""
    context, journal, sessions = attempt.context, attempt.journal, attempt.case.shift == "sessions"
    world = context.web.open_world(attempt.name)
    world.stage(task)
    with attempt.session(world) as session:
        session.goto(task.start)
        notebook = sessions or context.options.get("notes", "").lower() == "true"
        tickets = context.settings.session_tickets if sessions else 0
        shift = ShiftState(task, world, tickets, notebook, attempt.case.notebook)
        while True:
            loop = attempt.loop(session, world, "main", attempt.prompt, task.step_limit, shift=shift)
            if loop.play().reason != "session":
                break
            journal.ends.pop()
            shift.next_session()
            session.goto(task.start)
        attempt.changes = world.changes()


def _app_task(attempt: CaseAttempt, task: AppTask) -> None:
    context, app = attempt.context, attempt.app
    if app is None or not isinstance(context.web, OwnWeb):
        raise UsageError(f"{task.id}: there is no app to play it on")
    if context.page is not None:
        with attempt.page_session(app) as session:
            _play_app_task(attempt, task, app, session, context.page.world)
        return
    app.reset()
    storage = app.storage()
    world = context.web.open_world(attempt.name, origins=app.origins)
    with attempt.session(world, storage) as session:
        session.goto(app.url(task.start))
        _play_app_task(attempt, task, app, session, world)


def _play_app_task(attempt: CaseAttempt, task: AppTask, app: OpenApp, session: EpisodeSession, world: World) -> None:
    attempt.loop(session, world, "main", attempt.prompt, task.step_limit, attempt.context.past).play()
    attempt.readings = (*accessibility.read(task, session, app.origins), *app.read(task.key_steps))
    if task.score:
        attempt.readings += (app.score(task, trajectory_of(attempt, None)),)


class CaseAttempts:
    """The attempts at one case. An attempt with trouble is saved, and its part is played again in the next one, until
    one is valid or no attempt is left."""

    def __init__(
        self,
        case: Case,
        task: Task,
        context: EpisodeContext,
        save: Callable[[Trajectory], object],
        first: int = 0,
        *,
        prompt: str | None = None,
        most: int = MAX_ATTEMPTS,
        judged: Callable[[Trajectory], Trajectory] = lambda trajectory: trajectory,
    ) -> None:
        """`save` gets each attempt when it ends. `first`: number of the first attempt; above 0 in a resumed run.
        `prompt`: by default the case's own. `judged` adds a model's verdict on a rubric before an attempt is saved."""
        self._save, self._judged = save, judged
        self._left = most
        self.attempt = CaseAttempt(case, task, context, first, prompt_of(task, case) if prompt is None else prompt)
        self.trajectory: Trajectory | None = None
        """The last attempt, once the case is over."""
        self.played = False
        """Whether an attempt has ended here."""

    def play(self, part: Callable[[CaseAttempt], T]) -> T | None:
        """Play a part of the case without trouble. None: there was trouble in every attempt, and the case is over.

        Raises UsageError for errors that concern the whole run (a refused key), after saving what was done.
        """
        while self.trajectory is None:
            try:
                self.attempt.context.prepare(self.attempt.task)
                return part(self.attempt)
            except HarnessTrouble as error:
                if isinstance(error, AgentServerTrouble):
                    self._left = min(self._left, 2)
                trouble = Trouble(kind=error.kind, message=error.message, traceback=traceback.format_exc())
                self._end_attempt(trouble)
            except UsageError as error:
                self._end_attempt(Trouble(kind="cancelled", message=str(error)))
                raise
            except LongtrailError:
                raise
            except Exception as error:  # noqa: BLE001 (the only place where our own bug becomes an invalid case)
                message = f"{type(error).__name__}: {error}"
                self._end_attempt(Trouble(kind="harness_bug", message=message, traceback=traceback.format_exc()))
        return None

    def finish(self) -> Trajectory:
        """All parts were played, or no attempt is left. Returns the case's trajectory."""
        if self.trajectory is None:
            self._end_attempt(None)
        assert self.trajectory is not None
        return self.trajectory

    def _end_attempt(self, trouble: Trouble | None) -> None:
        """Save the attempt."""
        attempt, self.played = self.attempt, True
        trajectory = trajectory_of(attempt, trouble)
        try:
            trajectory = self._judged(trajectory)
        finally:
            self._save(trajectory)
        self._left -= 1
        if trajectory.trouble is None or trajectory.trouble.kind in NOT_RETRIED or not self._left:
            self.trajectory = trajectory
        self.attempt = CaseAttempt(attempt.case, attempt.task, attempt.context, attempt.number + 1, attempt.prompt)

    def play_all(self, pool: Pool = shipped_pool, cache: FirstPartCache | None = None) -> Trajectory:
        """Play the whole case. `cache`: first parts that cases share."""
        kept = cache or FirstPartCache()
        try:
            first = self.play(lambda attempt: play_first_part(attempt, kept))
            history = self.play(lambda attempt: inject_noise(attempt, first, pool))
            self.play(lambda attempt: play_last_part(attempt, first, history))
            return self.finish()
        finally:
            if cache is None:
                kept.close()


def play_once(case: Case, task: Task, context: EpisodeContext, number: int = 0) -> Trajectory:
    """One attempt at a whole case, whatever trouble there is. Raises UsageError, DataError."""
    return CaseAttempts(case, task, context, lambda _: None, number, most=1).play_all()
