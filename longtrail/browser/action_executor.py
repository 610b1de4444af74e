"""Action executor: carries out each action on the page with real mouse and keyboard events, at positions that a person
could reach.
"""

import asyncio
from dataclasses import replace
from typing import Any
from urllib.parse import quote_plus, unquote

from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from longtrail.browser.case_files import CaseFiles
from longtrail.browser.full_executor import ActionEffect, FullExecutor, located
from longtrail.browser.observation_budget import ScrollState
from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.browser.url_policy import DEFAULT_PORTS, ParsedUrl, UrlPolicy
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action, Back, Click, Fill, Goto, Scroll, Search, Select
from longtrail.records.full_actions import Clear, NewTab, ReadFile

SEARCH = "https://www.google.com/search?q="
FORMATS = {
    "date": "YYYY-MM-DD",
    "time": "HH:MM",
    "datetime-local": "YYYY-MM-DDTHH:MM",
    "month": "YYYY-MM",
    "week": "YYYY-Www",
    "color": "#rrggbb",
    "range": "a number from {min} to {max} in steps of {step}",
}
"""Fields without free text, and the format of their values."""
NOT_TYPED = {"checkbox": "click", "radio": "click", "select": "select", "file": "upload", "button": "click"}
"""Elements for which other actions exist."""
BLOCKED = "downloads are blocked"
KEYED = 200
"""The most characters that are typed key by key where the page listens to keys."""

SINGLE_LINE = frozenset({"text", "search", "email", "url", "tel", "password", "number"})


