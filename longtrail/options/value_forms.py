"""Forms of flags' values: context lengths and placements, a shard (`--shard K/N`), and `NAME=ADDRESS` pairs."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from longtrail.checks.hosts import origin_of
from longtrail.errors import UsageError
from longtrail.records.case import Placement
from longtrail.records.record import Record
from longtrail.tasks.cases import RELOCATED

DEFAULT_LENGTHS = "0,relocated,25k,50k,75k,100k,125k,150k"
"""The paper's seven lengths, and the control."""
UNITS = {"": 1, "k": 1_000, "m": 1_000_000}


def read_lengths(text: str) -> tuple[tuple[int, ...], bool]:
    """Lengths in tokens, in order, and whether the `relocated` control is included. Raises UsageError."""
    lengths: list[int] = []
    relocated = False
    for word in filter(None, (part.strip().lower() for part in text.split(","))):
        if word == RELOCATED:
            relocated = True
            continue
        if not (parts := re.fullmatch(r"([0-9]{1,8})([km]?)", word)):
            raise UsageError(f"--lengths: expected numbers such as 0, 25k, 1m, 150000 or {RELOCATED}, got {word!r}")
        lengths.append(int(parts[1]) * UNITS[parts[2]])
    if not lengths and not relocated:
        raise UsageError("--lengths: expected at least one length")
    return tuple(sorted(set(lengths))), relocated


def read_placements(text: str, *, crossed: bool) -> tuple[Placement, ...]:
    """Placements in a fixed order: all if none is named, none if decision tasks have no long histories. Raises
    UsageError."""
    known: tuple[Placement, ...] = get_args(Placement)
    words = {part.strip() for part in text.split(",")} - {""}
    if strange := words - set(known):
        raise UsageError(f"--placement: expected any of {', '.join(known)}, got {', '.join(sorted(strange))}")
    if words and not crossed:
        raise UsageError("--placement: needs --lengths with a length above 0")
    return tuple(name for name in known if name in (words or known)) if crossed else ()


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


def recorded_seconds(given: Path | None, runs: Path) -> Path | None:
    """The results file of `--balance`; `runs`: the folder in which a run given by name is. Raises UsageError if there
    is no such file."""
    if given is None:
        return None
    places = (given, given / "results.jsonl", runs / given / "results.jsonl")
    found = next((path.resolve() for path in places if path.is_file()), None)
    if found is None:
        raise UsageError(f"--balance: there is no finished run {given} (results.jsonl is missing)")
    return found


ADDRESSES = frozenset({"api_base", "base_url"})
"""Arguments of model calls that give the server's address, not its behaviour."""


def without_addresses(option: str, value: Any) -> Any:
    """The value of a recorded option without addresses. They say where something runs, which differs between machines,
    and not what is measured."""
    if not isinstance(value, Mapping):
        return value
    if option in ("sites", "live_hosts"):
        return sorted(value)
    if option in ("model_args", "judge_args"):
        return {name: each for name, each in value.items() if name not in ADDRESSES}
    return value


def pairs(option: str, given: list[str]) -> dict[str, str]:
    """`KEY=VALUE` options as a dictionary. Raises UsageError for any other form."""
    for pair in given:
        if not pair.partition("=")[0] or "=" not in pair:
            raise UsageError(f"{option}: expected KEY=VALUE, got {pair!r}")
    return {key: value for key, _, value in (pair.partition("=") for pair in given)}


def own_sites(given: Any) -> dict[str, str]:
    """Addresses by name. Raises UsageError for an invalid address."""
    sites = pairs("--site", given.site)
    for name, address in sites.items():
        try:
            origin_of(address)
        except ValueError as error:
            raise UsageError(f"--site {name}: {error}") from error
    return {name: address.rstrip("/") for name, address in sites.items()}


def live_hosts(given: Any) -> dict[str, str]:
    """The user's staging sites. Raises UsageError for options that don't fit the chosen web (live or embedded)."""
    hosts = pairs("--live-host", given.live_host)
    if given.web != "live":
        for option, value in (("--live-host", hosts), ("--live-commits", given.live_commits != "hold")):
            if value:
                raise UsageError(f"{option}: needs --web live")
        return hosts
    if given.disruptions is not None:
        raise UsageError("--disruptions: disruptions work only with the embedded web")
    from longtrail.web.live.upstream import mapped

    for name, address in hosts.items():
        mapped(name, address)
    return hosts


def variant_seed(given: Any) -> int | None:
    """The seed of `--variant`. Raises UsageError where there is nothing of ours that could vary."""
    seed: int | None = given.variant
    own = "--tasks (and longtrail_tasks in the ini file)"
    for option, said in (("--web live", given.web == "live"), ("--site", given.site), (own, given.tasks)):
        if seed is not None and said:
            raise UsageError(f"--variant: it changes the shipped tasks and their embedded sites; remove {option}")
    return seed
