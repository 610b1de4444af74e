"""Units: what one worker plays together. All lengths of a long-context task share a first part, which is played once;
any other case is a unit of its own.
"""

from collections.abc import Sequence

from longtrail.records.case import LONG
from longtrail.tasks.cases import Planned


def units(cases: Sequence[Planned]) -> dict[str, str]:
    """Id of each long-context case -> the key of its first part: contender, task and repeat."""
    return {planned.case.id: unit_of(planned) for planned in cases if planned.case.suite in LONG}


def unit_of(planned: Planned) -> str:
    """The name of a case's unit."""
    if planned.case.suite not in LONG:
        return planned.case.id
    return f"{_label(planned)} {planned.task.id} {planned.case.repeat}"


def _label(planned: Planned) -> str:
    return planned.contender.label if planned.contender else ""
