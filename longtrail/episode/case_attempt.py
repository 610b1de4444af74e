"""Case attempt: one attempt at a case, and its data so far."""

from dataclasses import dataclass, field
from functools import partial

from longtrail.agents import oracle
from longtrail.agents.agent import Agent, Assignment
from longtrail.agents.own_agent import OwnAgent
from longtrail.episode.context import EpisodeContext, SessionInWorld
from longtrail.episode.open_app import OpenApp
from longtrail.episode.phase_loop import Journal, PhaseLoop, PhaseSetting
from longtrail.errors import UsageError
from longtrail.records.memory import PastTask
from longtrail.records.reading import Reading
from longtrail.records.trajectory import Case, Change, History, Phase
from longtrail.tasks.task import Task


@dataclass
class CaseAttempt:
    """One attempt at a case, and its data so far."""

    case: Case
    task: Task
    context: EpisodeContext
    number: int = 0
    journal: Journal = field(default_factory=Journal)
    prompt: str = ""
    first_part_of: str = ""
    history: History | None = None
    changes: tuple[Change, ...] = ()
    changes_before_appeal: tuple[Change, ...] | None = None
    app: OpenApp | None = None
    readings: tuple[Reading, ...] = ()
    by_neighbour: bool = False
    """Another episode in the same browser may have caused its trouble."""
    stop: UsageError | None = None
    """The error that ends the whole run, because every other case would fail too."""

    def __post_init__(self) -> None:
        self.journal.on_step = self.context.on_step

    @property
    def world_name(self) -> str:
        return f"{self.case.id}.a{self.number}"

    def loop(
        self, place: SessionInWorld, phase: Phase, prompt: str, limit: int, history: tuple[PastTask, ...] = ()
    ) -> PhaseLoop:
        """The loop of one phase, agent included."""
        context, case = self.context, self.case
        assignment = context.assignment(self.task, case, phase, prompt, limit, history)
        setting = PhaseSetting(
            assignment,
            place.world,
            self.journal,
            save_shot=context.save_shot,
            stop_reason=context.stop_reason,
        )
        return place.loop(setting, partial(self._agent, assignment))

    def _agent(self, assignment: Assignment) -> Agent:
        """The contender's agent, or the oracle where the reference plays the first part."""
        context, phase = self.context, assignment.phase
        reference = context.settings.first_subtask == "reference" and phase == "a1"
        factory = oracle.make if reference else context.factory or context.spec.factory
        knows = reference or context.spec.knows_reference
        options: dict[str, object] = {"reference": self._script(phase)} if knows else {}
        make = partial(factory, assignment, context.equipment(options, self.case, self.number, self.journal.steps))
        if reference or context.spec.built_in:
            return make()
        known = phase == "appeal" or (phase == "a2" and context.settings.first_subtask != "reference")
        return OwnAgent(make, knows_case=known)

    def _script(self, phase: Phase) -> oracle.ReferenceScript:
        script = oracle.script(self.task, phase)
        return script if self.app is None else script.model_copy(update={"moves": self.app.reference(script.moves)})
