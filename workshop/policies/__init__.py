"""The two worlds' written rules as code, to check that each task's facts determine its decision."""

from collections.abc import Callable, Mapping
from typing import Any

from longtrail.records.trajectory import Suite
from workshop.policies import forum, forum_hard, shop

DECIDE: Mapping[Suite, Callable[[Mapping[str, Any]], Any]] = {
    "shopping_admin": shop.decide,
    "hard_shop": shop.decide,
    "reddit": forum.decide,
    "hard_forum": forum_hard.decide,
}
"""Suite -> what its rules decide from a task's `policy`."""
