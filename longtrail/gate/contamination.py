"""Contamination: how much better a contender does with the shipped tasks, which it may have read, than with a variant
of them."""

from longtrail.gate.findings import EndpointFinding
from longtrail.records.record import Record
from longtrail.records.trajectory import Suite
from longtrail.runs.manifest import Manifest


class Contamination(Record):
    """The difference shipped - variant of a suite's primary endpoint, paired by task; in [-1, 1]."""

    suite: Suite
    variant: int
    """The variant's seed."""
    difference: float
    low: float
    high: float
    """Its 95 % interval over tasks."""
    tasks: int


def seed_of(manifest: Manifest) -> int | None:
    """The seed of a run's variant; None for the tasks as they ship."""
    seed: int | None = manifest.options.get("variant")
    return seed


def contamination(suite: Suite, primary: EndpointFinding, seeds: tuple[int | None, int | None]) -> Contamination | None:
    """From a comparison's finding (after - before) and the seeds of both runs; None unless exactly one is a variant."""
    before, after = seeds
    if (before is None) == (after is None):
        return None
    if after is not None:
        change, low, high = -primary.change, -primary.high, -primary.low
    else:
        change, low, high = primary.change, primary.low, primary.high
    seed = before if after is None else after
    assert seed is not None
    return Contamination(suite=suite, variant=seed, difference=change, low=low, high=high, tasks=primary.tasks)
