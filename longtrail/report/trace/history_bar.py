"""History bar: the history before the second part: the first part, each injected trajectory, and the position of the
facts that the second part needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from longtrail.clock import NOW
from longtrail.errors import DataError
from longtrail.llm.tokens import count
from longtrail.noise.pool import NoiseTrajectory
from longtrail.records.memory import PastTask, recall, render_episode, render_step
from longtrail.records.trajectory import History, Step
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import find


@dataclass(frozen=True, slots=True)
class HistoryPart:
    """A piece of the bar."""

    name: str
    host: str
    tokens: int
    """0: nobody knows."""
    share: float
    """Share of the bar in percent."""


@dataclass(frozen=True, slots=True)
class CarriedFact:
    """A fact that only the first part tells."""

    says: str
    asked: bool
    """Whether the first part's instruction tells it."""
    step: int | None
    """Number of the last step of the first part whose memory tells it; None: no step does."""
    behind: int | None
    """Tokens between the last place that tells it and the second part; None: no place tells it."""


@dataclass(frozen=True, slots=True)
class HistoryBar:
    """The whole history."""

    history: History
    parts: tuple[HistoryPart, ...]
    carried: tuple[CarriedFact, ...]


def history_bar(history: History, first: Sequence[Step], task: LongContextTask | None) -> HistoryBar:
    """The bar of an episode. Sizes of injected trajectories are known if they are from the shipped pool."""
    instruction = task.a1.instruction if task else ""
    first_tokens = count(render_episode(PastTask(instruction=instruction, steps=recall(first)))) if first else 0
    pool = _pool() if history.injected else {}
    noise = [(name, _trajectory_of(name, pool)) for name in history.injected]
    known_tokens = sum(trajectory.tokens for _, trajectory in noise if trajectory)
    unknown = sum(trajectory is None for _, trajectory in noise)
    spare = max(history.tokens - first_tokens - known_tokens, 0) / unknown if unknown else 0
    total = first_tokens + known_tokens + spare * unknown or 1
    parts = [HistoryPart("first part", "", first_tokens, 100 * first_tokens / total)] if first_tokens else []
    parts += [
        HistoryPart(name, trajectory.host, trajectory.tokens, 100 * trajectory.tokens / total)
        if trajectory
        else HistoryPart(name, "", 0, 100 * spare / total)
        for name, trajectory in noise
    ]
    return HistoryBar(history, tuple(parts), _carried(task, first, history.tokens) if task else ())


def _pool() -> Mapping[str, NoiseTrajectory]:
    from longtrail.noise.pool import LOOKALIKES, load_pool, shipped_pool, tickets

    try:
        known = (*shipped_pool().trajectories, *load_pool(LOOKALIKES).trajectories, *tickets())
        return {noise.id: noise for noise in known}
    except DataError:
        return {}


def _trajectory_of(name: str, pool: Mapping[str, NoiseTrajectory]) -> NoiseTrajectory | None:
    """The trajectory of this id; `ID#3` is its first three steps."""
    plain, _, steps = name.partition("#")
    trajectory = pool.get(plain)
    return trajectory.up_to(int(steps)) if trajectory and steps.isdigit() else trajectory


def _carried(task: LongContextTask, first: Sequence[Step], tokens: int) -> tuple[CarriedFact, ...]:
    """For each carried fact, the last place in the first part's memory that tells it, and its distance."""
    memory, parts = recall(first), []
    head = f"Task: {task.a1.instruction}\n"
    texts = [render_step(number, step) for number, step in enumerate(memory, 1)]
    for fact in task.carry:
        places = [place for place, text in enumerate(texts) if find(fact.said, text, NOW)]
        in_instruction = find(fact.said, head, NOW) is not None
        before = head + "".join(texts[: places[-1] + 1 if places else 0])
        behind = max(tokens - count(before), 0) if places or in_instruction else None
        parts.append(CarriedFact(fact.says, in_instruction, first[places[-1]].number if places else None, behind))
    return tuple(parts)
