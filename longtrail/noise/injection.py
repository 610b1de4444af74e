"""A history of N tokens (within 1 %), made of the first part and irrelevant trajectories after it, or before
and after it."""

import hashlib
import random
from collections.abc import Callable, Sequence
from itertools import accumulate

from longtrail.checks.hosts import host_of
from longtrail.errors import UsageError
from longtrail.llm.tokens import count, tokenizer_name
from longtrail.noise.pool import NoisePool, NoiseTrajectory, tickets
from longtrail.noise.selection import one_person, orthogonal, same_desk, shuffled, similar
from longtrail.records.case import NeedlePlace, NoiseKind
from longtrail.records.memory import PastTask, render_episode, render_history
from longtrail.records.record import Record
from longtrail.records.trajectory import History
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask

TOLERANCE = 0.01
"""The counted length is within this share of the target."""
REPLACED = 3
"""At most so many of the last trajectories give way to one that makes the length fit."""


class InjectedHistory(Record):
    """The history before the second part."""

    episodes: tuple[PastTask, ...]
    """The whole history: the first part and the noise."""
    history: History
    start: str = ""
    """The address to which the browser is moved, if it is not where the noise ended."""
    first_place: int | None = None
    """Index of the first part in `episodes`; None if there is none."""

    def without(self, host: str) -> "InjectedHistory":
        """The same history without the noise that visits a host; its tokens and checksum are those of what is left."""
        kept_flags = [
            number == self.first_place or not any(host_of(step.url) == host for step in past.steps)
            for number, past in enumerate(self.episodes)
        ]
        episodes = tuple(past for past, is_kept in zip(self.episodes, kept_flags, strict=True) if is_kept)
        noise = [is_kept for number, is_kept in enumerate(kept_flags) if number != self.first_place]
        update = {
            "injected": tuple(name for name, is_kept in zip(self.history.injected, noise, strict=True) if is_kept),
            "tokens": sum(count(render_episode(past)) for past in episodes),
            "sha256": hashlib.sha256(render_history(episodes).encode()).hexdigest(),
        }
        first_place = None if self.first_place is None else sum(kept_flags[: self.first_place])
        history = self.history.model_copy(update=update)
        return self.model_copy(update={"episodes": episodes, "history": history, "first_place": first_place})


Reachable = Callable[[str], bool]
"""Whether this web has a site at an address. Noise pools made elsewhere may name sites that it doesn't have."""


def inject(
    task: LongContextTask | DecisionTask,
    first: PastTask | None,
    pool: Callable[[], NoisePool],
    target: int,
    seed: int,
    reachable: Reachable = lambda _: True,
    *,
    kind: NoiseKind = "orthogonal",
    needle: NeedlePlace = "first",
    alike: Sequence[NoiseTrajectory] = (),
) -> InjectedHistory:
    """The first part, if there is one, and noise, `target` tokens together. Deterministic by (task, target, seed).

    `alike`: entries that can be confused with the first part; all of them are in the history, in places that are drawn.
    A target of 0 injects nothing. One person can have asked for all of it, as long as the pool has enough. Trajectories
    are whole; the last one is cut only where the pool has none of a length
    that fits. The noise ends with a trajectory on another site, and the browser starts where that one ended. Raises
    UsageError where the pool is too small or the first part alone is too long.
    """
    first_tokens = count(render_episode(first)) if first else 0
    chosen: list[NoiseTrajectory] = []
    length = first_tokens
    similar_ids: frozenset[str] = frozenset()
    if target:
        room = target - first_tokens - sum(entry.tokens for entry in alike)
        if room < 0:
            has = "the first part alone has" if not alike else "the first part and what can be confused with it have"
            raise UsageError(f"{task.id}: {has} {target - room} tokens; at most {target} are asked for")
        order = shuffled(orthogonal(task, pool()), task.id, seed)
        own_site = shuffled(_own_site(task, pool(), kind), task.id, seed)
        similar_ids = frozenset(noise.id for noise in own_site)
        order = _in_turns(own_site, order)
        person, strangers = one_person(order, task.id)
        last = [noise for noise in person if noise.id not in similar_ids]
        filled = _fill([*person, *strangers], last, room, TOLERANCE * target / 2)
        chosen = _spread(alike, filled, f"alike:{task.id}:{target}:{seed}")
        length += sum(noise.tokens for noise in chosen)
        if abs(length - target) > TOLERANCE * target:
            available = first_tokens + sum(noise.tokens for noise in order)
            raise UsageError(
                f"{task.id}: can't fill {target} tokens within {TOLERANCE:.0%} (reached {length}; the noise pool holds "
                f"{available} tokens that are irrelevant to this task): ask for shorter --lengths or give --noise-pool"
            )
    first_place = _needle_index(chosen, needle, task, f"needle:{target}:{seed}")
    before, after = chosen[:first_place], chosen[first_place:]
    episodes = (*(noise.episode for noise in before), *((first,) if first else ()), *(noise.episode for noise in after))
    own_ids = similar_ids | {entry.id for entry in alike}
    other_sites = [noise for noise in chosen if noise.uncut_id not in own_ids]
    return InjectedHistory(
        episodes=episodes,
        first_place=len(before) if first else None,
        history=History(
            target_tokens=target,
            tokens=length,
            tokenizer=tokenizer_name(),
            injected=tuple(noise.id for noise in chosen),
            similar=tuple(noise.id for noise in chosen if noise.uncut_id in similar_ids),
            lookalikes=tuple(noise.id for noise in chosen if noise.id in {entry.id for entry in alike}),
            before=sum(noise.tokens for noise in before),
            last_url=_last(other_sites, reachable) or task.start if chosen else "",
            sha256=hashlib.sha256(render_history(episodes).encode()).hexdigest(),
        ),
    )


