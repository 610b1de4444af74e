"""Scheduling: with xdist, all context lengths of a task go to one worker, so that its first part is played once.

Every other case is a unit of its own, as with xdist's `load`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from longtrail.tasks.cases import Planned, case_name


def units(cases: Sequence[Planned]) -> dict[str, str]:
    """Id of each long-context case -> what it shares a first part with: contender, task and repeat."""
    return {
        planned.case.id: f"{_label(planned)} {planned.task.id} {planned.case.repeat}"
        for planned in cases
        if planned.case.suite == "long_context"
    }


def _label(planned: Planned) -> str:
    return planned.contender.label if planned.contender else ""


class FirstPartsTogether(LoadScopeScheduling):  # type: ignore[misc]
    """xdist's scheduling by scope, where a scope is what shares a first part."""

    def __init__(self, config: Any, log: Any, units: Mapping[str, str]) -> None:
        super().__init__(config, log)
        self._units = units

    def _split_scope(self, nodeid: str) -> str:
        return self._units.get(case_name(nodeid), nodeid)
