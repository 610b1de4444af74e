"""Wordings: other ways to ask for the same, so that a variant does not repeat the public request.

`data/wordings/SUITE/FILE.yaml` has them for tasks of `data/tasks/SUITE/FILE.yaml`: a mapping from a task's id to a
list. A wording of a decision task is the text of its `trigger`; one of a long-context task is a mapping with the
instructions of its parts, `a1` and `a2`. A wording tells exactly what the shipped request tells: the same people,
numbers, addresses and quotations.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import DATA, TASKS
from longtrail.tasks.loading import read_entries
from longtrail.yaml_file import read_yaml

WORDINGS = DATA / "wordings"


def requests(entry: Mapping[str, Any], file: Path) -> list[dict[str, Any]]:
    """A shipped task's entry with each wording of its request, the shipped one first. Raises DataError."""
    others = wordings(WORDINGS / file.relative_to(TASKS), file).get(entry["id"], ())
    return [dict(entry), *(_reworded(entry, other) for other in others)]


def _reworded(entry: Mapping[str, Any], wording: Any) -> dict[str, Any]:
    if isinstance(wording, str):
        return {**entry, "trigger": wording}
    return {**entry, **{part: {**entry[part], "instruction": text} for part, text in wording.items()}}


@cache
def wordings(path: Path, tasks: Path) -> Mapping[str, list[Any]]:
    """Id of a task of the file `tasks` -> the other wordings of its request; empty if there is no file `path`.
    Raises DataError."""
    if not path.is_file():
        return {}
    given: dict[str, list[Any]] = read_yaml(path)
    known = dict(read_entries(tasks))
    for name, texts in given.items():
        if name not in known:
            raise DataError(path, name, "no task of this file has this id")
        expected = str if "trigger" in known[name] else dict
        if not isinstance(texts, list) or not all(isinstance(text, expected) for text in texts):
            raise DataError(path, name, f"expected a list of {'texts' if expected is str else 'mappings with a1, a2'}")
        if expected is dict and any(set(text) - {"a1", "a2"} for text in texts):
            raise DataError(path, name, "expected the instructions of a1 and a2")
    return given
