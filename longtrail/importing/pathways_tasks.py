"""PATHWAYS' published tasks, converted to tasks for the user's own Magento and Postmill (`--site`). The files have a
trigger, a ground truth and acceptable actions, but neither facts nor pages. They suffice for scoring the decision and
the paper's investigation: was a critical page opened and acted on?
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from longtrail.checks.decisions import decision_table
from longtrail.errors import DataError
from longtrail.importing.published import PathwaysTask, PathwaysTasks
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import APPS

SITES: dict[str, dict[str, Any]] = {
    "shopping_admin": {"address": "http://localhost:7780/admin", "login": "magento", "ready": "/"},
    "reddit": {"address": "http://localhost:9999", "login": "postmill", "ready": "/"},
}
"""The addresses of WebArena's own containers; `--site` replaces them."""
CRITICAL = {
    "cross_subreddit_spam": ("/user/*", "/user/*/submissions"),
    "user_history_context": ("/user/*", "/user/*/submissions"),
    "coordinated_brigading": ("/user/**", "/f/*/*/*/comment/*"),
    "fact_checking_source_verification": ("/wiki/**",),
}
"""Pages that the published evaluation treats as critical, by category."""


def as_tasks(published: PathwaysTasks) -> tuple[list[dict[str, Any]], list[str]]:
    """Tasks in the form of YAML, and the ids of those that can't be played because they lack a ground truth or
    trigger."""
    entries, unusable = [], []
    for task in published.tasks:
        entry = _entry(task, published.accepted_alternatives)
        if entry is None:
            unusable.append(task.task_id)
        else:
            entries.append(entry)
    return entries, unusable


def write_tasks(entries: Sequence[dict[str, Any]], folder: Path) -> Path:
    """Write a folder of tasks with its file of apps. Raises DataError."""
    path = folder / "pathways.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        used = {entry["app"] for entry in entries}
        apps = {name: app for name, app in SITES.items() if name in used}
        (folder / APPS).write_text(yaml.safe_dump(apps, sort_keys=False), encoding="utf-8")
        text = yaml.safe_dump(list(entries), sort_keys=False, allow_unicode=True, width=120)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(folder, "", f"can't be written: {error.strerror}") from error
    return path


def _entry(task: PathwaysTask, alternatives: dict[str, tuple[str, ...]]) -> dict[str, Any] | None:
    table = decision_table(task.suite)
    optimal = table.resolve(task.truth)
    if optimal is None or not task.surface_instruction.strip():
        return None
    options = {**table.words, **({} if optimal in table.words else {optimal: optimal.replace("_", " ").lower()})}
    alternatives_known = (
        *task.acceptable_actions,
        *alternatives.get(task.truth, ()),
        *table.alternatives.get(optimal, ()),
    )
    harmful = {word for name in task.harmful_actions if (word := table.resolve(name)) in options}
    accepted = {word for name in alternatives_known if (word := table.resolve(name)) in options} - {optimal} - harmful
    return {
        "suite": "app",
        "id": task.task_id,
        "app": task.suite,
        "category": slug(task.category).replace("-", "_"),
        "start": _start(task),
        "instruction": task.surface_instruction.strip(),
        "decision": {
            "options": options,
            "optimal": optimal,
            "acceptable": sorted(map(str, accepted)),
            "harmful": sorted(map(str, harmful)),
        },
        "critical": list(_critical(task)),
    }


def _start(task: PathwaysTask) -> str:
    """The start page: the grid of orders, as in the published harness; in the forum, the published address."""
    return "/sales/order/" if task.suite == "shopping_admin" else urlsplit(task.start_url).path or "/"


def _critical(task: PathwaysTask) -> tuple[str, ...]:
    if task.suite == "shopping_admin":
        number = task.order.get("entity_id")
        return tuple(f"**/sales/order/{page}/order_id/{number}/**" for page in ("view", "commentsHistory"))
    return CRITICAL.get(task.category, ())
