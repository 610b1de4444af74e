"""Choices: other things that a long-context task can ask for on the same site, one of which a variant plays.

The entry of a task is its first choice, the one that is shipped. `choices` lists the others: another city, team, filter
or page. A choice says only what differs from the entry. Its keys are of two kinds:

    text    A text of the entry -> the text that replaces it everywhere in the entry: in instructions, facts, key
            steps, references, answers and end states. Only whole words are replaced, the longest text first.
    field   The path of a field (`a1.asks`, `a2.key_steps.saved.holds`, `a1.reference.-1.finish`) -> its new value.
            An element of a list is named by its `name` or `id`, or by its number.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longtrail.errors import DataError

FIELD = "choices"
_PATH = re.compile(r"(?:a1|a2|carry)\.[\w.-]+|title|topics|carry")
_FIXED = frozenset({"suite", "id", "number", "host", "difficulty", FIELD})
"""Fields that are the same in every choice."""


def shipped_choice(entry: Any) -> Any:
    """An entry without its other choices."""
    return {key: value for key, value in entry.items() if key != FIELD} if isinstance(entry, dict) else entry


def other_choices(entry: Any, file: Path | str) -> list[dict[str, Any]]:
    """The entry with each of its other choices; none if it has none. Raises DataError if a choice names a text or a
    field that the entry doesn't have."""
    if not isinstance(entry, dict):
        return []
    return [
        _chosen(entry, choice, file, f"{entry.get('id')}.{FIELD}.{number}")
        for number, choice in enumerate(entry.get(FIELD, ()))
    ]


def _chosen(entry: Mapping[str, Any], choice: Mapping[Any, Any], file: Path | str, at: str) -> dict[str, Any]:
    changes = {str(key): value for key, value in choice.items()}
    fields = {key: value for key, value in changes.items() if _PATH.fullmatch(key)}
    texts = {key: str(value) for key, value in changes.items() if key not in fields}
    used: set[str] = set()
    chosen: dict[str, Any] = {
        key: value if key in _FIXED else _replaced(value, texts, used) for key, value in entry.items() if key != FIELD
    }
    if unused := sorted(texts.keys() - used):
        raise DataError(file, at, f"the task has no text {unused[0]!r}")
    for path, value in fields.items():
        _set(chosen, path, value, file, at)
    return chosen


def _replaced(value: Any, texts: Mapping[str, str], used: set[str]) -> Any:
    """A tree with all texts replaced, those of keys included. `used`: collects the texts that were there."""
    if isinstance(value, str):
        return _replaced_text(value, texts, used)
    if isinstance(value, Mapping):
        return {_replaced(key, texts, used): _replaced(each, texts, used) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, texts, used) for each in value]
    return value


def _replaced_text(text: str, texts: Mapping[str, str], used: set[str]) -> str:
    def new(match: re.Match[str]) -> str:
        used.add(match[0])
        return texts[match[0]]

    words = "|".join(re.escape(each) for each in sorted(texts, key=len, reverse=True))
    return re.sub(rf"(?<![^\W_])(?:{words})(?![^\W_])", new, text) if words else text


def _set(entry: dict[str, Any], path: str, value: Any, file: Path | str, at: str) -> None:
    *parents, last = path.split(".")
    try:
        place: Any = entry
        for name in parents:
            place = place[_key(place, name)]
        key = _key(place, last)
        if isinstance(place, list):
            place[key]  # an element that is not there can't be replaced
        place[key] = value
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise DataError(file, at, f"the task has no field {path}") from error


def _key(place: Any, name: str) -> Any:
    """The key of a mapping, or the index of a list's element of this name, id or number."""
    if not isinstance(place, list):
        return name
    named = (i for i, each in enumerate(place) if isinstance(each, dict) and name in (each.get("name"), each.get("id")))
    index = next(named, None)
    return int(name) if index is None else index
