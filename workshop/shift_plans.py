"""Prints the plans of the shipped shifts: `python -m workshop.shift_plans DOMAIN` (`shop` or `forum`)."""

import sys
from collections.abc import Sequence

from longtrail.paths import NOTICE
from longtrail.tasks.shifts.plans import generate
from longtrail.tasks.shifts.shift import SIZES, Domain, ShiftTask

SHIPPED = 12
"""Shipped shifts of each domain and size."""


def is_hard(size: int, number: int) -> bool:
    """Whether a shipped shift is a hard one: the second half of each size but the smallest."""
    return size > SIZES[0] and number > SHIPPED // 2


def name_of(domain: Domain, size: int, number: int) -> str:
    """The id of a shipped shift."""
    return f"shift-{domain}-{size}-{number:02d}"


def shipped_plan(domain: Domain, size: int, number: int) -> ShiftTask:
    """The plan of a shipped shift."""
    return generate(domain, size, number, name_of(domain, size, number), hard=is_hard(size, number))


def shipped(domain: Domain) -> Sequence[ShiftTask]:
    """The plans of the shipped shifts."""
    return [shipped_plan(domain, size, number) for size in SIZES for number in range(1, SHIPPED + 1)]


def as_yaml(task: ShiftTask) -> str:
    """A plan as an entry of a YAML file: one line for each family."""
    fields = f"suite: {task.suite}, id: {task.id}, size: {task.size}, seed: {task.seed}, changed: {task.changed}"
    fields += ", hard: true" if task.hard else ""
    head = f"- {{{fields}, families: ["
    lines = [
        f"    {{family: {place.family}, at: {list(place.at)}, outcome: {place.outcome}, wording: {place.wording}}},"
        for place in task.families
    ]
    return "\n".join([head, *lines, "  ]}"])


if __name__ == "__main__":
    print(f"# {NOTICE}")
    print("# The plans of the shipped shifts, printed by `python -m workshop.shift_plans DOMAIN`.")
    print(*(as_yaml(task) for task in shipped("shop" if sys.argv[1:] == ["shop"] else "forum")), sep="\n")
