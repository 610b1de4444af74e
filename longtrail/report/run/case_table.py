"""Script files with the cases of a run, and with all episodes of a task, that pages read."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from longtrail.gate.pairing import condition, in_order
from longtrail.records.result import Result
from longtrail.records.trajectory import Case
from longtrail.report.addresses import plays_file, run_folder
from longtrail.report.run.figures import path_outcome
from longtrail.report.run.view import RunView, episode_page
from longtrail.report.text import clip, visible
from longtrail.scoring.catalog import MEASURES
from longtrail.statistics.aggregate import needle_third
from longtrail.statistics.rates import outcome_after
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import slug
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import LongContextTask, Task

REASON, PROMPT = 240, 1500
"""Maximum characters of a searchable reason and prompt."""
OUTCOMES = ("passed", "failed", "invalid", "running", "waiting")
GROUPS = ("main", "appeal", "control")


class Pool:
    """Numbered texts without repetition."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(visible(text), len(self.numbers))


def group(case: Case) -> str:
    """Whether a case counts in the headline, is an appeal, or the `relocated` control."""
    return "appeal" if case.appeal else "control" if case.relocated else "main"


def case_script(view: RunView, tasks: Mapping[str, Task]) -> str:
    """The script: one call with all columns. Pure ASCII, so that its encoding is unambiguous."""
    return f"longtrailCases({json.dumps(case_columns(view, tasks), separators=(',', ':'))});\n"


def case_columns(view: RunView, tasks: Mapping[str, Task]) -> dict[str, Any]:
    """Column name -> one value per case."""
    results, waiting, pool = list(view.results), list(view.open_cases), Pool()
    cases = [*(result.case for result in results), *(entry.case for entry in waiting)]
    labels = [*(result.contender.label for result in results), *(entry.contender.label for entry in waiting)]
    order = list(dict.fromkeys(labels))
    open_now = [OUTCOMES.index("running" if entry.case.id in view.playing else "waiting") for entry in waiting]

    def column(take: Callable[[Result], Any], empty: Any = 0) -> list[Any]:
        return [*map(take, results), *[empty] * len(waiting)]

    return {
        "run": view.name,
        "started": view.manifest.started,
        "who": [[slug(label), visible(label)] for label in order],
        "id": [case.id for case in cases],
        "trace": {
            result.case.id: page
            for result in results
            if (page := episode_page(result)) != f"traces/{result.case.id}.html"
        },
        "suite": [pool(case.suite) for case in cases],
        "task": [pool(case.task) for case in cases],
        "condition": [pool(condition(case)) for case in cases],
        "repeat": [case.repeat for case in cases],
        "attempt": column(lambda entry: entry.attempt),
        "by": [order.index(label) for label in labels],
        "group": [GROUPS.index(group(case)) for case in cases],
        "outcome": [*(OUTCOMES.index(result.outcome) for result in results), *open_now],
        "reason": column(lambda entry: pool(clip(" ".join(entry.reason.split()), REASON)), pool("")),
        "category": column(lambda entry: pool(entry.category), pool("")),
        "stage": column(lambda entry: pool(entry.stage), pool("")),
        "trouble": column(lambda entry: pool(entry.trouble.kind if entry.trouble else ""), pool("")),
        "steps": column(lambda entry: entry.steps),
        "tokens": column(lambda entry: entry.usage.prompt_tokens + entry.usage.completion_tokens),
        "usd": column(lambda entry: None if entry.usage.usd is None else round(entry.usage.usd, 6)),
        "seconds": column(lambda entry: round(entry.seconds, 1)),
        "prompt": [pool(_prompt(tasks.get(case.task), case)) for case in cases],
        "measures": _measures(results, len(waiting), pool),
        "pool": list(pool.numbers),
    }


def _measures(results: Sequence[Result], waiting: int, pool: Pool) -> dict[str, dict[str, Any]]:
    """Measure -> kind, and one value per case: a number, or for a label the text's number in the pool."""
    measures = {}
    for name, measure in MEASURES.items():
        labels = measure.kind == "label"
        values = [_value(result, name, pool if labels else None) for result in results]
        if any(value is not None for value in values):
            measures[name] = {"kind": measure.kind, "says": measure.says, "values": [*values, *[None] * waiting]}
    for name, words in _distinguishing_columns(results).items():
        values = [pool(word) if word else None for word in words]
        measures[name] = {"kind": "label", "says": name.replace("_", " "), "values": [*values, *[None] * waiting]}
    return measures


def _distinguishing_columns(results: Sequence[Result]) -> dict[str, list[str]]:
    """Further properties of cases: name -> one word per case, empty if it has none."""
    turns = max((len(result.appeal_turns) for result in results), default=0)
    columns = {
        "path": [path_outcome(result) for result in results],
        "first_part_in": [needle_third(result) for result in results],
    }
    columns |= {f"turn_{turn}": [outcome_after(result, turn) for result in results] for turn in range(1, turns + 1)}
    return {name: words for name, words in columns.items() if any(words)}


def _value(result: Result, name: str, pool: Pool | None) -> float | int | None:
    if pool is None:
        number = None if result.outcome == "invalid" else result.number(name)
        return None if number is None else int(number) if number == int(number) else round(number, 4)
    word = result.word(name)
    return pool(word) if word else None


def _prompt(task: Task | None, case: Case) -> str:
    if task is None:
        return ""
    if isinstance(task, LongContextTask):
        parts: Iterable[str] = (task.title, task.a1.instruction, task.a2.instruction)
    elif isinstance(task, AppTask):
        parts = (task.title, task.instruction)
    elif isinstance(task, ShiftTask):
        parts = (f"A shift of {task.size} tickets", task.start)
    else:
        parts = (task.trigger, getattr(task.prompts, case.prompt or "", ""))
    return clip(" ".join(" ".join(parts).split()), PROMPT)


PLAY_REASON = 160
"""Maximum characters of a reason in a list of episodes."""


def play_files(views: Sequence[RunView]) -> dict[str, str]:
    """Path in the reports folder -> script. `views`: oldest first; the latest run is listed first."""
    by_task: dict[str, list[tuple[RunView, Result]]] = {}
    for view in reversed(views):
        for result in sorted(view.results, key=lambda play: (play.contender.label, play.case.repeat)):
            by_task.setdefault(result.case.task, []).append((view, result))
    return {plays_file(task): _script(plays) for task, plays in sorted(by_task.items())}


def _script(plays: Sequence[tuple[RunView, Result]]) -> str:
    conditions = in_order([result.case for _, result in plays])
    data = {"conditions": list(conditions), "plays": [_play(view, result, conditions) for view, result in plays]}
    return f"longtrailPlays({json.dumps(data, separators=(',', ':'))});\n"


def _play(view: RunView, result: Result, conditions: Sequence[str]) -> list[Any]:
    page = episode_page(result)
    return [
        view.name,
        view.manifest.started[:10],
        visible(result.contender.label),
        conditions.index(condition(result.case)),
        OUTCOMES.index(result.outcome),
        result.steps,
        visible(clip(" ".join(result.reason.split()), PLAY_REASON)),
        f"{run_folder(view.name)}{page}" if page else "",
    ]
