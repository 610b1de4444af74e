"""Walker: a CDP agent that walks reference solutions with Playwright, by roles and names, as an honest agent would."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator as Element
from playwright.sync_api import Page, sync_playwright

from longtrail.agents.cdp.process import TaskMessage
from longtrail.agents.oracle import ReferenceScript
from longtrail.records.action import Evidence
from longtrail.tasks.reference import Locator, ReferenceStep

READING = 400
"""Milliseconds that it stays on each page."""


def walk(errand: TaskMessage) -> dict[str, Any]:
    """Walk the script of the phase: `a2` if the task has a history, else `a1`."""
    phase = "a2" if errand.history else "a1"
    script = ReferenceScript.model_validate_json(Path(errand.options[phase]).read_text(encoding="utf-8"))
    answer, read = "", []
    with sync_playwright() as driver:
        page = driver.chromium.connect_over_cdp(errand.cdp).contexts[0].pages[0]
        for move in script.moves:
            page = page.context.pages[-1]
            answer = move.finish or answer
            if move.read:
                read.append(Evidence(source=page.url, quote=move.read))
            step(page, move)
            page.wait_for_load_state()
            page.wait_for_timeout(READING)
    if not errand.decisions:
        return {"answer": answer}
    evidence = [piece.model_dump() for piece in script.evidence or read]
    said = {"justification": script.justification, "response": script.response, "evidence": evidence}
    return {"decision": script.decision, **said}


def step(page: Page, move: ReferenceStep) -> None:
    if move.goto:
        page.goto(move.goto)
    elif move.search:
        page.goto(f"https://www.google.com/search?q={quote(move.search)}")
    elif move.back:
        page.go_back()
    elif move.click:
        found(page, move.click).click()
    elif move.fill:
        found(page, move.fill).fill(move.fill.text)
        if move.fill.enter:
            page.keyboard.press("Enter")
    elif move.select:
        found(page, move.select).select_option(label=move.select.option)


def found(page: Page, locator: Locator) -> Element:
    name = re.compile("^" + ".*".join(map(re.escape, " ".join(locator.name.split()).split("*"))) + "$")
    role: Any = locator.role
    return page.get_by_role(role, name=name).nth(locator.nth - 1)
