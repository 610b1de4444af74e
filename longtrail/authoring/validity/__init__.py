"""Validity: what makes a set of tasks fair, as rules on the tasks and their world.

A rule returns findings; an empty result means no fault. `longtrail validate` and the tests run the same rules.
`workshop/validity` has those that need the sites' written rules as code, or that concern only the shipped data.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from longtrail.tasks.task import DecisionTask, LongContextTask
from longtrail.web.site import SourceTransform


class ValidityFinding(NamedTuple):
    """One fault: the task, the field, and what was expected. Without a task it concerns the whole suite."""

    field: str
    message: str
    tasks: tuple[str, ...] = ()


CaseRule = Callable[[DecisionTask], Iterator[ValidityFinding]]
"""A rule on one decision task."""
LongContextRule = Callable[[LongContextTask], Iterator[ValidityFinding]]
"""A rule on one long-context task."""
SiteRule = Callable[[LongContextTask, SourceTransform], Iterator[ValidityFinding]]
"""A rule on one long-context task and its embedded site, as it is in a variant."""
