"""Full executor: carries out most of what `--actions full` adds to the paper's actions: keys, mouse, tabs, uploads,
waiting. `Clear`, `ReadFile` and `NewTab` with an address are in `action_executor`, `AnswerDialog` in `async_session`.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Error

from longtrail.browser.case_files import CaseFiles
from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.records import full_actions as full
from longtrail.records.action import Action
from longtrail.records.trajectory import Target
from longtrail.text.folding import squeeze

CHOOSER_SECONDS = 3.0
"""Seconds within which an element must ask for a file once it was clicked."""
POLL_SECONDS = 0.2
"""Time between two looks for an awaited text."""


@dataclass(frozen=True, slots=True)
class ActionEffect:
    """What an action did, before the page has settled."""

    error: str = ""
    target: Target | None = None
    value: str = ""
    note: str = ""
    violation: str = ""

    @classmethod
    def of(cls, spot: dict[str, Any]) -> "ActionEffect":
        """The element that the page's `locate` found, or its error."""
        target = Target(**spot["target"]) if "target" in spot else None
        error = spot.get("error", "")
        return cls(error=f"{error}; look again" if error and target is None else error, target=target)


async def located(number: str, tab: Tab) -> tuple[dict[str, Any], ActionEffect]:
    """Where to put the mouse for an element (`x`, `y`, `kind`, `editable`), and the element or the error."""
    spot: dict[str, Any] = await tab.ask_json("locate", int(number))
    effect = ActionEffect.of(spot)
    tab.acted_on = effect.target
    return spot, effect


@dataclass
class FullExecutor:
    """Carries out these actions in a session's tabs."""

    tabs: Tabs
    files: CaseFiles

    async def do(self, action: Action, tab: Tab) -> ActionEffect:
        """Carry out an action. Raises DocumentReplaced, and TypeError for an action that belongs elsewhere."""
        match action:
            case full.Hover() if not action.id:
                return await _hover_text(action.text, tab)
            case full.Hover(id=element_id) | full.DoubleClick(id=element_id) | full.RightClick(id=element_id):
                return await _point(action, element_id, tab)
            case full.Drag():
                return await _drag(action, tab)
            case full.Press():
                return await _press(action, tab)
            case full.TypeText(text=text):
                await tab.ask("watchForChanges")
                await tab.page.keyboard.type(text)
                return ActionEffect(value=text)
            case full.Upload():
                return await self._upload(action, tab)
            case full.NewTab():
                await self.tabs.open_blank()
            case full.CloseTab():
                await self.tabs.active.close()
            case full.SwitchTab(tab=number):
                return ActionEffect(error=self.tabs.switch(number))
            case full.Wait():
                return await _wait(action, tab)
            case full.Forward():
                return await _forward(tab)
            case full.Mouse():
                return await _mouse(action, tab)
            case _:
                raise TypeError(f"the browser has no action {action.type!r}")
        return ActionEffect()

    async def _upload(self, action: full.Upload, tab: Tab) -> ActionEffect:
        path = self.files.uploads.get(action.file)
        if path is None:
            return ActionEffect(error=f'the task offers no file "{action.file[:80]}"; {self.files.hint}')
        spot, effect = await located(action.id, tab)
        if effect.error:
            return effect
        chosen = self.tabs.offer_upload(path)
        await tab.page.mouse.click(spot["x"], spot["y"])
        try:
            await asyncio.wait_for(chosen, CHOOSER_SECONDS)
        except TimeoutError:
            hint = "upload takes the element that opens the choice of a file"
            return replace(effect, error=f"[{action.id}] did not ask for a file; {hint}")
        finally:
            self.tabs.offer_upload(None)
        return replace(effect, value=action.file)


async def _hover_text(text: str, tab: Tab) -> ActionEffect:
    spot = await tab.ask_json("locateText", text)
    if error := spot.get("error"):
        return ActionEffect(error=error)
    await tab.page.mouse.move(spot["x"], spot["y"])
    return ActionEffect()


async def _point(action: full.Hover | full.DoubleClick | full.RightClick, element_id: str, tab: Tab) -> ActionEffect:
    spot, effect = await located(element_id, tab)
    if effect.error:
        return effect
    mouse, x, y = tab.page.mouse, spot["x"], spot["y"]
    match action:
        case full.DoubleClick():
            await mouse.dblclick(x, y)
        case full.RightClick():
            await mouse.click(x, y, button="right")
        case _:
            await mouse.move(x, y)
    return effect


