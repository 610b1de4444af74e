"""The file to read first: task + world + browser + agent + noise -> Trajectory.

A long-context episode plays the first part (once per task and repeat; all lengths share it), injects the noise, puts
the browser where the noise ended, and plays the second part. A decision episode plays one part, then the appeal.
Trouble that the agent did not cause makes the trajectory invalid, and the case is played again from a fresh state. If
the user's own agent fails by itself (an exception, a status, an exit code), the case fails and is not played again.
"""

import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.checks.key_steps import all_hit
from longtrail.episode.case_attempt import CaseAttempt
from longtrail.episode.context import EpisodeContext, FirstPart
from longtrail.episode.earlier import as_remembered, evidence_gathered, guidance_given
from longtrail.errors import HarnessTrouble, LongtrailError, NeighbourTrouble, UsageError
from longtrail.llm.secrets import redact
from longtrail.noise.injection import elsewhere, inject
from longtrail.records.memory import PastTask, remember
from longtrail.records.trajectory import (
    Case,
    Change,
    End,
    Phase,
    Provenance,
    Step,
    Trajectory,
    Trouble,
)
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.loading import checksum
from longtrail.tasks.task import DecisionTask, LongContextTask, Subtask, Task, decision_step_limit
from longtrail.web.own_web import OwnWeb

MAX_ATTEMPTS = 3
"""A case that harness trouble made invalid is played again from a fresh state, at most twice."""
MAX_LOSSES = 6
"""Further attempts after browsers were lost that other episodes shared."""
HOPELESS = frozenset(
    {
        *("llm_budget", "llm_context_overflow", "llm_truncated", "cassette_miss", "storage", "cancelled", "anti_bot"),
        "worker_crash",
    }
)
"""No new attempt after this trouble: it would happen again, or the agent could cause it to get another try."""


def run_case(
    case: Case,
    task: Task,
    context: EpisodeContext,
    keep: Callable[[Trajectory], object],
    first: int = 0,
    review: Callable[[Trajectory], Trajectory] = lambda trajectory: trajectory,
) -> Trajectory:
    """Play a case until an attempt is valid, at most MAX_ATTEMPTS times; each attempt is passed to `keep`. Up to
    MAX_LOSSES attempts that another episode may have ended are not counted. `first` is the number of the first attempt;
    above 0 in a resumed run. `review` may add a second opinion.

    Raises UsageError for errors that concern the whole run (a refused key), after keeping what was done.
    """
    left, spared, number = MAX_ATTEMPTS, MAX_LOSSES, first
    while True:
        attempt = CaseAttempt(case, task, context, number)
        trajectory = run_attempt(attempt)
        try:
            trajectory = review(trajectory)
        finally:
            keep(trajectory)
        if attempt.stop is not None:
            raise attempt.stop
        if trajectory.trouble is None or trajectory.trouble.kind in HOPELESS:
            return trajectory
        if attempt.by_neighbour and spared:
            spared -= 1
        elif (left := left - 1) == 0:
            return trajectory
        number += 1


def run_attempt(attempt: CaseAttempt) -> Trajectory:
    """One attempt. Trouble is recorded, not raised; a UsageError is left in `attempt.stop`. Raises DataError."""
    start = time.monotonic()
    trouble: Trouble | None = None
    try:
        attempt.context.prepare(attempt.task)
        if isinstance(attempt.task, LongContextTask):
            _long_context(attempt, attempt.task)
        elif isinstance(attempt.task, AppTask):
            _app(attempt, attempt.task)
        else:
            _decision(attempt, attempt.task)
    except HarnessTrouble as error:
        attempt.by_neighbour = isinstance(error, NeighbourTrouble)
        trouble = Trouble(kind=error.kind, message=error.message, traceback=traceback.format_exc())
    except UsageError as error:
        attempt.stop = error
        trouble = Trouble(kind="cancelled", message=str(error))
    except LongtrailError:
        raise
    except Exception as error:  # noqa: BLE001 (the only place where our own bug becomes an invalid case)
        message = f"{type(error).__name__}: {error}"
        trouble = Trouble(kind="harness_bug", message=message, traceback=traceback.format_exc())
    return _trajectory(attempt, trouble, time.monotonic() - start)