class ActionExecutor:
    """Carries out actions in the active tab of a session."""

    def __init__(
        self, tabs: Tabs, files: CaseFiles, url_policy: UrlPolicy, reading: ScrollState, site_seconds: float
    ) -> None:
        self._tabs, self._files = tabs, files
        self._url_policy = url_policy
        self._reading = reading
        self._site_seconds = site_seconds
        """Seconds within which a site must answer with a document."""
        self._full = FullExecutor(tabs, files)

    async def do(self, action: Action, tab: Tab) -> ActionEffect:
        """Carry out an action. If the page makes it impossible, `ActionEffect` has an error message for the agent."""
        try:
            match action:
                case Goto(url=url):
                    return await self.goto(url, tab)
                case Search(query=query):
                    return await self.goto(SEARCH + quote_plus(query), tab)
                case Back():
                    return await self._back(tab)
                case Scroll():
                    return await self._scroll(tab, action.direction, action.id)
                case Click(id=element_id):
                    return await self._click(element_id, tab)
                case Fill():
                    return await self._fill(action, tab)
                case Clear(id=element_id):
                    return await self._fill(Fill(id=element_id, text=""), tab)
                case Select(id=element_id, option=option):
                    return await self._select(element_id, option, tab)
                case ReadFile(file=name):
                    return ActionEffect(error=await asyncio.to_thread(self._files.open, name))
                case NewTab(url=url) if url:
                    await self._tabs.open_blank()
                    return await self.goto(url, self._tabs.active)
                case _:
                    return await self._full.do(action, tab)
        except DocumentReplaced:
            return ActionEffect(error="the page changed before the action could be carried out; look again")

    async def goto(self, url: str, tab: Tab) -> ActionEffect:
        """Open an address, if the URL policy allows it. Raises HarnessTrouble("site_timeout") if no site answers."""
        address = await self._parse(url.strip(), tab)
        if address is None:
            veiled = await tab.parse(_decoded(url))
            refusal = self._url_policy.refusal(veiled) if veiled and veiled.protocol not in DEFAULT_PORTS else ""
            error = f"{url[:200]!r} is no address; give a whole one, like https://www.example.com/page"
            return ActionEffect(error=error, violation=f"goto {url[:500]}: {refusal}" if refusal else "")
        if refusal := self._url_policy.refusal(address):
            error = f"not opened: {refusal}; go on with other addresses"
            return ActionEffect(error=error, violation=f"goto {url[:500]}: {refusal}")
        try:
            await tab.page.goto(address.href, wait_until="commit", timeout=self._site_seconds * 1000)
        except PlaywrightTimeout:
            await tab.cdp.send("Page.stopLoading")
            late = f"{address.hostname} did not answer within {self._site_seconds:g} seconds"
            raise HarnessTrouble("site_timeout", late) from None
        except Error as error:
            why = _why(address, error)
            saved = why.endswith(BLOCKED) and self._files.saves
            # Whether it is a download is known when its own event has come, which has a note.
            return ActionEffect(note=f"{address.href[:200]} gave no page") if saved else ActionEffect(error=why)
        return ActionEffect()

    async def _parse(self, url: str, tab: Tab) -> ParsedUrl | None:
        """The address as the browser parses it, also without a scheme or as a path on the current site."""
        parsed = await tab.parse(url, tab.url if url.startswith("/") else "")
        if "://" not in url and (parsed is None or "." in parsed.protocol):
            parsed = await tab.parse(f"https://{url}")
        return parsed

    async def _back(self, tab: Tab) -> ActionEffect:
        history = await tab.cdp.send("Page.getNavigationHistory")
        entries = history["entries"][: history["currentIndex"]]
        if not any(entry["url"] != "about:blank" for entry in entries):
            if len(self._tabs.tabs) == 1:
                return ActionEffect(error="there is no page to go back to; open an address with goto")
            await tab.close()  # as people do with a tab without history
            return ActionEffect()
        await tab.ask("watchForChanges")
        try:
            await tab.page.go_back(wait_until="commit", timeout=self._site_seconds * 1000)
        except Error as error:
            return ActionEffect(error=f"going back failed: {_reason(error)}; open the address with goto")
        return ActionEffect()

    async def _scroll(self, tab: Tab, direction: str, element_id: str) -> ActionEffect:
        if element_id:
            box = await tab.ask_json("scrollBox", int(element_id), 1 if direction == "down" else -1)
            note = "" if box.get("moved") else f"the box is at its {'end' if direction == 'down' else 'beginning'}"
            return ActionEffect(error=box["error"]) if "error" in box else ActionEffect(note=note)
        distance = 0 if self._files.shown else self._reading.distance(direction)
        if distance and (await tab.ask_json("scroll", distance))["moved"]:
            self._reading.moved()
            return ActionEffect()
        if self._reading.turn(direction):
            return ActionEffect()
        far = "end of the page, as far as it has loaded" if direction == "down" else "beginning of the page"
        return ActionEffect(note=f"this is the {far}")

    async def _click(self, element_id: str, tab: Tab) -> ActionEffect:
        spot, effect = await located(element_id, tab)
        if effect.error:
            return effect
        if spot["kind"] == "select":
            return replace(effect, error=f"[{element_id}] is a drop-down list: use select with the option's text")
        if spot["kind"] == "file":
            how = "use upload" if self._files.uploads else self._files.hint
            return replace(effect, error=f"[{element_id}] asks for a file: {how}")
        await tab.page.mouse.click(spot["x"], spot["y"])
        try:
            landed = await tab.ask("landed")
        except DocumentReplaced:
            return effect
        if landed is False:
            return replace(effect, error=f"[{element_id}] moved away from under the mouse; look again")
        return effect

    async def _fill(self, action: Fill, tab: Tab) -> ActionEffect:
        element_id = int(action.id)
        spot, effect = await located(action.id, tab)
        if effect.error:
            return effect
        kind = spot["kind"]
        if kind in FORMATS and spot["editable"]:
            effect = await self._set(element_id, kind, action.text.strip(), tab, effect)
        elif not spot["editable"]:
            return replace(effect, error=f"[{element_id}] is no field for text{_instead(spot)}")
        else:
            effect = await self._type(element_id, action.text, spot, tab, effect)
        if action.enter and not effect.error:
            if kind == "textarea" and not effect.note and not await tab.listens_to_keys():
                effect = replace(effect, note="Enter only began a new line; this field is sent by a button")
            await tab.page.keyboard.press("Enter")
        return effect

    async def _set(self, element_id: int, kind: str, text: str, tab: Tab, effect: ActionEffect) -> ActionEffect:
        value = await tab.ask("setValue", element_id, text)
        if value and (value == text or kind != "color" or value == text.lower()):
            return replace(effect, value=value)
        if not text and kind not in ("range", "color"):
            return effect  # emptied
        limits = await tab.ask_json("limits", element_id)
        takes = FORMATS[kind].format(**limits)
        return replace(effect, error=f"[{element_id}] takes {takes}, not {text[:80]!r}", value=value or "")

    async def _type(
        self, element_id: int, text: str, spot: dict[str, Any], tab: Tab, effect: ActionEffect
    ) -> ActionEffect:
        if spot["kind"] in SINGLE_LINE:
            text = " ".join(text.splitlines())
        await tab.page.mouse.click(spot["x"], spot["y"])
        if not await tab.ask("selectAll", element_id):
            return replace(effect, error=f"[{element_id}] does not keep the focus; look again")
        keyboard = tab.page.keyboard
        if not text:
            await keyboard.press("Delete")
        else:
            # Where nothing listens to keys: all but the last character as one input event, the last one with its keys.
            # Listeners of `input` and `keyup` get the whole text, and a long text takes no longer than a short one.
            start = 0 if len(text) <= KEYED and await tab.listens_to_keys() else len(text) - 1
            if start:
                await keyboard.insert_text(text[:start])
            first, *lines = text[start:].split("\n")
            await keyboard.type(first)
            for line in lines:  # Enter alone would send the text in a chat's field
                await keyboard.press("Shift+Enter")
                await keyboard.type(line)
        held = await tab.ask("fieldValue", element_id)
        if held is not None and _plain(held) != _plain(text):
            effect = replace(effect, note=f"the field now holds {held[:200]!r}")
        return replace(effect, value=text)

    async def _select(self, element_id: str, option: str, tab: Tab) -> ActionEffect:
        _, effect = await located(element_id, tab)
        if effect.error:
            return effect
        chosen = await tab.ask_json("choose", int(element_id), option)
        if chosen.get("unknown") and await tab.ask("open", int(element_id)):
            chosen = await tab.ask_json("choose", int(element_id), option)
        return replace(effect, error=chosen.get("error", ""), value=chosen.get("value", ""))


