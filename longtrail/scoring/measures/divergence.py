"""Divergence: each step of a decision task against the reference: on the path, near it, or off it."""

from collections.abc import Sequence
from typing import Literal

from longtrail.records.record import Record
from longtrail.records.result import FactResult
from longtrail.records.trajectory import Step

Place = Literal["on_path", "relevant", "diverged"]
OFFSETS: dict[Place, int] = {"on_path": 1, "relevant": 0, "diverged": -1}
"""Lateral offset of a step in drawings."""


class PathComparison(Record):
    """A trajectory compared with the reference path."""

    places: tuple[Place, ...]
    """One label for each step."""
    first_divergence: int | None
    """Number of the first step that was off the path."""
    recovered: bool | None
    """Whether a later step was on the path again; None: no step was off the path."""
    redundancy: float
    """Share of steps whose page state was seen at an earlier step. Bounds [0, 1]."""

    @property
    def offsets(self) -> tuple[int, ...]:
        """+1 on the path, 0 relevant, -1 diverged, for each step."""
        return tuple(OFFSETS[place] for place in self.places)


def path(
    steps: Sequence[Step],
    trail: Sequence[frozenset[str]],
    facts: Sequence[FactResult],
    critical: frozenset[str],
    relevant: frozenset[str],
) -> PathComparison:
    """Compare a decision task's steps with the reference.

    A step is on the path if it showed a new required page or a required fact, or if it was the decision with all facts
    shown. It is relevant if it led to (or stayed on) a critical or relevant page or the start. Otherwise it diverged.
    """
    shown = {fact.delivered for fact in facts if fact.delivered is not None}
    complete = all(fact.delivered is not None for fact in facts)
    seen = (trail[0] & critical) if trail else frozenset()
    start = trail[0] if trail else frozenset()
    places: list[Place] = []
    for index, step in enumerate(steps):
        after = trail[index + 1] if index + 1 < len(trail) else frozenset()
        decides = step.action is not None and step.action.type == "decide"
        if (after & critical) - seen or step.number + 1 in shown or (decides and complete):
            places.append("on_path")
        elif not decides and after & (critical | relevant | start):
            places.append("relevant")
        else:
            places.append("diverged")
        seen |= after & critical
    off = next((index for index, place in enumerate(places) if place == "diverged"), None)
    return PathComparison(
        places=tuple(places),
        first_divergence=None if off is None else steps[off].number,
        recovered=None if off is None else "on_path" in places[off:],
        redundancy=redundancy(steps),
    )


def redundancy(steps: Sequence[Step]) -> float:
    """Share of steps whose page state (address and visible text) was seen at an earlier step. Bounds [0, 1]."""
    states = [(step.observation.url, step.observation.text_hash or step.observation.text) for step in steps]
    return 1 - len(set(states)) / len(states) if states else 0.0
