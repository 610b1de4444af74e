"""Record task: a person does a task in a browser, and the actions are written as a task file."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus, urlsplit

import yaml

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.agents.spec import load_callable
from longtrail.authoring.new_task import write_task_file
from longtrail.browser.launcher import Launch
from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.checks.hosts import host_of, origin_of
from longtrail.episode.open_app import OpenApp
from longtrail.episode.own_apps import OwnApps
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.records import axtree_text as axtree
from longtrail.records.action import Fill, Goto, Select
from longtrail.records.full_actions import AnswerDialog, DoubleClick, Press, Upload
from longtrail.records.trajectory import Outcome, Request, Target
from longtrail.tasks.app_task import App
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import named_app
from longtrail.web.own_web import OwnWeb
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World

NOTE = "# Recorded. Look through key_steps: each must be needed, and none may be a detour of yours."
HIDDEN = "(a password: not recorded)"
Entry = dict[str, Any]

POLL_SECONDS = 0.15
"""Seconds between two checks for new actions."""
PLACEHOLDER = "Describe the task as a person would."
WINDOW = Launch(headless=False)


@dataclass(frozen=True)
class TaskRecorder:
    """A browser that a person uses, and its world."""

    browser: AgentBrowser
    world: World
    start: str
    """The page on which the window opened. Its load event may come late and is not an action of the person."""

    def part(self, ended: Callable[[], bool]) -> list[ObservedStep]:
        """The actions until `ended` is set or the browser is closed."""
        happened: list[ObservedStep] = []
        self.browser.begin_phase()
        while True:
            over = ended()
            try:
                happened += self.browser.look(last=over)
            except HarnessTrouble:  # the window was closed
                return self._moves(happened)
            if over or not self.browser.observer.context.pages:
                return self._moves(happened)
            time.sleep(POLL_SECONDS)

    def _moves(self, happened: list[ObservedStep]) -> list[ObservedStep]:
        opened = bool(happened) and isinstance(happened[0].action, Goto) and happened[0].action.url == self.start
        return happened[1:] if opened else happened


@contextmanager
def recorder(
    web: SealedWeb, world: World, start: str, storage: dict[str, Any] | None, launch: Launch
) -> Iterator[TaskRecorder]:
    """Open a window on the start page. Raises HarnessTrouble if that is impossible."""
    with Browser(ViewSettings(screenshot=False), launch=launch) as browser:
        browser_window = AgentBrowser(
            browser, world, web.own_proxy(world), storage=storage, person=True, every_action=True
        )
        try:
            browser_window.goto(start)
            yield TaskRecorder(browser_window, world, start)
        finally:
            browser_window.close()


@contextmanager
def opened_app(app: App | str, folder: Path, name: str) -> Iterator[tuple[OpenApp, OwnWeb, World]]:
    """A user's own app (one named in `folder/apps.yaml`, or this one) in its initial state, and a world of this name
    that reaches it. Raises UsageError, DataError, HarnessTrouble."""
    apps = OwnApps(folder, name, folder, lambda path: load_callable(path, f"app function {path!r}"))
    try:
        opened = apps.opened(named_app(folder, app) if isinstance(app, str) else app, no_fixture)
        opened.reset()
        with OwnWeb() as web:
            yield opened, web, web.open_world(name, origins=opened.origins)
    finally:
        apps.close()


def requests_to(app: OpenApp, world: World) -> list[Request]:
    """The requests of a world to the app itself."""
    return [request for request in world.log.requests if origin_of(request.url) == origin_of(app.address)]


def record_app(
    name: str,
    app: App | str,
    start: str,
    instruction: str,
    folder: Path,
    ended: Callable[[], bool],
    launch: Launch = WINDOW,
    ready: Callable[[str], object] = lambda _: None,
) -> Path:
    """Record a task on a user's own app: one named in `folder/apps.yaml`, or this one. `ready` is called with the
    browser's devtools address. Raises UsageError, DataError, HarnessTrouble."""
    with opened_app(app, folder, "record") as (opened, web, world):
        with recorder(web, world, opened.url(start), opened.storage(), launch) as person:
            ready(person.browser.address)
            steps = person.part(ended)
        sent = requests_to(opened, world)
    if not steps:
        raise UsageError("record-task: no action was recorded in the browser")
    results = key_steps([step.outcome for step in steps], sent)
    return write_task(app_entry(name, app, start, instruction, results, reference(steps, opened.address)), folder)


