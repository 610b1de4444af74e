"""Reading: one value read from a user's own app at the end of an episode."""

from typing import Any

from longtrail.records.record import Record


class Reading(Record):
    """The value that a key step asks for, as JSON."""

    name: str
    """The key step's name."""
    value: Any
    note: str = ""