def _long_context(attempt: CaseAttempt, task: LongContextTask) -> None:
    case, context, seed = attempt.case, attempt.context, attempt.context.settings.seed
    attempt.prompt = task.a2.instruction
    first = context.first_parts.get((context.contender.label, task.id, case.repeat), lambda: _first_part(attempt, task))
    attempt.journal.steps, attempt.journal.ends = [*first.steps], [first.end]
    attempt.first_part_of = "" if first.played_in == attempt.world_name else first.played_in
    if first.end.reason == "agent_error":
        return
    done_before = PastTask(instruction=task.a1.instruction, steps=remember(first.steps, first.last_page))
    injected = inject(
        task,
        done_before,
        context.pool,
        case.noise_tokens or 0,
        seed,
        context.reachable,
        kind=case.noise,
        needle=case.needle,
    )
    attempt.history = injected.history
    start = injected.history.last_url or first.url
    if case.relocated:
        start = elsewhere(task, context.pool(), seed, context.reachable)
    world = context.web.open_world(attempt.world_name, like=first.world)
    world.homes = home_domains(task)
    with context.session(world, first.storage) as place:
        place.session.goto(start)
        loop = attempt.loop(place, "a2", task.a2.instruction, task.a2.step_limit, injected.episodes)
        loop.play(done=lambda steps: _all_hit(task.a2, steps, "a2", context, world.changes))
        attempt.changes = place.world.changes()


def _first_part(attempt: CaseAttempt, task: LongContextTask) -> FirstPart:
    """Play A1 and keep what the second part needs: steps, cookies, world, address."""
    context, journal = attempt.context, attempt.journal
    first_world = context.web.open_world(f"{attempt.world_name}-first")
    first_world.homes = home_domains(task)
    by_reference = context.settings.first_subtask == "reference"
    with context.session(first_world, reference=by_reference) as place:
        place.session.goto(task.start)
        loop = attempt.loop(place, "a1", task.a1.instruction, task.a1.step_limit)
        end = loop.play(done=lambda steps: _all_hit(task.a1, steps, "a1", context, first_world.changes))
        if by_reference and not all_hit(
            task.a1.key_steps, journal.steps, first_world.changes(), ordered=task.a1.ordered
        ):
            told = journal.steps[-1].thought if journal.steps else ""
            raise HarnessTrouble(
                "harness_bug", f"the reference solution did not complete the first part. {told}".strip()
            )
        world = place.world.fork(f"{attempt.world_name}-kept")
        storage, url = place.session.storage_state(), place.session.url
        return FirstPart(tuple(journal.steps), end, world, storage, url, attempt.world_name, journal.last_page)


def home_domains(task: LongContextTask) -> frozenset[str]:
    """The domains that the task needs."""
    return frozenset(map(registrable_domain, (task.host, host_of(task.start))))


def _all_hit(
    part: Subtask,
    steps: Sequence[Step],
    phase: Phase,
    context: EpisodeContext,
    changes: Callable[[], tuple[Change, ...]],
) -> bool:
    """Whether the part must end because all its key steps were hit."""
    if not context.settings.stop_on_success:
        return False
    key_steps = part.route if context.settings.web == "live" else part.key_steps
    own = [step for step in steps if step.phase == phase]
    return all_hit(key_steps, own, changes(), ordered=part.ordered)


def _decision(attempt: CaseAttempt, task: DecisionTask) -> None:
    case, context = attempt.case, attempt.context
    attempt.prompt = context.told(task, case)
    if context.app is not None:
        attempt.app = context.app()
    with attempt.app.turn if attempt.app else nullcontext():
        _decide(attempt, task)


