"""Loading: the shipped shifts, and fresh ones from a seed (`--variant SEED`)."""

from collections.abc import Mapping
from functools import cache

from pydantic import TypeAdapter

from longtrail.tasks.shifts.families import SHIFTS
from longtrail.tasks.shifts.generate import generate
from longtrail.tasks.shifts.shift import Domain, ShiftTask, twin_of_shift
from longtrail.yaml_file import read

_SHIFTS: TypeAdapter[list[ShiftTask]] = TypeAdapter(list[ShiftTask])
DOMAINS: tuple[Domain, ...] = ("shop", "forum")


@cache
def load_shifts(seed: int | None = None) -> Mapping[str, ShiftTask]:
    """All shipped shifts by id; with a seed, fresh ones of the same sizes under the same ids. Raises DataError."""
    shifts = [shift for domain in DOMAINS for shift in read(_SHIFTS, SHIFTS / domain / "shifts.yaml")]
    if seed is not None:
        shifts = [generate(each.domain, each.size, 1000 * (seed + 1) + each.seed, each.id) for each in shifts]
    return {shift.id: shift for shift in shifts}


def load_shift_twins(seed: int | None = None) -> Mapping[str, ShiftTask]:
    """The twins of all shifts by id. Raises DataError."""
    twins = (twin_of_shift(shift) for shift in load_shifts(seed).values())
    return {twin.id: twin for twin in twins}
