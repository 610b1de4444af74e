"""Reading: one value read from a user's own app when an episode was over."""

from typing import Any

from longtrail.records.record import Record


class Reading(Record):
    """The value that a key step asks for, as JSON."""

    name: str
    """Of the key step."""
    value: Any
    note: str = ""
