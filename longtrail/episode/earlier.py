"""Earlier: the part of a long history that comes before the noise, for decision tasks.

With `lost_guidance`, a separate earlier episode gives the guidance. With `lost_evidence`, a separate earlier episode
gathers evidence: the reference reads half of the required facts on the real pages (the same ones for every contender),
and only the passages are kept.
"""

from collections.abc import Sequence

from longtrail.agents.agent import Equipment
from longtrail.agents.oracle import ReferenceScript, make, passage
from longtrail.checks.facts import Fact
from longtrail.checks.page_trail import trail
from longtrail.episode.context import EpisodeContext
from longtrail.episode.phase_loop import Journal, PhaseSetting
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Finish
from longtrail.records.memory import MemoryStep, PastTask, remember
from longtrail.records.trajectory import Case, Outcome, Step
from longtrail.tasks.briefing import told_before
from longtrail.tasks.task import DecisionTask

NOTED = "Noted. I will follow this when the case comes up."
ENOUGH = "That is what I have found so far. I leave the case at this."
SPARE_STEPS = 40
"""Extra steps for scrolling, which the reference does not list."""


def guidance_given(task: DecisionTask, case: Case) -> PastTask:
    """The earlier episode that gives the guidance."""
    step = MemoryStep(url=task.start, thought="There is nothing to do yet.", action=f'finish with "{NOTED}"')
    return PastTask(instruction=told_before(task, case), steps=(step,))


def evidence_gathered(task: DecisionTask, case: Case, context: EpisodeContext, name: str) -> tuple[Step, ...]:
    """The steps of the earlier episode that finds half of the evidence, played in its own world. Observations are cut
    to the passages, so the agent gets nothing else. Raises HarnessTrouble."""
    path = task.reference.path
    read = max((place for place, step in enumerate(path) if step.read is not None), default=-1)
    script = ReferenceScript(moves=path[: read + 1])
    journal = Journal()
    world = context.web.open_world(f"{name}-earlier")
    world.stage(task)
    with context.session(world, reference=True) as place:
        place.session.goto(task.start)
        assignment = context.assignment(task, case, "a1", told_before(task, case), len(path) + SPARE_STEPS)
        setting = PhaseSetting(assignment, place.world, journal, None, context.stop_reason)
        place.loop(setting, lambda: make(assignment, Equipment(options={"reference": script}))).play()
    return noted(task, journal.steps)


def noted(task: DecisionTask, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps up to the page on which half of the required facts (rounded down, at least one) have been read. Each
    step has the passages of the facts that it showed first."""
    wanted = max(1, len(task.required) // 2)
    found: set[str] = set()
    kept: list[Step] = []
    for step, keys in zip(steps, trail(steps), strict=True):
        notes = []
        for fact in task.required:
            if len(found) < wanted and fact.id not in found and (text := _passage(fact, step, keys)):
                found.add(fact.id)
                notes.append(text)
        kept.append(_with_notes(step, notes, last=len(found) == wanted))
        if len(found) == wanted:
            return tuple(kept)
    raise HarnessTrouble("harness_bug", f"the reference has read {len(found)} of {wanted} facts before the noise")


def _passage(fact: Fact, step: Step, keys: frozenset[str]) -> str:
    here = bool(keys & {key.casefold() for key in fact.pages})
    found = passage(fact, step.observation) if here and not fact.pictured else ""
    if not found.startswith("row: "):
        return found
    above = step.observation.text.partition(found)[0].splitlines()
    heads = [line.strip() for line in above if line.strip().startswith("columns: ")]
    return "\n".join([*heads[-1:], found])  # a row needs its column headings


def _with_notes(step: Step, notes: Sequence[str], *, last: bool) -> Step:
    seen = step.observation.model_copy(
        update={"text": "\n".join(notes), "form": "text", "screenshot": None, "pictures": ()}
    )
    said = " ".join([step.thought if not last else "", *(f'I note what it says here: "{note}"' for note in notes)])
    update = {"observation": seen, "thought": said.strip(), "reflection": ""}
    if last:
        update |= {"action": Finish(answer=ENOUGH), "outcome": Outcome(ok=True, url=seen.url), "requests": ()}
    return step.model_copy(update=update)


def as_remembered(task: DecisionTask, case: Case, steps: Sequence[Step]) -> PastTask:
    """The episode as the agent remembers it."""
    return PastTask(instruction=told_before(task, case), steps=remember(steps))
