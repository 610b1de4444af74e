"""Check tasks with all rules: `python -m workshop.validity [PATH]`. Without a path: the shipped tasks; with
`--variant SEED`: these in a variant; with `--shifts N`: so many generated shifts of each domain.

Prints `file: field: message` for each fault, and ends with 1 if there are any.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from longtrail.authoring.validity import ValidityFinding, check
from longtrail.errors import LongtrailError
from longtrail.paths import TASKS
from longtrail.records.case import DECISION
from longtrail.tasks.shifts.plans import DOMAINS
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.variants.variant import variant
from workshop.sets.prompt_leaks import prompts_tell_nothing
from workshop.sets.rules import twins_are_twins
from workshop.validity.interference_rules import interference_is_fair
from workshop.validity.policy_rules import POLICY_RULES
from workshop.validity.shift_policies import decisions_follow
from workshop.validity.shift_rules import generated, shift_findings


def findings(tasks: Mapping[str, Task], wanted: set[str], *, varied: bool = False) -> Iterator[ValidityFinding]:
    """What the rules of this folder find in the wanted tasks, in addition to `longtrail validate`."""
    for name in sorted(wanted):
        task = tasks[name]
        if isinstance(task, LongContextTask) and not varied:
            yield from interference_is_fair(task)
        elif isinstance(task, DecisionTask):
            yield from (finding for rule in POLICY_RULES for finding in rule(task))
    for suite in DECISION:
        members = {n: task for n, task in tasks.items() if isinstance(task, DecisionTask) and task.suite == suite}
        yield from (finding for finding in twins_are_twins(members) if wanted & {*finding.tasks})
        yield from prompts_tell_nothing({name: task for name, task in members.items() if name in wanted})


def faults_of_file(path: Path) -> Iterator[str]:
    """The faults of the tasks in a file, or in all files of a folder."""
    own_tasks = check.read_own(path)
    yield from check.finding_lines(path, own_tasks)
    for finding in findings(check.with_shipped(own_tasks), set(own_tasks)):
        yield from check.located(finding, path, own_tasks)


def faults_of_variant(seed: int) -> Iterator[str]:
    """The faults of the shipped tasks in a variant."""
    varied = variant(seed)
    wanted = {*varied.tasks}
    yield from _lines(check.findings(varied.tasks, wanted, varied))
    yield from _lines(findings(varied.tasks, wanted, varied=True))


def faults_of_shifts(number: int) -> Iterator[str]:
    """The faults of so many newly generated shifts of each domain."""
    for task in (task for domain in DOMAINS for task in generated(domain, number)):
        yield from _lines(shift_findings(task))
        yield from _lines(decisions_follow(task))


def _lines(found: Iterator[ValidityFinding]) -> Iterator[str]:
    yield from (f"{'.'.join(filter(None, (','.join(f.tasks), f.field)))}: {f.message}" for f in found)


def main(args: list[str]) -> int:
    """Print the faults; 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m workshop.validity", description=__doc__)
    parser.add_argument("path", type=Path, nargs="?", default=TASKS)
    parser.add_argument("--variant", type=int)
    parser.add_argument("--shifts", type=int)
    given = parser.parse_args(args)
    faults = 0
    try:
        if given.variant is not None:
            lines = faults_of_variant(given.variant)
        elif given.shifts is not None:
            lines = faults_of_shifts(given.shifts)
        else:
            lines = faults_of_file(given.path)
        for line in lines:
            print(line, flush=True)
            faults += 1
    except LongtrailError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{faults} faults", file=sys.stderr)
    return min(faults, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
