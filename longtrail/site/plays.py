"""Plays: all episodes of each task in all runs, one script file a task. The pages of its episodes read it, so that each
leads to the others: the same task with other contenders and conditions, again, and on other days."""

import json
from collections.abc import Sequence
from typing import Any

from longtrail.gate.pairing import condition, in_order
from longtrail.records.result import Result
from longtrail.report.addresses import plays_file, run_folder
from longtrail.report.text import clip, visible
from longtrail.site.case_table import OUTCOMES
from longtrail.site.view import RunView, episode_page

REASON = 160
"""Maximum characters of a reason."""


def play_files(views: Sequence[RunView]) -> dict[str, str]:
    """Path in the reports folder -> script. `views`: oldest first; the latest run is listed first."""
    found: dict[str, list[tuple[RunView, Result]]] = {}
    for view in reversed(views):
        for one in sorted(view.results, key=lambda one: (one.contender.label, one.case.repeat)):
            found.setdefault(one.case.task, []).append((view, one))
    return {plays_file(task): _script(plays) for task, plays in sorted(found.items())}


def _script(plays: Sequence[tuple[RunView, Result]]) -> str:
    conditions = in_order([one.case for _, one in plays])
    data = {"conditions": list(conditions), "plays": [_play(view, one, conditions) for view, one in plays]}
    return f"longtrailPlays({json.dumps(data, separators=(',', ':'))});\n"


def _play(view: RunView, one: Result, conditions: Sequence[str]) -> list[Any]:
    page = episode_page(one)
    return [
        view.name,
        view.manifest.started[:10],
        visible(one.contender.label),
        conditions.index(condition(one.case)),
        OUTCOMES.index(one.outcome),
        one.steps,
        visible(clip(" ".join(one.reason.split()), REASON)),
        f"{run_folder(view.name)}{page}" if page else "",
    ]
