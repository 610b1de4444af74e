"""Shard: which part of a plan one machine plays (`--shard K/N`)."""

import re
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.records.record import Record


class Shard(Record):
    """Part `number` (from 1) of `of`."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """From `K/N`. Raises UsageError for any other text."""
        found = re.fullmatch(r"([1-9]\d{0,4})/([1-9]\d{0,4})", text)
        if not found or int(found[1]) > int(found[2]):
            raise UsageError(f"--shard: expected K/N with K from 1 to N, e.g. 2/4, got {text!r}")
        return cls(number=int(found[1]), of=int(found[2]))

    @property
    def suffix(self) -> str:
        """The suffix of its run's name."""
        return f"-{self.number}of{self.of}"

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def recorded_seconds(given: Path | None, shard: str, runs: Path) -> Path | None:
    """The results file of `--balance`; `runs`: the folder in which a run given by name is. Raises UsageError if there
    is no such file or no `--shard`.
    """
    if given is None:
        return None
    if not shard:
        raise UsageError("--balance: needs --shard")
    places = (given, given / "results.jsonl", runs / given / "results.jsonl")
    found = next((path.resolve() for path in places if path.is_file()), None)
    if found is None:
        raise UsageError(f"--balance: there is no finished run {given} (results.jsonl is missing)")
    return found