def _own_site(task: LongContextTask | DecisionTask, pool: NoisePool, kind: NoiseKind) -> tuple[NoiseTrajectory, ...]:
    """The noise on the task's own site: a decision task has other tickets of its desk. Raises UsageError."""
    if isinstance(task, DecisionTask):
        return same_desk(task, tickets())
    if kind == "orthogonal":
        return ()
    if not (found := similar(task, pool)):
        raise UsageError(
            f"--noise similar: {task.id}: the noise pool holds no trajectory on {task.host} "
            "that differs clearly from the task's first part"
        )
    return found


def _needle_index(
    chosen: Sequence[NoiseTrajectory], needle: NeedlePlace, task: LongContextTask | DecisionTask, seed: str
) -> int:
    """How many trajectories come before the first part."""
    if needle in ("first", "last"):
        return len(chosen) if needle == "last" else 0
    depth = _drawn_depth(task.id, task.suite, seed) if needle == "random" else 0.5
    lengths = list(accumulate((noise.tokens for noise in chosen), initial=0))
    return min(range(len(lengths)), key=lambda index: abs(lengths[index] - depth * lengths[-1]))


def _drawn_depth(task_id: str, suite: str, seed: str) -> float:
    """A share of the noise, 0 to 1. The shipped tasks of a suite have evenly spread ones, in an order that the seed
    draws."""
    ids = sorted(name for name, task in load_tasks().items() if task.suite == suite)
    draw = random.Random(f"{seed}:{suite}")  # noqa: S311 (a seeded choice, no secret)
    if task_id not in ids:
        return random.Random(f"{seed}:{task_id}").random()  # noqa: S311
    order = draw.sample(ids, len(ids))
    return (order.index(task_id) + 0.5) / len(ids)


def _spread(alike: Sequence[NoiseTrajectory], noise: list[NoiseTrajectory], seed: str) -> list[NoiseTrajectory]:
    """The noise with these entries in drawn places, but not after the last trajectory."""
    draw = random.Random(seed)  # noqa: S311 (a seeded choice, no secret)
    spread = list(noise)
    for entry in draw.sample(alike, len(alike)):
        spread.insert(draw.randrange(max(1, len(spread))), entry)
    return spread


def _in_turns(first: Sequence[NoiseTrajectory], second: Sequence[NoiseTrajectory]) -> list[NoiseTrajectory]:
    """Alternate between the two until one is used up; then the rest of the other."""
    pairs = min(len(first), len(second))
    mixed = [noise for pair in zip(first, second, strict=False) for noise in pair]
    return [*mixed, *first[pairs:], *second[pairs:]]


def elsewhere(task: LongContextTask, pool: NoisePool, seed: int, reachable: Reachable = lambda _: True) -> str:
    """The address that the `relocated` control goes to: the end of some irrelevant trajectory."""
    order = shuffled(orthogonal(task, pool), task.id, seed)
    ends = (url for noise in order if (url := _last([noise], reachable)))
    if (address := next(ends, None)) is None:
        raise UsageError(f"{task.id}: the noise pool holds no trajectory that is irrelevant to this task")
    return address


def _last(chosen: Sequence[NoiseTrajectory], reachable: Reachable) -> str:
    """The last address in this noise that the browser can open."""
    return next((url for noise in reversed(chosen) for url in noise.last_urls if reachable(url)), "")


def _fill(
    order: Sequence[NoiseTrajectory], others: Sequence[NoiseTrajectory], room: int, slack: float
) -> list[NoiseTrajectory]:
    """Trajectories of `room` tokens in total, within `slack`, in this order as far as possible. The last one is one of
    `others`; it is cut only if none of them has a fitting length."""
    chosen: list[NoiseTrajectory] = []
    left = room
    for noise in order:
        if noise.tokens > left:
            break
        chosen.append(noise)
        left -= noise.tokens
    kept, rest = list(chosen), left
    for _ in range(REPLACED + 1):
        taken = {noise.id for noise in kept}
        free = [noise for noise in others if noise.id not in taken]
        last = min(free, key=lambda noise: abs(rest - noise.tokens), default=None)
        if last and abs(rest - last.tokens) <= slack:
            return [*kept, last]
        if not kept:
            break
        rest += kept.pop().tokens
    taken = {noise.id for noise in chosen}
    cuts = (_cut(noise, left) for noise in others if noise.id not in taken)
    best: NoiseTrajectory | None = None
    for cut in cuts:
        if abs(left - cut.tokens) < (abs(left - best.tokens) if best else left):
            best = cut
        if best and abs(left - best.tokens) <= slack:
            break
    return [*chosen, best] if best else chosen


def _cut(noise: NoiseTrajectory, room: int) -> NoiseTrajectory:
    """The trajectory up to the step that comes nearest to `room` tokens."""
    steps = noise.episode.steps
    sizes = noise.prefix_tokens
    best = min(range(1, len(steps) + 1), key=lambda n: abs(room - sizes[n - 1]))
    return noise if best == len(steps) else noise.up_to(best)
