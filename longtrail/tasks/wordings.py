"""Wordings: other ways to ask for the same, so that a variant does not repeat the public request.

`data/wordings/SUITE/FILE.yaml` has them for tasks of `data/tasks/SUITE/FILE.yaml`: a mapping from a task's id to a
list. A wording of a decision task is the text of its `trigger`; one of a long-context task is a mapping with the
instructions of its parts, `a1` and `a2`. A wording tells exactly what the shipped request tells: the same people,
numbers, addresses and quotations.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import DATA, TASKS
from longtrail.tasks.loading import read_entries
from longtrail.yaml_file import read_yaml

WORDINGS = DATA / "wordings"


def requests(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Each entry of a shipped file of tasks by id, once for each wording of its request, the shipped one first. Raises
    DataError."""
    entries = dict(read_entries(file))
    others = wordings(WORDINGS / file.relative_to(TASKS), entries)
    return {
        name: [entry, *(_reworded(entry, other) for other in others.get(name, ()))] for name, entry in entries.items()
    }


def _reworded(entry: Mapping[str, Any], wording: Any) -> dict[str, Any]:
    if isinstance(wording, str):
        return {**entry, "trigger": wording}
    return {**entry, **{part: {**entry[part], "instruction": text} for part, text in wording.items()}}


def wordings(path: Path, entries: Mapping[str, Any]) -> Mapping[str, list[Any]]:
    """Id of one of these tasks -> the other wordings of its request; empty if there is no file `path`. Raises
    DataError."""
    if not path.is_file():
        return {}
    given: dict[str, list[Any]] = read_yaml(path)
    for name, texts in given.items():
        if name not in entries:
            raise DataError(path, name, "no task of this file has this id")
        expected = str if "trigger" in entries[name] else dict
        if not isinstance(texts, list) or not all(isinstance(text, expected) for text in texts):
            raise DataError(path, name, f"expected a list of {'texts' if expected is str else 'mappings with a1, a2'}")
        if expected is dict and any(set(text) - {"a1", "a2"} for text in texts):
            raise DataError(path, name, "expected the instructions of a1 and a2")
    return given
