"""Injection: a history of N tokens (within 1 %), made of the first part and irrelevant trajectories after it."""

import hashlib
from collections.abc import Callable, Sequence

from longtrail.errors import UsageError
from longtrail.llm.tokens import count, tokenizer_name
from longtrail.noise.pool import NoisePool, NoiseTrajectory
from longtrail.noise.selection import orthogonal, shuffled
from longtrail.records.memory import PastTask, render_episode, render_history
from longtrail.records.record import Record
from longtrail.records.trajectory import History
from longtrail.tasks.task import LongContextTask

TOLERANCE = 0.01
"""The counted length is within this share of the target."""


class InjectedHistory(Record):
    """What stands between the two parts."""

    episodes: tuple[PastTask, ...]
    """The whole history: the first part, then the noise."""
    history: History


Reachable = Callable[[str], bool]
"""Whether this web has a site at an address. Pools made elsewhere tell of sites that it lacks."""


def inject(
    task: LongContextTask,
    first: PastTask,
    pool: Callable[[], NoisePool],
    target: int,
    seed: int,
    reachable: Reachable = lambda _: True,
) -> InjectedHistory:
    """The first part and noise, `target` tokens together. Deterministic by (task, target, seed).

    A target of 0 injects nothing. Whole trajectories go in until the next would be too long; the last one is cut after
    the step that comes nearest. Raises UsageError where the pool is too small or the first part alone is too long.
    """
    own = count(render_episode(first))
    chosen: list[NoiseTrajectory] = []
    length = own
    if target:
        room = target - own
        if room < 0:
            raise UsageError(f"{task.id}: the first part alone has {own} tokens, more than the {target} asked for")
        irrelevant = orthogonal(task, pool())
        chosen = _fill(shuffled(irrelevant, task.id, seed), room, TOLERANCE * target / 2)
        length += sum(noise.tokens for noise in chosen)
        if abs(length - target) > TOLERANCE * target:
            available = own + sum(noise.tokens for noise in irrelevant)
            raise UsageError(
                f"{task.id}: can't fill {target} tokens within {TOLERANCE:.0%} (reached {length}; the noise pool holds "
                f"{available} tokens that are irrelevant to this task): ask for shorter --lengths or give --noise-pool"
            )
    episodes = (first, *(noise.episode for noise in chosen))
    return InjectedHistory(
        episodes=episodes,
        history=History(
            target_tokens=target,
            tokens=length,
            tokenizer=tokenizer_name(),
            injected=tuple(noise.id for noise in chosen),
            last_url=_last(chosen, reachable) or task.start if chosen else "",
            sha256=hashlib.sha256(render_history(episodes).encode()).hexdigest(),
        ),
    )


def elsewhere(task: LongContextTask, pool: NoisePool, seed: int, reachable: Reachable = lambda _: True) -> str:
    """The address that the `relocated` control goes to: the end of some irrelevant trajectory."""
    order = shuffled(orthogonal(task, pool), task.id, seed)
    ends = (url for noise in order if (url := _last([noise], reachable)))
    if (found := next(ends, None)) is None:
        raise UsageError(f"{task.id}: the noise pool holds no trajectory that is irrelevant to this task")
    return found


def _last(chosen: Sequence[NoiseTrajectory], reachable: Reachable) -> str:
    """The last address in this noise that the browser can be put at."""
    return next((url for noise in reversed(chosen) for url in noise.last_urls if reachable(url)), "")


def _fill(order: Sequence[NoiseTrajectory], room: int, slack: float) -> list[NoiseTrajectory]:
    """Trajectories of about `room` tokens; a cut that misses it by no more than `slack` is near enough."""
    chosen: list[NoiseTrajectory] = []
    rest = list(order)
    while rest and rest[0].tokens <= room:
        noise = rest.pop(0)
        chosen.append(noise)
        room -= noise.tokens
    best: NoiseTrajectory | None = None
    for noise in rest:
        cut = _cut(noise, room)
        if abs(room - cut.tokens) < (abs(room - best.tokens) if best else room):
            best = cut
        if best and abs(room - best.tokens) <= slack:
            break
    return [*chosen, best] if best else chosen


def _cut(noise: NoiseTrajectory, room: int) -> NoiseTrajectory:
    """The trajectory up to the step that comes nearest to `room` tokens."""
    steps = noise.episode.steps
    sizes = noise.prefix_tokens
    best = min(range(1, len(steps) + 1), key=lambda n: abs(room - sizes[n - 1]))
    return noise if best == len(steps) else noise.up_to(best)
