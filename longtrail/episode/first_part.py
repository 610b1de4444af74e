"""First part: what is played before the history is complete, and what it leaves for the second part.

Long context: the first subtask. Decision tasks with a long history: `lost_guidance` gives the guidance in a separate
earlier episode; with `lost_evidence`, the reference reads half of the required facts on the real pages (the same ones
for every contender), and only the passages are kept.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from longtrail.agents.agent import Equipment
from longtrail.agents.oracle import ReferenceScript, make, passage
from longtrail.checks.facts import Fact
from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.checks.key_steps import all_hit
from longtrail.checks.visits import trail
from longtrail.episode.case_attempt import CaseAttempt
from longtrail.episode.phase_loop import Journal, PhaseContext
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Finish
from longtrail.records.memory import MemoryStep, PastTask, recall, remember
from longtrail.records.trajectory import Case, End, Outcome, Step
from longtrail.tasks.briefing import earlier_turns_text
from longtrail.tasks.interference import asked
from longtrail.tasks.task import DecisionTask, LongContextTask

if TYPE_CHECKING:
    from longtrail.web.world import World

NOTED = "Noted. I will follow this when the case comes up."
ENOUGH = "That is what I have found so far. I leave the case at this."
SPARE_STEPS = 40
"""Extra steps for scrolling, which the reference does not list."""
KEPT = 8
"""Maximum first parts that a worker keeps; the cases of one task are next to each other in the plan."""


@dataclass(frozen=True)
class FirstPart:
    """A finished first part: what every context length starts from."""

    memory: PastTask
    """The first part as the agent remembers it."""
    steps: tuple[Step, ...] = ()
    ends: tuple[End, ...] = ()
    models: frozenset[str] = frozenset()
    """Model ids that the server reported."""
    world: "World | None" = None
    """The sites' state after it; None: the second part begins in the initial state."""
    storage: dict[str, Any] | None = None
    """Cookies and local storage, in Playwright's form."""
    url: str = ""
    """The address where it ended."""
    played_in: str = ""
    """The attempt that played it (`CASE.aN`)."""

    @property
    def failed(self) -> bool:
        """Whether the agent itself failed, so that there is no second part."""
        return any(end.reason == "agent_error" for end in self.ends)


class FirstPartCache:
    """First parts that several cases share, at most KEPT at once. Always close it."""

    def __init__(self) -> None:
        self._parts: OrderedDict[tuple[str, str, int], FirstPart] = OrderedDict()

    def get(self, key: tuple[str, str, int], play: Callable[[], FirstPart]) -> FirstPart:
        """The first part of (contender, task, repeat): played once per worker, then shared by all context lengths."""
        if key not in self._parts:
            self._parts[key] = play()
            while len(self._parts) > KEPT:
                _close(self._parts.popitem(last=False)[1])
        self._parts.move_to_end(key)
        return self._parts[key]

    def close(self) -> None:
        """Close their worlds."""
        while self._parts:
            _close(self._parts.popitem()[1])


def _close(part: FirstPart) -> None:
    if part.world is not None:
        part.world.close()


def play_first_part(attempt: CaseAttempt, cache: FirstPartCache) -> FirstPart | None:
    """The first part of a case; None for cases without one. Raises HarnessTrouble, UsageError."""
    task, case = attempt.task, attempt.case
    if isinstance(task, LongContextTask):
        key = (attempt.context.contender.label, task.id, case.repeat)
        return cache.get(key, lambda: _first_subtask(attempt, task))
    if isinstance(task, DecisionTask) and case.placement == "lost_guidance":
        return FirstPart(guidance_given(task, case))
    if isinstance(task, DecisionTask) and case.placement == "lost_evidence":
        steps = evidence_gathered(attempt, task)
        memory = PastTask(instruction=earlier_turns_text(task, case), steps=remember(steps))
        return FirstPart(memory, steps, (End(reason="finish", phase="a1"),), played_in=attempt.name)
    return None


