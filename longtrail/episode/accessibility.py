"""Accessibility: axe-core checks the page where an agent ended on a user's own app. It runs in our isolated world: the
page's scripts can't see it, and the page's CSP does not stop it. Only axe's own words are kept, no text of the page."""

import asyncio
import json
from collections.abc import Iterable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.checks.hosts import Origin, origin_of
from longtrail.episode.phase_loop import EpisodeSession
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.records.site_reports import ACCESSIBILITY, Reading
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.task import Task

if TYPE_CHECKING:
    from playwright.async_api import Page

PACKAGE = "axe_playwright_python"
"""Brings axe-core's script; nothing else of it is used."""
AXE_SECONDS = 20.0
"""For the check of one page; shorter than the deadline of a session's calls."""
RUN = """axe.run(document, {iframes: false, preload: false, resultTypes: ['violations']}).then(found => JSON.stringify({
  version: found.testEngine.version,
  violations: found.violations.filter(({impact}) => impact === 'serious' || impact === 'critical').map(
    ({id, impact, help, nodes}) => ({rule: id, impact, elements: nodes.length, help})),
}))"""
"""Frames are not checked, and nothing is requested."""


def require(tasks: Iterable[Task]) -> None:
    """Raise UsageError if a task needs axe, and it is not installed."""
    for task in tasks:
        if isinstance(task, AppTask) and task.checks_accessibility:
            _script_file(task.id)


def _script_file(task: str) -> Path:
    """The file of axe-core. Raises UsageError, with the id of the task that needs it, if it is not installed."""
    package = find_spec(PACKAGE)
    if package is None or package.origin is None:
        raise UsageError(f"{task}: accessibility needs axe: pip install 'longtrail[axe]'")
    return Path(package.origin).with_name("axe.min.js")


def read(task: AppTask, session: EpisodeSession, origins: Iterable[Origin]) -> tuple[Reading, ...]:
    """The rules of serious or critical impact that the page violates, if the task asks for it. If the page can't be
    checked, the value is None, and the note says why: that is not the agent's failure."""
    if not task.checks_accessibility:
        return ()
    return (_check(_script_file(task.id).read_text("utf-8"), session, origins),)


def _check(source: str, session: EpisodeSession, origins: Iterable[Origin]) -> Reading:
    try:
        if not _is_on(url := session.url, origins):
            return _unchecked(f"the agent ended at {url or 'no page'}, which is not the app's")
        found = session.with_page(partial(_run, source))
    except HarnessTrouble as error:
        return _unchecked(f"the page could not be checked: {error.message}")
    return Reading(name=ACCESSIBILITY, value=found["violations"], note=f"axe-core {found['version']}")


def _unchecked(why: str) -> Reading:
    return Reading(name=ACCESSIBILITY, value=None, note=why[:400])


def _is_on(url: str, origins: Iterable[Origin]) -> bool:
    try:
        return origin_of(url) in origins
    except ValueError:
        return False


async def _run(source: str, page: "Page") -> Any:
    try:
        async with asyncio.timeout(AXE_SECONDS):
            cdp = await page.context.new_cdp_session(page)
            frame = (await cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
            world = {"frameId": frame, "worldName": "longtrail-axe"}
            context = (await cdp.send("Page.createIsolatedWorld", world))["executionContextId"]
            order = {"contextId": context, "awaitPromise": True, "returnByValue": True}
            answer = await cdp.send("Runtime.evaluate", {"expression": f"{source};\n{RUN}", **order})
    except TimeoutError:
        raise HarnessTrouble("site_timeout", f"it did not answer within {AXE_SECONDS:g} seconds") from None
    if details := answer.get("exceptionDetails"):
        raise HarnessTrouble("harness_bug", str(details.get("exception", {}).get("description", details["text"])))
    return json.loads(answer["result"]["value"])