async def _drag(action: full.Drag, tab: Tab) -> ActionEffect:
    spot, effect = await located(action.id, tab)
    if effect.error:
        return effect
    mouse = tab.page.mouse
    await mouse.move(spot["x"], spot["y"])
    await mouse.down()
    try:
        # The drag begins with a move: before the target is scrolled into view, and the source away from the mouse.
        await mouse.move(spot["x"] + 4, spot["y"] + 4, steps=2)
        end = await tab.ask_json("locate", int(action.onto))
        if error := end.get("error"):
            return replace(effect, error=f"not dropped: {error}")
        await mouse.move(end["x"], end["y"], steps=6)
    finally:
        await mouse.up()
    return effect


async def _press(action: full.Press, tab: Tab) -> ActionEffect:
    effect = ActionEffect()
    if action.id:
        spot = await tab.ask_json("locate", int(action.id))
        effect = ActionEffect.of(spot)
        if "target" not in spot or not await tab.ask("focusOn", int(action.id)):
            return replace(effect, error=effect.error or f"[{action.id}] does not take the focus; click it first")
        effect = replace(effect, error="")  # a covered element still gets keys
    await tab.ask("watchForChanges")
    if not action.keys:
        return effect
    try:
        await tab.page.keyboard.press(action.keys)
    except Error as error:
        if "Unknown key" not in str(error):
            raise
        names = "Enter, Escape, Tab, ArrowDown, Backspace, F2, a, Control+a"
        return replace(effect, error=f"{action.keys!r} is no key; keys are called {names}, one at a time")
    return replace(effect, value=action.keys if len(action.keys) == 1 else "")


async def _mouse(action: full.Mouse, tab: Tab) -> ActionEffect:
    mouse, x, y = tab.page.mouse, action.x, action.y
    await tab.ask("watchForChanges")
    if action.gesture == "wheel":
        await mouse.wheel(x, y)
        await tab.ask("frame")  # the wheel takes effect with the next frame
        return ActionEffect()
    width, height = tab.window
    if not (0 <= x < width and 0 <= y < height):
        size = f"{width} by {height} pixels"
        return ActionEffect(error=f"({x:g}, {y:g}) is outside of the window of {size}; scroll first")
    match action.gesture:
        case "click":
            await mouse.click(x, y)
        case "double_click":
            await mouse.dblclick(x, y)
        case "right_click":
            await mouse.click(x, y, button="right")
        case _:
            await mouse.move(x, y)
            if action.gesture != "move":
                await (mouse.down() if action.gesture == "down" else mouse.up())
    return ActionEffect()


async def _wait(action: full.Wait, tab: Tab) -> ActionEffect:
    if not action.text:
        await asyncio.sleep(action.seconds)  # the agent asked for it
        return ActionEffect()
    until = asyncio.get_running_loop().time() + action.seconds
    while not await _shows(action.text, tab):  # a page may lead to another one meanwhile
        if asyncio.get_running_loop().time() >= until:
            late = f"the page did not show {action.text[:80]!r} within {action.seconds:g} seconds"
            return ActionEffect(error=f"{late}; look at what it shows now")
        await asyncio.sleep(POLL_SECONDS)
    return ActionEffect()


async def _shows(text: str, tab: Tab) -> bool:
    """Whether the page shows a text, ignoring case and line breaks."""
    try:
        seen = await tab.frames.observe("observe", "text", False)
    except DocumentReplaced:
        return False
    return squeeze(text) in squeeze(" ".join(str(line[2]) for line in seen["lines"]))


async def _forward(tab: Tab) -> ActionEffect:
    history = await tab.cdp.send("Page.getNavigationHistory")
    if history["currentIndex"] + 1 >= len(history["entries"]):
        return ActionEffect(error="there is no page to go forward to: forward only undoes back")
    await tab.ask("watchForChanges")
    try:
        await tab.page.go_forward(wait_until="commit")
    except Error as error:
        return ActionEffect(error=f"going forward failed: {str(error).splitlines()[0]}; open the address with goto")
    return ActionEffect()
