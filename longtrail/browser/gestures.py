"""Gestures: further actions of agents made for other harnesses: keys, hovering, double clicks, positions, tabs."""

import asyncio
import json
from typing import Any

from playwright.async_api import Error

from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.records.action import Gesture
from longtrail.records.trajectory import Target

MAX_WAIT = 5.0
"""Longest `wait` in seconds."""
ON_ELEMENTS = frozenset({"hover", "double_click", "focus", "drag"})


async def gesture(action: Gesture, tab: Tab, tabs: Tabs) -> tuple[str, Target | None]:
    """Carry out a gesture. Returns an error (or an empty text), and the element of the gesture."""
    if action.name in ON_ELEMENTS or action.id:
        return await _on_element(action, tab)
    if action.name.startswith("tab_"):
        return await _tabs(action, tabs), None
    if action.name == "wait":
        await asyncio.sleep(min(max(action.x, 0) / 1000, MAX_WAIT))  # the agent asked for it
        return "", None
    if action.name == "forward":
        return await _forward(tab), None
    await tab.ask("arm")
    if action.name in ("press", "write"):
        return await _keys(action, tab), None
    return await _mouse(action, tab), None


async def _on_element(action: Gesture, tab: Tab) -> tuple[str, Target | None]:
    if not action.id:
        return f"{action.name} needs an element", None
    spot = await tab.ask_json("locate", int(action.id))
    target = Target(**spot["target"]) if "target" in spot else None
    if error := spot.get("error", ""):
        return error, target
    mouse, x, y = tab.page.mouse, spot["x"], spot["y"]
    match action.name:
        case "hover":
            await mouse.move(x, y)
        case "double_click":
            await mouse.dblclick(x, y)
        case "drag":
            return await _drag(action, x, y, tab), target
        case _:
            if not await tab.ask("focusOn", int(action.id)):
                return f"[{action.id}] does not take the focus", target
            return (await _keys(action, tab) if action.name in ("press", "write") else ""), target
    return "", target


async def _drag(action: Gesture, x: float, y: float, tab: Tab) -> str:
    if not action.onto:
        return "drag needs a second element"
    mouse = tab.page.mouse
    await mouse.move(x, y)
    await mouse.down()
    try:
        end: dict[str, Any] = await tab.ask_json("locate", int(action.onto))
        if error := end.get("error"):
            return str(error)
        await mouse.move(end["x"], end["y"], steps=4)
    finally:
        await mouse.up()
    return ""


async def _keys(action: Gesture, tab: Tab) -> str:
    if action.name == "write":
        await tab.page.keyboard.insert_text(action.text)
        return ""
    try:
        await tab.page.keyboard.press(action.text)
    except Error as error:
        if "Unknown key" not in str(error):
            raise
        return f"{action.text[:40]!r} is no key; keys are called Enter, Escape, ArrowDown, Control+a ..."
    return ""


async def _mouse(action: Gesture, tab: Tab) -> str:
    mouse = tab.page.mouse
    if action.name == "wheel":
        await mouse.wheel(action.x, action.y)
        await tab.ask("frame")  # the wheel takes effect with the next frame
        return ""
    width, height = tab.window
    if not (0 <= action.x < width and 0 <= action.y < height):
        return f"({action.x:g}, {action.y:g}) is outside of the window of {width} by {height} pixels"
    match action.name:
        case "mouse_click":
            await mouse.click(action.x, action.y)
        case "mouse_double_click":
            await mouse.dblclick(action.x, action.y)
        case _:
            await mouse.move(action.x, action.y)
            if action.name != "mouse_move":
                await (mouse.down() if action.name == "mouse_down" else mouse.up())
    return ""


async def _tabs(action: Gesture, tabs: Tabs) -> str:
    if action.name == "tab_new":
        await tabs.open_blank()
    elif action.name == "tab_close":
        await tabs.active.close()
    elif not tabs.focus(int(action.x)):
        return f"there is no tab {action.x:g}; there are {len(tabs.tabs)}, counted from 0"
    return ""


async def _forward(tab: Tab) -> str:
    history = await tab.cdp.send("Page.getNavigationHistory")
    if history["currentIndex"] + 1 >= len(history["entries"]):
        return "there is no page to go forward to"
    await tab.ask("arm")
    try:
        await tab.page.go_forward(wait_until="commit")
    except Error as error:
        return f"going forward failed: {json.dumps(str(error).splitlines()[0])}"
    return ""