def record_long_context(
    name: str,
    start: str,
    instruction: str,
    folder: Path,
    ended: Callable[[], bool],
    launch: Launch = WINDOW,
    ready: Callable[[str], object] = lambda _: None,
) -> Path:
    """Record the two parts of a long-context task on the embedded sites; `ended` ends the first part, then the second.
    Raises UsageError, HarnessTrouble."""
    with SealedWeb(all_sites()) as web:
        world = web.open_world("record")
        with recorder(web, world, start, None, launch) as person:
            ready(person.browser.address)
            parts = [person.part(ended) for _ in range(2)]
    sites = [host_of(url) for part in parts for step in part for url in step.outcome.navigations]
    host = next((site for site in reversed(sites) if site != host_of(start)), host_of(start))
    subtasks = {
        key: {
            "instruction": instruction or PLACEHOLDER,
            "key_steps": key_steps([step.outcome for step in part], (), host),
            "reference": reference(part, ""),
        }
        for key, part in zip(("a1", "a2"), parts, strict=True)
    }
    carry = {"id": "place", "says": PLACEHOLDER, "said": ["what only the first part tells"]}
    head = {"suite": "long_context", "id": name, "title": name, "host": host, "topics": ["shopping"], "start": start}
    return write_task({**head, "carry": [carry], **subtasks}, folder)


def app_entry(
    name: str, app: App | str, start: str, instruction: str, key_steps: list[Entry], reference: list[Entry]
) -> Entry:
    """A task on an app, as it stands in YAML."""
    files = [move["upload"]["file"] for move in reference if "upload" in move]
    return {
        "suite": "app",
        "id": name,
        "app": app if isinstance(app, str) else app.model_dump(mode="json", exclude_defaults=True),
        "start": start,
        "instruction": instruction or PLACEHOLDER,
        **({"files": files} if files else {}),
        "key_steps": key_steps,
        "reference": [*reference, {"finish": "It is done."}],
    }


def no_fixture(name: str) -> object:
    """Raises UsageError: there are no fixtures outside of pytest."""
    raise UsageError(f"fixture {name} exists only in pytest; give --url, or an app with a command")


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
        elif isinstance(action, AnswerDialog):
            moves.append({"answer_dialog": action.model_dump(exclude={"type"}, exclude_defaults=True)})
        elif target is not None:
            _add_on_element(moves, step, target)
    return moves


def _add_on_element(moves: list[Entry], step: ObservedStep, target: Target) -> None:
    """Add an action on an element. What only began it, such as the first click of a double click, is left out."""
    action, element = step.action, {"role": target.role, "name": target.name}
    alike = sum(1 for _ in axtree.find(step.before.text, target.role, target.name))
    last = next(iter(moves[-1].values())) if moves else None
    begun = isinstance(last, dict) and element.items() <= last.items()
    if isinstance(action, Press):
        if begun and action.keys == "Enter" and "fill" in moves[-1]:
            moves[-1]["fill"]["enter"] = True
        else:
            moves.append(
                {"press": {**element, "keys": action.keys} if alike or target.role != "clickable" else action.keys}
            )
        return
    if isinstance(action, DoubleClick | Upload) and begun and "click" in moves[-1]:
        moves.pop()
    if isinstance(action, Fill | Select | Upload):
        field = {"fill": "text", "select": "option", "upload": "file"}[action.type]
        secret = target.attributes.get("type") == "password"
        element[field] = HIDDEN if secret else step.outcome.value
    note = {"why": f"One of {alike} alike: add `nth`, from 1, if it is not the first."} if alike > 1 else {}
    moves.append({action.type: element, **note})


def key_steps(outcomes: Iterable[Outcome], requests: Iterable[Request], host: str = "") -> list[Entry]:
    """The results: the last page, and what was sent to the app. `host`: for tasks that name theirs."""
    named = {"host": host} if host else {}
    entries: list[Entry] = []
    opened = [url for outcome in outcomes for url in outcome.navigations]
    for request in requests:
        sent = request.method not in ("GET", "HEAD", "OPTIONS") and request.status < 400
        if sent and not host:
            entry = {"kind": "request", "method": request.method, "paths": [_route(request.url)]}
            entries += [entry] if entry not in entries else []
    for url in dict.fromkeys(opened[-1:] if not host else opened[1:] or opened):
        query = urlsplit(url).query
        query_fields = {"query": dict(pair.partition("=")[::2] for pair in query.split("&"))} if query and host else {}
        entries.append({"kind": "url", **named, "paths": [_route(url)], **query_fields})
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
