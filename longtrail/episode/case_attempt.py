"""Case attempt: one attempt at a case, with its record so far."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import longtrail
from longtrail.agents import oracle
from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.case_limits import CaseLimits, LimitedModel
from longtrail.agents.own_agent import OwnAgent
from longtrail.browser.view import NOTHING, Permissions
from longtrail.checks.key_steps import all_hit
from longtrail.episode.context import EpisodeContext, PhaseLoop, without_secrets
from longtrail.episode.open_app import OpenApp
from longtrail.episode.phase_loop import EpisodeSession, Journal, PhaseContext
from longtrail.episode.shift_state import ShiftState
from longtrail.records.action import Decide
from longtrail.records.memory import PastTask
from longtrail.records.site_reports import Reading
from longtrail.records.trajectory import Case, Change, End, History, Phase, Provenance, Step, Trajectory, Trouble
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.loading import checksum
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import DecisionTask, LongContextTask, Subtask, Task, decision_step_limit

if TYPE_CHECKING:
    from longtrail.web.world import World


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
        seconds = 0.0 if self.context.spec.kind == "human" else settings.case_timeout  # people have all the time
        self.limits = CaseLimits(seconds, settings.case_tokens, settings.case_cost)
        self.journal.on_step = self.context.recorder.on_step

    @property
    def name(self) -> str:
        """Unique among all attempts of a run."""
        return f"{self.case.id}.a{self.number}"

    def loop(
        self,
        session: EpisodeSession,
        world: "World",
        phase: Phase,
        prompt: str,
        limit: int,
        history: tuple[PastTask, ...] = (),
        shift: ShiftState | None = None,
    ) -> PhaseLoop:
        """The loop of one phase, agent included."""
        context, recorder = self.context, self.context.recorder
        self.journal.phase = phase
        assignment = context.assignment(self.task, self.case, phase, prompt, limit, history, self._files())
        before = len(self.journal.steps) if shift else 0
        if shift:
            assignment = shift.add_to(assignment, self.name, self.journal.steps)
        phase_context = PhaseContext(
            assignment, world, self.journal, recorder.save_shot, recorder.stop_reason, self.limits, shift, before
        )
        return context.loop(session, phase_context, partial(self._agent, assignment))

    def session(
        self, world: "World", storage: dict[str, Any] | None = None, *, reference: bool = False
    ) -> AbstractContextManager[EpisodeSession]:
        """A fresh browser context in a world, with what the agent may do in this case."""
        allowed = NOTHING if reference else self._permissions()
        return self.context.session(world, storage, reference=reference, permissions=allowed)

    def page_session(self, app: OpenApp) -> AbstractContextManager[EpisodeSession]:
        """A session in the user's page, with what the agent may do in it."""
        return self.context.page_session(app, self._permissions())

    def _permissions(self) -> Permissions:
        """What the agent may do. Agents made for BrowserGym can't answer a dialog, nor can references without
        `answer_dialog`."""
        context, spec, folder, task = self.context, self.context.spec, self.context.recorder.files, self.task
        service_workers = isinstance(task, AppTask)
        if context.actions(task) == "paper":
            return Permissions(service_workers=service_workers)
        downloads = folder / self.name if folder else None
        answers = not spec.reads_whole_pages
        if spec.knows_reference:
            answers = isinstance(task, AppTask) and any(step.answer_dialog for step in task.reference)
        waits = answers and context.page is None  # the page's own thread would wait for the answer
        return Permissions(waits, True, self._files(), downloads, service_workers)

    def _files(self) -> Mapping[str, Path]:
        task, full = self.task, self.context.actions(self.task) == "full"
        return self.app.offered(task.files) if full and self.app and isinstance(task, AppTask) else {}

    def must_end(self, part: Subtask, steps: Sequence[Step], phase: Phase, world: "World") -> bool:
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
            model = LimitedModel(model, self.limits)
        make = partial(factory, assignment, Equipment(model, options, context.contender.profile))
        if reference or context.spec.built_in:
            return make()
        known = phase == "appeal" or (phase == "a2" and not by_reference) or assignment.session > 1
        return OwnAgent(make, knows_case=known, limits=self.limits, server=str(context.options.get("base_url", "")))

    def _script(self, phase: Phase) -> oracle.ReferenceScript:
        script = oracle.script(self.task, phase)
        if isinstance(self.task, ShiftTask):
            decided = sum(step.outcome.ok for step in self.journal.steps if isinstance(step.action, Decide))
            script = oracle.from_decision(script, decided)
        return script if self.app is None else script.model_copy(update={"moves": self.app.reference(script.moves)})


def trajectory_of(attempt: CaseAttempt, trouble: Trouble | None) -> Trajectory:
    """The record of an attempt that has ended."""
    context, journal, task = attempt.context, attempt.journal, attempt.task
    if trouble is not None:
        phase: Phase = journal.phase or ("a1" if isinstance(task, LongContextTask) else "main")
        journal.ends.append(End(reason="trouble", phase=phase, detail=trouble.message[:400]))
    trajectory = Trajectory(
        case=attempt.case,
        contender=context.contender,
        attempt=attempt.number,
        provenance=Provenance(
            longtrail=longtrail.__version__,
            data=context.recorder.data_checksum,
            task=checksum(task),
            browser=context.browser_version,
            web=context.settings.web if context.app is None else "own",
            actions=context.actions(task),
            seed=context.settings.seed,
            step_limit=_step_limit(attempt),
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
        seconds=round(time.monotonic() - attempt.started, 3),
    )
    return without_secrets(trajectory)


def _step_limit(attempt: CaseAttempt) -> int:
    """The step limit of the second part, of the decision, or of the only part."""
    task = attempt.task
    if isinstance(task, DecisionTask):
        return decision_step_limit(task, attempt.context.contender.profile)
    return task.a2.step_limit if isinstance(task, LongContextTask) else task.step_limit
