"""Variants: the shipped tasks with other people, numbers, prices and places, made from a seed.

Without a seed, none of this package's modules is loaded.
"""

from collections.abc import Mapping

from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task
from longtrail.web.site import SourceTransform, as_shipped


def shipped_tasks(seed: int | None = None) -> Mapping[str, Task]:
    """All shipped tasks by id, in the variant of a seed if there is one. Raises DataError."""
    if seed is None:
        return load_tasks()
    from longtrail.variants.variant import variant

    return variant(seed).tasks


def vary(seed: int | None = None) -> SourceTransform:
    """How the sources of worlds change in the variant of a seed."""
    if seed is None:
        return as_shipped
    from longtrail.variants.variant import variant

    return variant(seed)