def _first_subtask(attempt: CaseAttempt, task: LongContextTask) -> FirstPart:
    """Play A1 and keep what the second part needs."""
    context, journal = attempt.context, attempt.journal
    instruction = asked(task, attempt.case).a1.instruction
    world = context.web.open_world(f"{attempt.name}-first")
    world.home_domains = home_domains(task)
    by_reference = context.settings.first_subtask == "reference"
    with attempt.session(world, reference=by_reference) as session:
        session.goto(task.start)
        loop = attempt.loop(session, world, "a1", instruction, task.a1.step_limit)
        end = loop.play(done=lambda steps: attempt.must_end(task.a1, steps, "a1", world))
        if by_reference and not all_hit(task.a1.key_steps, journal.steps, world.changes(), ordered=task.a1.ordered):
            thought = journal.steps[-1].thought if journal.steps else ""
            message = f"the reference solution did not complete the first part. {thought}".strip()
            raise HarnessTrouble("harness_bug", message)
        return FirstPart(
            memory=PastTask(instruction=instruction, steps=recall(journal.steps, journal.last_page)),
            steps=tuple(journal.steps),
            ends=(end,),
            models=frozenset(journal.models),
            world=world.fork(f"{attempt.name}-kept"),
            storage=session.storage_state(),
            url=session.url,
            played_in=attempt.name,
        )


def home_domains(task: LongContextTask) -> frozenset[str]:
    """The domains that the task needs."""
    return frozenset(map(registrable_domain, (task.host, host_of(task.start))))


def guidance_given(task: DecisionTask, case: Case) -> PastTask:
    """The earlier episode that gives the guidance."""
    step = MemoryStep(url=task.start, thought="There is nothing to do yet.", action=f'finish with "{NOTED}"')
    return PastTask(instruction=earlier_turns_text(task, case), steps=(step,))


def evidence_gathered(attempt: CaseAttempt, task: DecisionTask) -> tuple[Step, ...]:
    """The steps of the earlier episode that finds half of the evidence, played in its own world. Observations are cut
    to the passages, so the agent gets nothing else. Raises HarnessTrouble."""
    path, context = task.reference.path, attempt.context
    last_read = max((number for number, step in enumerate(path) if step.read is not None), default=-1)
    script = ReferenceScript(moves=path[: last_read + 1])
    journal = Journal()
    world = context.web.open_world(f"{attempt.name}-earlier")
    world.stage(task)
    with context.session(world, reference=True) as session:
        session.goto(task.start)
        limit = len(path) + SPARE_STEPS
        assignment = context.assignment(task, attempt.case, "a1", earlier_turns_text(task, attempt.case), limit)
        phase_context = PhaseContext(assignment, world, journal, stop_reason=context.recorder.stop_reason)
        context.loop(session, phase_context, lambda: make(assignment, Equipment(options={"reference": script}))).play()
    return noted(task, journal.steps)


def noted(task: DecisionTask, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps up to the last noted fact: half of the required ones (rounded down, at least one). Facts on pages that
    the agent must open anyway, because another required fact stands there, are noted only if there are no others. Each
    step has the passages of the noted facts that it showed first."""
    wanted = max(1, len(task.required) // 2)
    found: dict[str, tuple[int, str]] = {}
    on_the_way: set[str] = set()
    for place, (step, keys) in enumerate(zip(steps, trail(steps), strict=True)):
        for fact in task.required:
            if fact.id not in found and (text := _passage(fact, step, keys)):
                found[fact.id] = place, text
                others = {page.casefold() for each in task.required if each.id != fact.id for page in each.pages}
                on_the_way |= {fact.id} if keys & others else set()
    if len(found) < wanted:
        raise HarnessTrouble("harness_bug", f"the reference has read {len(found)} of {wanted} facts before the noise")
    chosen = sorted(found, key=lambda name: (name in on_the_way, found[name][0]))[:wanted]
    last = max(found[name][0] for name in chosen)
    return tuple(
        _with_notes(step, [found[name][1] for name in chosen if found[name][0] == place], last=place == last)
        for place, step in enumerate(steps[: last + 1])
    )


def _passage(fact: Fact, step: Step, keys: frozenset[str]) -> str:
    here = bool(keys & {key.casefold() for key in fact.pages})
    text = passage(fact, step.observation) if here and not fact.pictured else ""
    if not text.startswith("row: "):
        return text
    above = step.observation.text.partition(text)[0].splitlines()
    heads = [line.strip() for line in above if line.strip().startswith("columns: ")]
    return "\n".join([*heads[-1:], text])  # a row needs its column headings


def _with_notes(step: Step, notes: Sequence[str], *, last: bool) -> Step:
    observation = step.observation.model_copy(
        update={"text": "\n".join(notes), "form": "text", "screenshot": None, "pictures": ()}
    )
    thought = " ".join([step.thought if not last else "", *(f'I note what it says here: "{note}"' for note in notes)])
    update = {"observation": observation, "thought": thought.strip(), "reflection": ""}
    if last:
        outcome = Outcome(ok=True, url=observation.url)
        update |= {"action": Finish(answer=ENOUGH), "outcome": outcome, "requests": ()}
    return step.model_copy(update=update)
