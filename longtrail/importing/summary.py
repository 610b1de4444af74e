"""Summary: published runs by category and in total, as text and as JSON."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean

from longtrail.errors import DataError
from longtrail.importing.measures import NOT_COMPUTABLE, Imported, imported
from longtrail.importing.published import read_runs, read_tasks
from longtrail.records.record import Record
from longtrail.report.text import plain

SHOWN = (
    "completed",
    "decision",
    "paper_decision",
    "harmful",
    "paper_investigation",
    "as_coded_investigation",
    "paper_efficiency_cumulative",
    "evidence_quality",
    "steps",
)
"""The measures of the table, in order."""


class Group(Record):
    """Some runs of one model and condition."""

    contender: str
    prompt: str
    category: str
    """A category; `all`: the mean over runs; `mean of categories`: the mean of the categories' means."""
    runs: int
    answers: dict[str, int] = {}
    means: dict[str, float] = {}
    """Means over the runs for which a measure could be computed."""


def import_pathways(tasks: Path, runs: Path) -> tuple[Imported, ...]:
    """Every run of the files. Raises DataError for a run of a task that the task file lacks."""
    known = read_tasks(tasks)
    by_id = {task.task_id: task for task in known.tasks}
    found = []
    for run in read_runs(runs):
        if run.task_id not in by_id:
            raise DataError(runs, run.task_id, f"is not a task of {tasks}")
        found.append(imported(run, by_id[run.task_id], known.accepted_alternatives))
    return tuple(found)


def summarize(runs: Iterable[Imported]) -> tuple[Group, ...]:
    """By model and condition: each category, all runs, and the mean of the categories."""
    parts: dict[tuple[str, str], list[Imported]] = {}
    for run in runs:
        key = run.trajectory.contender.label, run.trajectory.case.prompt or run.condition or "other"
        parts.setdefault(key, []).append(run)
    groups: list[Group] = []
    for (contender, prompt), part in sorted(parts.items()):
        categories = [
            _group(contender, prompt, name, [run for run in part if run.category == name])
            for name in dict.fromkeys(run.category for run in part)
        ]
        whole = _group(contender, prompt, "all", part)
        means = {name: fmean(g.means[name] for g in categories if name in g.means) for name in whole.means}
        macro = whole.model_copy(update={"category": "mean of categories", "means": means})
        groups += [*categories, whole, macro]
    return tuple(groups)


def _group(contender: str, prompt: str, category: str, runs: Sequence[Imported]) -> Group:
    means = {}
    for name in SHOWN:
        values = [run.metrics[name].value for run in runs if name in run.metrics]
        numbers = [float(value) for value in values if value is not None and not isinstance(value, str)]
        if numbers:
            means[name] = fmean(numbers)
    answers = Counter(str(run.metrics["answer"].value) for run in runs)
    return Group(
        contender=contender,
        prompt=prompt,
        category=category,
        runs=len(runs),
        answers=dict(sorted(answers.items())),
        means=means,
    )


def shown(groups: Sequence[Group]) -> str:
    """A text table, and below it what can't be computed and why."""
    width = max(len(group.category) for group in groups)
    heads = ("done", "decision", "paper_dec", "harmful", "paper_inv", "coded_inv", "paper_eff", "evidence", "steps")
    lines: list[str] = []
    for contender, prompt in dict.fromkeys((group.contender, group.prompt) for group in groups):
        lines.append(f"{plain(contender)}, {prompt}")
        lines.append(f"  {'':<{width}} {'runs':>5} " + " ".join(f"{head:>9}" for head in heads))
        for group in groups:
            if (group.contender, group.prompt) == (contender, prompt):
                cells = (f"{group.means[name]:9.3f}" if name in group.means else f"{'-':>9}" for name in SHOWN)
                lines.append(f"  {plain(group.category):<{width}} {group.runs:>5} " + " ".join(cells))
    lines.append("not computable:")
    lines += [f"  {name}: {reason}" for name, reason in NOT_COMPUTABLE.items()]
    return "\n".join(lines)


def write_json(runs: Sequence[Imported], groups: Sequence[Group], path: Path) -> None:
    """Groups and every run's measures and trajectory. Raises DataError."""
    data = {"groups": [g.model_dump() for g in groups], "runs": [run.model_dump(mode="json") for run in runs]}
    try:
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise DataError(path, "", f"can't be written: {error.strerror}") from error
