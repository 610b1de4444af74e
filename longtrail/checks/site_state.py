"""Site state: was the decision carried out in the site, and was anything else changed?"""

from collections.abc import Sequence
from typing import Any

from longtrail.records.record import Record
from longtrail.records.trajectory import Change
from longtrail.text.folding import glob

CENT = 0.005
"""Numbers that differ by less than this are equal (money is in cents)."""


class StateCheck(Record):
    """A change that must be (or, in `allowed`, may be) among the world's changes."""

    site: str
    table: str
    match: dict[str, Any] = {}
    """Columns of the row after the change and their values. A string may hold `*` for any run of characters; of a
    list, one value must match."""
    at_most: int | None = None
    """In `allowed`: the maximum number of such changes; None: any number."""
    says: str = ""
    """The change in words, for reports."""

    def fits(self, change: Change) -> bool:
        """Whether a change matches. A deleted row has no columns left, so it matches only without `match`."""
        row = change.after or {}
        return (
            change.site == self.site
            and change.table == self.table
            and all(column in row and equal(wanted, row[column]) for column, wanted in self.match.items())
        )

    @property
    def label(self) -> str:
        """Its name in reports."""
        return self.says or f"{self.site}.{self.table} {self.match or ''}".strip()


class StateVerdict(Record):
    """The verdict on the site's final state."""

    executed: bool
    """Whether every required change was made, and no other."""
    done: tuple[str, ...]
    missing: tuple[str, ...]
    unwanted: tuple[str, ...]
    """Changes that are neither required nor allowed: `site.table key: column before -> after`."""

    @property
    def reason(self) -> str:
        """The verdict in one line."""
        faults = [f"missing: {'; '.join(self.missing)}"] if self.missing else []
        faults += [f"unwanted: {'; '.join(self.unwanted)}"] if self.unwanted else []
        success = f"done: {'; '.join(self.done)}" if self.done else "no change was required, none was made"
        return " | ".join(faults) or success


def evaluate(
    due: Sequence[StateCheck],
    allowed: Sequence[StateCheck],
    changes: Sequence[Change],
    never: Sequence[StateCheck] = (),
) -> StateVerdict:
    """Compare the world's changes with those that the decision requires. `never`: changes that are wrong in every case.

    Each check accounts for one change, the most specific check first: a second refund is not covered by the first.
    """
    wrong = [(change, check) for change in changes if (check := next((c for c in never if c.fits(change)), None))]
    left = [change for change in changes if change not in [each for each, _ in wrong]]
    done: set[int] = set()
    for index in sorted(range(len(due)), key=lambda i: (-len(due[i].match), i)):
        match = next((change for change in left if due[index].fits(change)), None)
        if match is not None:
            left.remove(match)
            done.add(index)
    unwanted = _not_allowed(left, allowed)
    return StateVerdict(
        executed=len(done) == len(due) and not unwanted and not wrong,
        done=tuple(check.label for index, check in enumerate(due) if index in done),
        missing=tuple(check.label for index, check in enumerate(due) if index not in done),
        unwanted=(
            *(f"{_description(change)} ({check.label})" for change, check in wrong),
            *(_description(change) for change in unwanted),
        ),
    )


def _not_allowed(changes: Sequence[Change], allowed: Sequence[StateCheck]) -> list[Change]:
    """The changes that no check allows, or that are more than a check allows."""
    counts = [0] * len(allowed)
    unwanted = []
    for change in changes:
        fitting = (index for index, check in enumerate(allowed) if check.fits(change))
        room = (at for at in fitting if (most := allowed[at].at_most) is None or counts[at] < most)
        place = next(room, None)
        if place is None:
            unwanted.append(change)
        else:
            counts[place] += 1
    return unwanted


def equal(wanted: Any, value: Any) -> bool:
    """Whether a value matches: one of a list, a text with `*` for any characters, or a number."""
    if isinstance(wanted, list | tuple):
        return any(equal(each, value) for each in wanted)
    if isinstance(wanted, str):
        return value is not None and glob(wanted, str(value))
    if isinstance(wanted, int | float) and isinstance(value, int | float):
        return abs(wanted - value) < CENT
    return bool(wanted == value)


def _description(change: Change) -> str:
    where = f"{change.site}.{change.table} {change.key}"
    if change.before is None:
        return f"{where}: new"
    if change.after is None:
        return f"{where}: deleted"
    columns = [name for name in change.after if change.before.get(name) != change.after[name]]
    values = ", ".join(f"{name} {change.before.get(name)!r:.40} -> {change.after[name]!r:.40}" for name in columns)
    return f"{where}: {values}"
