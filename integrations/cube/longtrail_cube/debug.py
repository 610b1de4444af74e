"""What `cube test longtrail` plays: the reference solutions of two tasks of each suite."""

from collections.abc import Callable, Iterator
from typing import Any

from cube.core import Action, ActionSchema, Observation

from longtrail.environment.cases import suite_cases
from longtrail.environment.episode import reference_actions
from longtrail_cube.benchmark import TASKS, LongtrailConfig

SHORT = (
    *("PW-049", "PW-065"),
    *("FCSV_medium_005", "fact_source_016"),
    *("discogs_lowest_price", "mbta_red_line"),
    *("rottentomatoes_cheapest_theater", "apple_store_of_session"),
)
"""Tasks whose reference solutions take at most 20 steps, as many as `cube test` plays."""


def get_debug_benchmark() -> LongtrailConfig:
    """The benchmark with these tasks."""
    return LongtrailConfig().subset_from_list(SHORT)


def make_debug_agent(task_id: str) -> Callable[[Observation, list[ActionSchema]], Action]:
    """An agent that repeats the reference solution of a task."""
    moves = _moves(task_id)
    return lambda obs, actions: next(moves)  # noqa: ARG005 (it knows what to do)


def _moves(task_id: str) -> Iterator[Action]:
    cases = suite_cases(TASKS[task_id].suite).values()
    for action in reference_actions(next(planned for planned in cases if planned.task.id == task_id)):
        fields: dict[str, Any] = action.model_dump(mode="json", exclude={"type"}, exclude_defaults=True)
        yield Action(name=action.type, arguments=fields)
