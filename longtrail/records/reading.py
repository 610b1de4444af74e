"""Reading: one value that a user's own app held when an episode was over."""

from typing import Any

from longtrail.records.record import Record


class Reading(Record):
    """What a key step asked for. A value of JSON."""

    name: str
    """Of the key step."""
    value: Any
    note: str = ""
