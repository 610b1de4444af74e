"""The noise pool: recorded trajectories of other tasks, one JSON object a line."""

import hashlib
import json
from collections.abc import Iterable
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path

from pydantic import ValidationError

from longtrail.errors import DataError
from longtrail.llm.tokens import count
from longtrail.paths import NOISE, NOTICE, write_file
from longtrail.records.memory import PastTask, render_episode, render_step
from longtrail.records.record import Record

POOL = NOISE / "pool.jsonl"
"""The pool that ships."""
LOOKALIKES = NOISE / "interference.jsonl"
"""The entries that can be confused with a task's first part (`tasks/interference.py`)."""
TICKETS = NOISE / "tickets.jsonl"
"""Entries in which other tickets of the shop's and the forum's desk were looked into."""
_CANARY_LINE = json.dumps({"canary": NOTICE})


class NoiseTrajectory(Record):
    """One recorded trajectory: a task on some site as it appears in an agent's history."""

    id: str
    host: str
    topics: tuple[str, ...]
    episode: PastTask
    ended_at: str = ""
    """Where its last action led, if recorded (published trajectories)."""

    @property
    def uncut_id(self) -> str:
        """Id of the trajectory that this one was cut from; its own id if it was not cut."""
        return self.id.partition("#")[0]

    @property
    def last_url(self) -> str:
        """Where the browser was at its end, if recorded."""
        return next(iter(self.last_urls), "")

    @property
    def last_urls(self) -> tuple[str, ...]:
        """Every recorded address, the last one first."""
        return tuple(filter(None, (self.ended_at, *(step.url for step in reversed(self.episode.steps)))))

    @cached_property
    def text(self) -> str:
        """Its text in a history."""
        return render_episode(self.episode)

    @cached_property
    def said(self) -> str:
        """What its user and its agent wrote, without the words of the pages."""
        bare = (step.model_copy(update={"seen": ""}) for step in self.episode.steps)
        return render_episode(PastTask(instruction=self.episode.instruction, steps=tuple(bare)))

    @property
    def tokens(self) -> int:
        """Length of its text in cl100k tokens. Lengths can be added, because texts end in empty lines, which no token
        crosses."""
        return self.prefix_tokens[-1]

    @cached_property
    def prefix_tokens(self) -> tuple[int, ...]:
        """Length of the text when it is cut after the first, second ... last step."""
        head = count(f"Task: {self.episode.instruction}\n")
        steps = [count(render_step(number, step)) for number, step in enumerate(self.episode.steps, 1)]
        return tuple(accumulate(steps, initial=head + 1))[1:]

    def up_to(self, steps: int) -> "NoiseTrajectory":
        """The same trajectory, cut after this number of steps."""
        episode = PastTask(instruction=self.episode.instruction, steps=self.episode.steps[:steps])
        return NoiseTrajectory(id=f"{self.id}#{steps}", host=self.host, topics=self.topics, episode=episode)


class NoisePool(Record):
    """Every trajectory that may be injected."""

    trajectories: tuple[NoiseTrajectory, ...]
    sha256: str
    """Checksum of the pool's file (12 hex digits)."""

    def __hash__(self) -> int:
        return hash(self.sha256)

    @property
    def tokens(self) -> int:
        """Length of the whole pool."""
        return sum(trajectory.tokens for trajectory in self.trajectories)


def load_pool(path: Path = POOL) -> NoisePool:
    """Read a pool. Raises DataError with the line that is wrong."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(path, "", f"can't be read: {error.strerror}") from error
    trajectories: list[NoiseTrajectory] = []
    seen: set[str] = set()
    for number, line in enumerate(raw.decode("utf-8").splitlines(), 1):
        if line == _CANARY_LINE:
            continue
        try:
            trajectory = NoiseTrajectory.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join([f"line {number}", *(str(part) for part in first["loc"])])
            raise DataError(path, field, first["msg"]) from error
        if trajectory.id in seen:
            raise DataError(path, f"line {number}.id", f"{trajectory.id!r} is given twice")
        if not trajectory.episode.steps:
            raise DataError(path, f"line {number}.episode.steps", "expected at least one step")
        seen.add(trajectory.id)
        trajectories.append(trajectory)
    if not trajectories:
        raise DataError(path, "", "expected at least one trajectory")
    return NoisePool(trajectories=tuple(trajectories), sha256=hashlib.sha256(raw).hexdigest()[:12])


@cache
def shipped_pool() -> NoisePool:
    """The shipped noise, read once per process."""
    return load_pool()


@cache
def tickets() -> tuple[NoiseTrajectory, ...]:
    """The tickets of both desks that were looked into."""
    return load_pool(TICKETS).trajectories


@cache
def lookalikes(task_id: str) -> tuple[NoiseTrajectory, ...]:
    """The entries that can be confused with a task's first part; none for a task without interference."""
    return tuple(entry for entry in _all_lookalikes() if entry.id.rpartition("_")[0] == task_id)


@cache
def _all_lookalikes() -> tuple[NoiseTrajectory, ...]:
    return load_pool(LOOKALIKES).trajectories


def save_pool(trajectories: Iterable[NoiseTrajectory], path: Path) -> None:
    """Write a pool, sorted by id, so that equal pools give identical files. Raises UsageError."""
    lines = [
        json.dumps(
            trajectory.model_dump(mode="json", exclude=None if trajectory.ended_at else {"ended_at"}),
            ensure_ascii=False,
        )
        for trajectory in sorted(trajectories, key=lambda t: t.id)
    ]
    write_file(path, "\n".join([_CANARY_LINE, *lines]) + "\n")
