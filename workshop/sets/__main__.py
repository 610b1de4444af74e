"""Check the shipped decision tasks as sets: `python -m workshop.sets`. Ends with 1 if a rule finds a fault."""

import sys
from collections.abc import Iterator

from longtrail.authoring.validity import ValidityFinding
from longtrail.records.case import DECISION
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from workshop.sets.rules import SET_RULES


def findings() -> Iterator[ValidityFinding]:
    """What the rules find in each suite."""
    tasks = [task for task in load_tasks().values() if isinstance(task, DecisionTask)]
    for suite in DECISION:
        members = {task.id: task for task in tasks if task.suite == suite}
        for rule in SET_RULES.values() if members else ():
            yield from rule(members)


if __name__ == "__main__":
    faults = 0
    for finding in findings():
        print(f"{','.join(finding.tasks)}: {finding.field}: {finding.message}", flush=True)
        faults += 1
    sys.exit(min(faults, 1))
