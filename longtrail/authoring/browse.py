"""Browse: a person uses the embedded web, starting at a task or site. The terminal shows the requests."""

import os
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from longtrail.browser.launcher import Launch, find_chromium, sandbox_allowed
from longtrail.errors import UsageError, did_you_mean
from longtrail.records.trajectory import Case, Request
from longtrail.runs.under_way import end_at_interrupts
from longtrail.tasks.briefing import case_prompt
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import SEARCH_PAGE, LongContextTask, Task
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Site
from longtrail.web.world import World

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

WINDOW = Launch(headless=False)
LOOK = 0.25
"""Seconds between two checks whether the window is still open."""


def browse(
    target: str | None, *, port: int = 0, tasks: Collection[Task] | None = None, sites: Sequence[Site] = ()
) -> None:
    """Serve the embedded web (or these sites) to a visible browser until its window is closed or Ctrl-C is pressed.

    `target` is a task's id, a site's name or a host; None starts on the search page. Without a display, this prints how
    to connect. Raises UsageError if the target is unknown or the port is in use.
    """
    tasks, sites = load_tasks().values() if tasks is None else tasks, sites or all_sites()
    start, prompt = destination(target, tasks, sites)
    with serving(sites, port, task_named(target, tasks)) as (web, world):
        print(prompt, end="\n\n" if prompt else "", flush=True)
        end_at_interrupts()
        try:
            if has_display():
                watch_window(web, world, start)
            else:
                print(connection_help(web, start), flush=True)
                for request in new_requests(world):
                    print(request_line(request), flush=True)
        except KeyboardInterrupt:
            print()


def destination(target: str | None, tasks: Collection[Task], sites: Sequence[Site]) -> tuple[str, str]:
    """The start address, and the task's text if the target is a task. Raises UsageError."""
    if target is None:
        return SEARCH_PAGE, ""
    if task := task_named(target, tasks):
        return task.start, instruction_text(task)
    for site in sites:
        if target == site.name or target.lower() in site.hosts:
            return f"https://{site.hosts[0] if target == site.name else target.lower()}/", ""
    names = ", ".join(site.name for site in sites)
    names_known = [
        *(task.id for task in tasks),
        *(site.name for site in sites),
        *(host for site in sites for host in site.hosts),
    ]
    hint = did_you_mean(target, names_known) or f"sites are {names}, tasks are in `longtrail/data/tasks`"
    raise UsageError(f"{target}: no such task, site or host; {hint}")


def task_named(target: str | None, tasks: Collection[Task]) -> Task | None:
    """The task with this id, in any case of letters; None if the target is no task."""
    return next((task for task in tasks if target is not None and task.id.lower() == target.lower()), None)


def instruction_text(task: Task) -> str:
    """What the agent is told, without guidance."""
    if isinstance(task, LongContextTask):
        return f"{task.title}\n1. {task.a1.instruction}\n2. {task.a2.instruction}"
    return case_prompt(task, Case(id="browse", suite=task.suite, task=task.id))


@contextmanager
def serving(sites: Sequence[Site], port: int, task: Task | None = None) -> Iterator[tuple[SealedWeb, World]]:
    """The sealed web with one world, in the state in which the task begins. No credentials are needed: a person's
    browser has no token."""
    web = SealedWeb(sites, port=port)
    try:
        web.start()
    except OSError as error:
        raise UsageError(f"port {port} can't be used: {error.strerror}; choose another with --port") from error
    try:
        world = web.open_world("browse")
        if task is not None:
            world.stage(task)
        web.open_to_all(world)
        yield web, world
    finally:
        web.stop()


def has_display() -> bool:
    """Whether a window can be opened here."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def connection_help(web: SealedWeb, start: str) -> str:
    """How to connect if this machine has no display: addresses and exact commands."""
    text = Path(__file__).with_name("browse_help.txt").read_text(encoding="utf-8")
    return text.rstrip().format(address=web.address, port=web.address.rpartition(":")[2], start=start)


def watch_window(web: SealedWeb, world: World, start: str, launch: Launch = WINDOW) -> None:
    """Open a window in the world and print requests until its last tab closes. Raises UsageError."""
    from playwright.sync_api import Error, sync_playwright

    executable = launch.executable_path or find_chromium(launch.headless)
    with sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(
                executable_path=executable, headless=launch.headless, chromium_sandbox=sandbox_allowed()
            )
        except Error as error:
            raise UsageError(
                f"{executable} can't open a window here; unset DISPLAY to see how to connect from another machine"
            ) from error
        context = browser.new_context(proxy=web.proxy(world), ignore_https_errors=True, no_viewport=True)  # type: ignore[arg-type]
        context.new_page().goto(start)
        print_requests(world, context)


def print_requests(world: World, context: "BrowserContext") -> None:
    """Print requests while the context has a tab."""
    from playwright.sync_api import Error, TimeoutError

    printed = 0
    while context.pages:
        for request in world.log.requests[printed:]:
            printed += 1
            print(request_line(request), flush=True)
        try:
            context.wait_for_event("close", timeout=LOOK * 1000)
        except TimeoutError:
            continue
        except Error:  # the window was closed meanwhile
            return


def new_requests(world: World) -> Iterator[Request]:
    """The requests of a world as they arrive; never ends."""
    yielded = 0
    while True:
        for request in world.log.wait_more(yielded, LOOK):
            yielded += 1
            yield request


def request_line(request: Request) -> str:
    """A request on one line: status, method, destination, address."""
    return f"{request.status} {request.method:<7} {request.dest or '-':<9} {request.url}"
