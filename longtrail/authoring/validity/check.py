"""Check: apply all rules to task files, together with the shipped tasks."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from longtrail.authoring.validity import ValidityFinding
from longtrail.authoring.validity.case_rules import APP_RULES, CASE_RULES
from longtrail.authoring.validity.crawl import explore
from longtrail.authoring.validity.long_context_rules import LONG_CONTEXT_RULES, SITE_RULES
from longtrail.authoring.validity.page_rules import PAGE_RULES, SUITE_RULES, ignored_in_variants
from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.case import DECISION
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.loading import load_tasks, read_choices, read_tasks, task_files
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.web.site import SourceTransform, as_shipped


def read_own(path: Path) -> dict[str, tuple[Path, Task]]:
    """The tasks of a file, or of all files below a folder, with the file of each. Raises DataError."""
    if not path.exists():
        raise DataError(path, "", "there is no such file or folder")
    tasks: dict[str, tuple[Path, Task]] = {}
    for file in task_files(path) if path.is_dir() else [path]:
        for task in read_tasks(file):
            if task.id in tasks:
                raise DataError(file, task.id, f"another task has this id, in {tasks[task.id][0]}")
            tasks[task.id] = (file, task)
    if not tasks:
        raise DataError(path, "", "expected tasks, found none")
    return tasks


def finding_lines(path: Path, own_tasks: Mapping[str, tuple[Path, Task]]) -> Iterator[str]:
    """`file: task.field: message` for every finding of the rules in a user's own tasks. Raises DataError.

    `own_tasks` is what `read_own` returns for the path. Rules on the set and on the world also see the shipped tasks: a
    twin, a number or a sentence may be theirs.
    """
    try:
        for finding in findings(with_shipped(own_tasks), set(own_tasks)):
            yield from located(finding, path, own_tasks)
    except DataError as error:
        yield _in_its_file(error, own_tasks)
    yield from _lines_of_choices(own_tasks)


def with_shipped(own_tasks: Mapping[str, tuple[Path, Task]]) -> dict[str, Task]:
    """A user's own tasks, after the shipped ones with other ids."""
    around = {name: task for name, task in load_tasks(TASKS).items() if name not in own_tasks}
    return {**around, **{name: task for name, (_, task) in own_tasks.items()}}


def located(finding: ValidityFinding, path: Path, own_tasks: Mapping[str, tuple[Path, Task]]) -> Iterator[str]:
    """`file: task.field: message` for each own task of a finding; without one, for the path."""
    for name in [name for name in finding.tasks if name in own_tasks] or [""]:
        where = own_tasks[name][0] if name else path
        yield f"{where}: {'.'.join(filter(None, (name, finding.field)))}: {finding.message}"


def _lines_of_choices(own_tasks: Mapping[str, tuple[Path, Task]]) -> Iterator[str]:
    """The same for the other choices of long-context tasks, each checked as a task. Raises DataError."""
    for file in sorted({file for file, task in own_tasks.values() if isinstance(task, LongContextTask)}):
        for name, task in read_choices(file):
            for finding in _of_long_context(task, as_shipped):
                yield f"{file}: {name}.{finding.field}: {finding.message}"


def _of_long_context(task: Task, vary: SourceTransform) -> Iterator[ValidityFinding]:
    if isinstance(task, LongContextTask):
        yield from (finding for rule in LONG_CONTEXT_RULES for finding in rule(task))
        yield from (finding for site_rule in SITE_RULES for finding in site_rule(task, vary))


def _in_its_file(error: DataError, own_tasks: Mapping[str, tuple[Path, Task]]) -> str:
    """An error in a story, with the record's file and task. Raises the error again if no own task has the record."""
    # its field is `KIND.ID...` of the record, or begins with the id of the task
    kind, number, *_ = [*error.field.split("."), "", ""]
    for name, (file, task) in own_tasks.items():
        records = task.story.get(kind, ()) if isinstance(task, DecisionTask) else ()
        if kind == name:
            return f"{file}: {error.field}: {error.message}"
        if error.file == "story" and any(str(record.get("id")) == number for record in records):
            return f"{file}: {name}.story.{error.field}: {error.message}"
    raise error


def findings(
    tasks: Mapping[str, Task], wanted: set[str], vary: SourceTransform = as_shipped
) -> Iterator[ValidityFinding]:
    """The findings of all rules on the wanted tasks: first on single tasks, then on the worlds with them. `vary`: how
    the worlds' sources change in a variant."""
    for name in sorted(wanted):
        task = tasks[name]
        if isinstance(task, LongContextTask):
            yield from _of_long_context(task, vary)
        elif isinstance(task, AppTask):
            yield from (finding for rule in APP_RULES for finding in rule(task))
        elif isinstance(task, DecisionTask):
            yield from (finding for rule in CASE_RULES for finding in rule(task))
    for suite in DECISION:
        members = {n: task for n, task in tasks.items() if isinstance(task, DecisionTask) and task.suite == suite}
        chosen = {name: task for name, task in members.items() if name in wanted}
        if not chosen:
            continue
        pages = explore(members, chosen, vary)
        found = (finding for rule in PAGE_RULES for task in chosen.values() for finding in rule(task, pages))
        yield from (finding for finding in found if vary is as_shipped or not ignored_in_variants(finding))
        yield from (finding for rule in SUITE_RULES for finding in rule(chosen, pages))
