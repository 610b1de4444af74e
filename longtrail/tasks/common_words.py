"""Common words: phrasings of a fact that fit any case (data/text/findings.yaml), by what the fact settles."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from longtrail.paths import DATA
from longtrail.yaml_file import read_yaml

_FIGURES: Mapping[str, Callable[[float], int | float]] = {
    "value": lambda value: value,
    "one_more": lambda value: value + 1,
    "whole": int,
    "next_whole": lambda value: int(value) + 1,
    "hundreds": lambda value: round(value / 100) * 100,
    "years_of_months": lambda value: int(value // 12),
    "next_year_of_months": lambda value: int(value // 12) + 1,
    "years_of_days": lambda value: int(value // 365.25),
}
"""The placeholders in braces that a phrasing may contain, computed from the value that a fact settles."""
_BRACES = re.compile(r"\{(\w+)\}")


def with_common_words(task: Any) -> Any:
    """A task as in its file, with the common phrasings of what each fact settles in `policy` added to the fact's
    `said`."""
    if not isinstance(task, Mapping) or not isinstance(task.get("facts"), list | tuple):
        return task
    found = task.get("policy", {}).get("found", {}) if isinstance(task.get("policy"), Mapping) else {}
    return {**task, "facts": [_widened(fact, found) for fact in task["facts"]]}


def _widened(fact: Any, found: Any) -> Any:
    if not isinstance(fact, Mapping) or not isinstance(found, Mapping):
        return fact
    said = [*fact.get("said", ())]
    known = {_plain(way) for way in said}
    said += [way for way in _ways(found.get(fact.get("id"))) if _plain(way) not in known]
    return {**fact, "said": said}


def _ways(settled: Any) -> Iterator[Any]:
    """The phrasings of everything that a fact settles: `section -> field -> value`."""
    for section, fields in settled.items() if isinstance(settled, Mapping) else ():
        for name, value in fields.items() if isinstance(fields, Mapping) else ():
            ways = _findings().get(f"{section}.{name}", {})
            yield from ways.get(_key(value), ())
            if isinstance(value, int | float) and not isinstance(value, bool):
                yield from (_filled(way, value) for way in ways.get("any", ()) if _fits(way, value))


def _key(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _fits(way: Any, value: float) -> bool:
    """Whether every computed figure in a phrasing is other than zero: nobody says `0 years old`."""
    names = set(_BRACES.findall(str(way)))
    return all(name == "value" or _FIGURES[name](value) for name in names)


def _filled(way: Any, value: float) -> Any:
    """A phrasing with its figures filled in."""
    if isinstance(way, Mapping):
        return {name: [_filled(each, value) for each in values] for name, values in way.items()}
    if whole := _BRACES.fullmatch(str(way)):
        return _FIGURES[whole[1]](value)
    return _BRACES.sub(lambda found: f"{_FIGURES[found[1]](value):g}", way) if isinstance(way, str) else way


def _plain(way: Any) -> str:
    """A phrasing as text, equal whether it comes from a file or from a dumped task."""
    if not isinstance(way, Mapping):
        return str(way)
    return json.dumps({name: [*map(_alike, values)] for name, values in sorted(way.items()) if values}, default=str)


def _alike(value: Any) -> Any:
    """A value as in a dumped task, where whole numbers are floats."""
    return float(value) if isinstance(value, int) else value


@cache
def _findings() -> dict[str, dict[str, list[Any]]]:
    read: dict[str, dict[Any, list[Any]]] = read_yaml(DATA / "text" / "findings.yaml")
    return {field: {_key(value): ways for value, ways in values.items()} for field, values in read.items()}