def _decoded(url: str) -> str:
    """Decode percent signs, at most twice: `%2566ile:` is `file:`."""
    return unquote(unquote(url)).strip()


def _plain(text: str) -> str:
    return " ".join(text.split())


def _reason(error: Error) -> str:
    """`net::ERR_TOO_MANY_REDIRECTS` from Playwright's message."""
    line = str(error).splitlines()[0] if str(error) else "unknown"
    words = [word for word in line.split() if word.startswith("net::")]
    return words[0].removeprefix("net::").rstrip(":") if words else line.removeprefix("Page.goto: ")


def _why(address: ParsedUrl, error: Error) -> str:
    """What happened to a navigation, as a message for the agent."""
    reason = _reason(error)
    if "Download is starting" in reason:
        return f"{address.href[:200]} is a file to download; {BLOCKED}"
    if reason == "ERR_ABORTED":
        return f"{address.href[:200]} gave no page: nothing to show, or it is a file to download; {BLOCKED}"
    if "interrupted by another navigation" in reason:
        return ""  # the page redirected the browser to another address: the page shown there counts
    return f"{address.href[:200]} could not be opened: {reason}; check the address, or go another way"


def _instead(spot: dict[str, Any]) -> str:
    """What to do with an element that takes no text."""
    kind, role = spot["kind"], spot["target"]["role"]
    if role in ("slider", "spinbutton"):
        return ": press ArrowRight or ArrowLeft on it (press, with --actions full)"
    if kind in NOT_TYPED:
        return f": use {NOT_TYPED[kind]}"
    return " or it is read-only: click it, if it opens a choice, or choose another element"
