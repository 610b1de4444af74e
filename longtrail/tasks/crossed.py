"""Crossed: the decision tasks that get long histories by default."""

from functools import cache

from pydantic import TypeAdapter

from longtrail.paths import DATA
from longtrail.tasks.loading import read

_SELECTION = TypeAdapter(dict[str, tuple[str, ...]])


@cache
def crossed_selection() -> frozenset[str]:
    """Ids of the 40 tasks, 20 of each suite. Raises DataError."""
    return frozenset(task for tasks in read(_SELECTION, DATA / "crossed.yaml").values() for task in tasks)
