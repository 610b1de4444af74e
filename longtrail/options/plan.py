"""Plan of a session: the cases that a pytest session plans to run, and checks of its markers."""

import ast
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from longtrail.errors import UsageError, did_you_mean
from longtrail.options.flag import folder_or_address
from longtrail.options.flags import FLAGS
from longtrail.options.run_options import Options
from longtrail.records.case import LONG
from longtrail.records.trajectory import Contender
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import PlannedCase, plan, slug
from longtrail.tasks.loading import crossed_selection
from longtrail.tasks.task import Task

FOLDERS = frozenset(flag.name for flag in FLAGS if flag.converts_to in (Path, folder_or_address))
"""Short flags that are followed by a path. (pytest already knows the long ones when it looks for its ini file.)"""


def check_markers(expression: str, registered: Iterable[str]) -> None:
    """Raise UsageError if `-m` names an unregistered marker (with xdist, pytest checks this too late)."""
    check_expression(expression)
    known = {re.split(r"[:(]", line, maxsplit=1)[0].strip() for line in registered}
    words = re.findall(r"[^\W\d][\w.-]*(?=\s*[()&|~]|\s|$)", re.sub(r"\([^()]*=[^()]*\)", "", expression or ""))
    for word in words:
        if word not in {"and", "or", "not", "True", "False", "None", *known}:
            longer = next((name for name in sorted(known) if word in name.split("_")), "")
            hint = f"did you mean {longer}? " if longer else f"{did_you_mean(word, known)} ".lstrip()
            raise UsageError(f"-m: unknown marker {word!r}; {hint}`pytest --markers` lists all")


def check_expression(expression: str) -> None:
    """Raise UsageError if `-m` does not consist of markers, `and`, `or`, `not` and brackets."""
    plain = re.sub(r"(?<![\w.-])(?!(?:and|or|not)\b)[^\W\d][\w.:-]*(?:\([^()]*=[^()]*\))?", "x", expression or "x")
    try:
        ast.parse(plain.strip(), mode="eval")
    except SyntaxError:
        raise UsageError(f"-m {expression!r}: expected markers joined by and, or, not and brackets") from None


_SECTIONS = {
    "pytest.ini": "",
    ".pytest.ini": "",
    "pyproject.toml": "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}
"""The files in which pytest looks for its settings -> the beginning of the section that has them."""


def check_folders(args: Sequence[str], inifile: Path | None, cwd: Path, short: Collection[str]) -> None:
    """Raise UsageError if pytest took the path after one of our short options for a test path. It then missed the ini
    file of `cwd`, if there is one, and other options would be misread."""
    above = (cwd, *cwd.parents)
    lost = inifile.parent not in above if inifile else any(map(_has_settings, above))
    for word, value in pairwise(args):
        if lost and word in short and word in FOLDERS and Path(value).exists():
            raise UsageError(f"{word} {value}: write {word}={value}; after a space, pytest takes a path for tests")


def _has_settings(folder: Path) -> bool:
    """Whether a file in this folder has settings for pytest."""
    return any(
        (folder / name).is_file() and section in (folder / name).read_text("utf-8", "replace")
        for name, section in _SECTIONS.items()
    )


def check_distribution(kind: str) -> None:
    """Raise UsageError for a `--dist` that would make results depend on how cases are distributed to workers."""
    if kind not in ("no", "load"):
        raise UsageError(f"--dist {kind}: cases that share a first part must stay together; remove --dist")


def check_web(options: Options, cases: Iterable[PlannedCase]) -> None:
    """Raise UsageError if the live web is requested and any of these cases has no live version."""
    for planned in cases if options.web == "live" else ():
        if planned.case.suite != "long_context":
            raise UsageError(
                f"--web live: {planned.case.id} ({planned.case.suite}) has no live version; "
                "only long_context tasks have one: add -m long_context"
            )


def check_judge(options: Options, cases: Iterable[PlannedCase]) -> None:
    """Raise UsageError if only a model can judge a case, and none is given."""
    for planned in cases if not options.judge else ():
        if isinstance(planned.task, AppTask) and not planned.task.has_rules:
            raise UsageError(f"{planned.task.id}: only its rubric (`judge`) says when it is done; add --judge MODEL")


def planned_cases(
    tasks: Mapping[str, Task], options: Options, *, appeal: bool, own: Collection[str] = ()
) -> tuple[PlannedCase, ...]:
    """Every case of every contender. With several contenders, case ids end in the contender's name.

    If decision tasks have long histories and no task is named, the plan has the default selection of 40 tasks.
    """
    if options.conditions.placements and not options.tasks:
        chosen = crossed_selection()
        tasks = {
            name: task for name, task in tasks.items() if task.suite in (*LONG, "app") or name in chosen or name in own
        }
    cases = plan(tasks, options.conditions, appeal=appeal, own=own)
    if len(options.contenders) == 1:
        return cases
    return tuple(
        PlannedCase(
            planned.case.model_copy(update={"id": f"{planned.case.id}-{slug(contender.label)}"}),
            planned.task,
            planned.markers,
            contender,
        )
        for contender in options.contenders
        for planned in cases
    )


def run_folder(options: Options, began: str) -> Path:
    """The name of the run's folder: the given name, or time and contender; then the shard, if there is one."""
    runs, suffix = options.reports / "runs", options.shard.suffix if options.shard else ""
    if options.resume:
        return runs / options.run
    who = slug(options.contenders[0].label) if len(options.contenders) == 1 else f"{len(options.contenders)}-contenders"
    return runs / f"{options.run or f'{began}-{who}'[:90]}{suffix}"


def contender_of(planned: PlannedCase, options: Options) -> Contender:
    """The contender that plays this case."""
    return planned.contender or options.contenders[0]


def unit_of(planned: PlannedCase) -> str:
    """What one worker plays together: all lengths of a long-context task share a first part, which is played once. Any
    other case is a unit of its own."""
    if planned.case.suite not in LONG:
        return planned.case.id
    label = planned.contender.label if planned.contender else ""
    return f"{label} {planned.task.id} {planned.case.repeat}"
