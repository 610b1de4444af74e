"""A person's actions in a browser as a task file: the actions become the reference, their results key steps."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus, urlsplit

import yaml

from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.authoring.new_task import write_task_file
from longtrail.checks.hosts import host_of
from longtrail.records import axtree_text as axtree
from longtrail.records.action import Click, Fill, Goto, Select
from longtrail.records.trajectory import Request
from longtrail.tasks.cases import slug

NOTE = "# Recorded. Look through key_steps: each must be needed, and none may be a detour of yours."
HIDDEN = "(a password: not recorded)"
Entry = dict[str, Any]


def reference(steps: Sequence[ObservedStep], base: str) -> list[Entry]:
    """The moves, with elements by role and name. Addresses on the app (`base`) are written as paths."""
    moves: list[Entry] = []
    for step in steps:
        target, action = step.outcome.target, step.action
        if isinstance(action, Goto):
            if moves and _sends(moves[-1], action.url):
                moves[-1]["fill"]["enter"] = True
            else:
                moves.append({"goto": _path(action.url, base)})
        elif target is not None and isinstance(action, Click | Fill | Select):
            kind = {Click: "click", Fill: "fill", Select: "select"}[type(action)]
            place: Entry = {"role": target.role, "name": target.name}
            if isinstance(action, Fill):
                secret = target.attributes.get("type") == "password"
                place["text"] = HIDDEN if secret else step.outcome.value
            elif isinstance(action, Select):
                place["option"] = step.outcome.value
            alike = sum(1 for _ in axtree.find(step.before.text, target.role, target.name))
            note = {"why": f"One of {alike} alike: add `nth`, from 1, if it is not the first."} if alike > 1 else {}
            moves.append({kind: place, **note})
    return moves


def key_steps(steps: Sequence[ObservedStep], requests: Iterable[Request], host: str = "") -> list[Entry]:
    """The results: the last page, and what was sent to the app. `host`: for tasks that name theirs."""
    named = {"host": host} if host else {}
    entries: list[Entry] = []
    opened = [url for step in steps for url in step.outcome.navigations]
    for request in requests:
        sent = request.method not in ("GET", "HEAD", "OPTIONS") and request.status < 400
        if sent and not host:
            entry = {"kind": "request", "method": request.method, "paths": [_route(request.url)]}
            entries += [entry] if entry not in entries else []
    for url in dict.fromkeys(opened[-1:] if not host else opened[1:] or opened):
        query = urlsplit(url).query
        asked = {"query": dict(pair.partition("=")[::2] for pair in query.split("&"))} if query and host else {}
        entries.append({"kind": "url", **named, "paths": [_route(url)], **asked})
    return [{"name": _name(number, entry), **entry} for number, entry in enumerate(entries, 1)]


def write_task(entry: Entry, folder: Path) -> Path:
    """Write a task file. Raises UsageError if it exists already or can't be written."""
    text = yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=120)
    return write_task_file("record-task", folder / f"{entry['id'].lower()}.yaml", f"{NOTE}\n{text}")


def _sends(move: Entry, url: str) -> bool:
    """Whether Enter was pressed after typing: the address that followed then contains the text."""
    text = move.get("fill", {}).get("text", "")
    return bool(text) and text in unquote_plus(url)


def _path(url: str, base: str) -> str:
    return url.removeprefix(base) or "/" if base and url.startswith(base) else url


def _route(url: str) -> str:
    return urlsplit(url).path or "/"


def _name(number: int, entry: Entry) -> str:
    last = [part for part in entry["paths"][0].split("/") if part][-1:] or [host_of(entry.get("host", "")) or "start"]
    return f"{number}-{slug(last[0].replace('_', '-')) or entry['kind']}"[:60]
