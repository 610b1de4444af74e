"""A scripted person: opens the page of `--agent human` in a browser and plays with its mouse and keys.

Where an element is in the picture, the script learns from the shown browser; a person sees it.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Any

from playwright.async_api import Error, Locator, Page, expect

from longtrail.agents.people.person_server import PersonServer
from longtrail.browser.engine import Engine
from longtrail.tasks.reference import Locator as Element
from longtrail.tasks.reference import ReferenceStep

PATIENCE = 60_000
"""Milliseconds; a busy machine takes long."""
SELECT_LINE = """words => {
  const text = document.querySelector('#text pre').firstChild, at = text.data.indexOf(words);
  const end = text.data.indexOf('\\n', at);
  const range = document.createRange();
  range.setStart(text, text.data.lastIndexOf('\\n', at) + 1);
  range.setEnd(text, end < 0 ? text.data.length : end);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


class ScriptedPerson:
    """Their browser and the server at which they play. All methods run in the engine's loop."""

    def __init__(self, page: Page, server: PersonServer) -> None:
        self.page, self.server = page, server

    @classmethod
    async def arrive(cls, engine: Engine, server: PersonServer) -> "ScriptedPerson":
        """Open the page, once there is something to play."""
        while server.current_phase is None:
            await asyncio.sleep(0.05)
        browser = await engine.browser()
        page = await browser.new_page(viewport={"width": 1500, "height": 1000})
        page.set_default_timeout(PATIENCE)
        await page.goto(server.address)
        await page.wait_for_selector("main:not([inert])")
        return cls(page, server)

    @property
    def shown(self) -> Page:
        assert self.server.current_phase is not None
        return self.server.current_phase.browser.page

    async def told(self, words: str) -> None:
        """The task's prompt has these words."""
        await expect(self.page.locator("#prompt")).to_contain_text(words, timeout=PATIENCE)
        await self.page.wait_for_selector("main:not([inert])")

    async def play(self, moves: Iterable[ReferenceStep]) -> None:
        """Do what a reference solution lists, up to its decision or answer."""
        for move in moves:
            if move.goto:
                await self.go(move.goto)
            elif move.read:
                await self.pick(move.read)
            elif element := move.click or move.fill or move.select:
                await self.use(element)
                if move.fill:
                    await self.page.keyboard.press("Control+a")
                    await self.page.keyboard.type(element.text)
                    await (self.page.keyboard.press("Enter") if element.enter else asyncio.sleep(0))
                elif move.select:
                    await self.page.get_by_role("option", name=element.option, exact=True).click()

    async def go(self, url: str) -> None:
        await self.page.fill("#address", url)
        await self.page.press("#address", "Enter")
        await self.shown.wait_for_url(url, timeout=PATIENCE)

    async def use(self, element: Element) -> None:
        """Click on an element, in the picture."""
        found = self.shown.get_by_role(element.role, name=element.name, exact=True)  # type: ignore[arg-type]
        await self.click(found.nth(element.nth - 1))

    async def click(self, found: Locator) -> None:
        place = None
        while place is None:
            await found.wait_for(timeout=PATIENCE)
            with contextlib.suppress(Error):  # the page is just replaced
                await found.scroll_into_view_if_needed()
                place = await self.place(found)
        await self.page.mouse.click(*place)

    async def place(self, found: Locator, x: float = 0.5) -> tuple[float, float]:
        """Where an element is in the person's own page; `x`: which part of its width."""
        box, canvas = await found.bounding_box(), await self.page.locator("canvas").bounding_box()
        size: dict[str, Any] = await self.page.evaluate("size")
        assert box is not None
        assert canvas is not None
        scale = canvas["width"] / size["width"]
        at = box["x"] + x * box["width"], box["y"] + box["height"] / 2
        return canvas["x"] + at[0] * scale, canvas["y"] + at[1] * scale

    async def pick(self, words: str) -> None:
        """Select the line with these words in the page's text, and add it to the evidence."""
        pieces = self.page.locator("#evidence li")
        before = await pieces.count()
        await expect(self.page.locator("#text pre")).to_contain_text(words, timeout=PATIENCE)
        await self.page.evaluate(SELECT_LINE, words)
        await self.page.click("#add")
        await expect(pieces).to_have_count(before + 1, timeout=PATIENCE)

    async def finish(self, *, decision: str = "", **fields: str) -> None:
        """Fill in the form and send it."""
        if decision:
            await self.page.check(f"[name=decision][value={decision}]")
        for name, text in fields.items():
            await self.page.fill(f"[name={name}]", text)
        await self.page.click("button[type=submit]")

    async def leave(self) -> None:
        await self.page.close()


Script = Callable[[ScriptedPerson], Any]