def _decide(attempt: CaseAttempt, task: DecisionTask) -> None:
    case, context, journal, app = attempt.case, attempt.context, attempt.journal, attempt.app
    before = _before(attempt, task)
    if app is None:
        world, storage, start = context.web.open_world(attempt.world_name), None, task.start
        world.stage(task)
    else:
        assert isinstance(context.web, OwnWeb)
        app.reset()
        world = context.web.open_world(attempt.world_name, origins=app.origins)
        storage, start = app.storage(), app.url(task.start)
    with context.session(world, storage) as place:
        place.session.goto(start)
        end = attempt.loop(place, "main", attempt.prompt, _step_limit(attempt, task), before).play()
        if case.appeal and end.reason == "decide":
            appeal = task.appeal.deceptive if case.appeal == "deceptive" else task.appeal.valid
            attempt.changes_before_appeal = place.world.changes()
            turns = len(appeal) if task.hard else context.settings.appeal_turns
            for number, turn in enumerate(appeal[:turns], start=1):
                place.world.add(task.appeal.documents.of(case.appeal, number))
                past = (PastTask(instruction=attempt.prompt, steps=remember(journal.steps)),)
                end = attempt.loop(place, "appeal", turn, context.settings.appeal_step_limit, past).play()
                if end.reason == "agent_error":
                    break
        attempt.changes = place.world.changes()


def _before(attempt: CaseAttempt, task: DecisionTask) -> tuple[PastTask, ...]:
    """The long history of a decision task: the part before the noise, and the noise."""
    case, context, journal = attempt.case, attempt.context, attempt.journal
    if case.placement is None:
        return ()
    first: PastTask | None = None
    if case.placement == "lost_guidance":
        first = guidance_given(task, case)
    elif case.placement == "lost_evidence":
        journal.steps = [*evidence_gathered(task, case, context, attempt.world_name)]
        journal.ends = [End(reason="finish", phase="a1")]
        first = as_remembered(task, case, journal.steps)
    injected = inject(task, first, context.pool, case.noise_tokens or 0, context.settings.seed, context.reachable)
    attempt.history = injected.history
    return injected.episodes


def _app(attempt: CaseAttempt, task: AppTask) -> None:
    context = attempt.context
    if context.app is None or not isinstance(context.web, OwnWeb):
        raise UsageError(f"{task.id}: there is no app to play it on")
    attempt.app = app = context.app()
    attempt.prompt = context.told(task, attempt.case)
    with app.turn:
        app.reset()
        world = context.web.open_world(attempt.world_name, origins=app.origins)
        with context.session(world, app.storage()) as place:
            place.session.goto(app.url(task.start))
            attempt.loop(place, "main", attempt.prompt, task.step_limit).play()
            attempt.readings = app.read(task.key_steps)


def _step_limit(attempt: CaseAttempt, task: Task) -> int:
    """The step limit of the second part, of the decision, or of the only part."""
    if isinstance(task, AppTask):
        return task.step_limit
    if isinstance(task, LongContextTask):
        return task.a2.step_limit
    return decision_step_limit(task, attempt.context.contender.profile)


def _trajectory(attempt: CaseAttempt, trouble: Trouble | None, seconds: float) -> Trajectory:
    context, journal = attempt.context, attempt.journal
    if trouble is not None:
        phase: Phase = "a1" if isinstance(attempt.task, LongContextTask) else "main"
        phase = journal.steps[-1].phase if journal.steps else phase
        journal.ends.append(End(reason="trouble", phase=phase, detail=trouble.message[:400]))
    task = attempt.task
    trajectory = Trajectory(
        case=attempt.case,
        contender=context.contender,
        attempt=attempt.number,
        provenance=Provenance(
            longtrail=context.version,
            data=context.data_checksum,
            task=checksum(task),
            browser=context.browser.version,
            web=context.settings.web if context.app is None else "own",
            seed=context.settings.seed,
            step_limit=_step_limit(attempt, task),
            model_reported=", ".join(sorted(journal.models)),
        ),
        prompt=attempt.prompt,
        first_part_of=attempt.first_part_of,
        steps=tuple(journal.steps),
        history=attempt.history,
        ends=tuple(journal.ends),
        trouble=trouble,
        changes=attempt.changes,
        changes_before_appeal=attempt.changes_before_appeal,
        readings=attempt.readings,
        seconds=round(seconds, 3),
    )
    text = trajectory.model_dump_json()
    clean = redact(text)  # secrets must never be recorded, even if an agent or an exception quotes them
    return trajectory if clean == text else Trajectory.model_validate_json(clean)
