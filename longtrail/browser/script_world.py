"""Script world: our isolated world in one frame, where the page's scripts can't see our functions, and the scripts that
we run there and in the page's own world.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Error, Page

from longtrail.errors import HarnessTrouble

WORLD = "longtrail"
GONE = (
    "context was destroyed",
    "Cannot find context",
    "Inspected target navigated",
    "No frame",
    "uniqueContextId",
    "Frame with",
)
"""The browser's messages when the document was replaced during our call."""
ENDED = "Internal error"
"""Its messages when our call was ended together with a script of the page (`Tab.interrupt`)."""


class DocumentReplaced(Exception):
    """The document was replaced, its scripts were ended or its tab was closed, while it was being asked; ask the active
    tab again."""


_LONE_SURROGATE = re.compile(r"(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}")


def from_page(text: str) -> Any:
    """JSON of the page's script as Python's objects. Half of a surrogate pair, which a script can cut out of a text,
    becomes U+FFFD: nothing can encode it. (`JSON.stringify` escapes only such halves.)"""
    return json.loads(_LONE_SURROGATE.sub(r"\1\\ufffd", text) if "\\ud" in text else text)


class ScriptWorld:
    """The world of one frame of a page. It is made on first use and again after the frame's document was replaced."""

    def __init__(self, page: Page, cdp: CDPSession, crash: "asyncio.Future[Any]", frame: str) -> None:
        """`crash` is done when the page's process has ended."""
        self.page = page
        self.cdp = cdp
        self.crash = crash
        self.frame = frame
        """The frame's id."""
        self.context: int | None = None
        self._installed = False

    def of_frame(self, frame: str) -> "ScriptWorld":
        """The world of another frame of this page."""
        return ScriptWorld(self.page, self.cdp, self.crash, frame)

    async def ask(self, function: str, *arguments: object) -> Any:
        """Call one of our functions; returns its value (strings and numbers). Raises DocumentReplaced."""
        call = invoke(function, *arguments)
        return await self.evaluate(call if self._installed else program() + call, installs=True)

    async def evaluate(self, source: str, *, installs: bool = False, by_value: bool = True) -> Any:
        """The value of an expression, or, if not `by_value`, the id of its object. `installs`: it includes our program.
        Raises DocumentReplaced."""
        if self.crash.done():
            raise self._crashed()
        try:
            if self.context is None:
                world = {"frameId": self.frame, "worldName": WORLD, "grantUniveralAccess": True}  # (sic)
                self.context = (await self.cdp.send("Page.createIsolatedWorld", world))["executionContextId"]
            context = self.context
            value = await self._evaluate(source, context, by_value)
            self._installed = self._installed or (installs and context == self.context)
            return value
        except Error as error:
            if self.crash.done() or "crashed" in str(error):
                raise self._crashed() from error
            if any(word in str(error) for word in GONE):
                self.forget()
                raise DocumentReplaced from error
            if ENDED in str(error) or self.page.is_closed():
                raise DocumentReplaced from error
            raise

    def forget(self) -> None:
        """The document was replaced, and our functions with it."""
        self.context, self._installed = None, False

    def _crashed(self) -> HarnessTrouble:
        return HarnessTrouble("browser_crash", f"the page at {self.page.url} crashed")

    async def _evaluate(self, source: str, context: int, by_value: bool) -> Any:
        order = {"expression": source, "contextId": context, "awaitPromise": True, "returnByValue": by_value}
        asking: asyncio.Future[Any] = asyncio.ensure_future(self.cdp.send("Runtime.evaluate", order))
        try:
            # An ended process does not answer, and nothing else would report it.
            await asyncio.wait((asking, self.crash), return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise self._crashed()
            answer = asking.result()
        finally:
            asking.cancel()
        if details := answer.get("exceptionDetails"):
            thrown = details.get("exception", {}).get("description", details.get("text", ""))
            raise HarnessTrouble("harness_bug", f"the page's script failed: {thrown}")
        return answer["result"].get("value" if by_value else "objectId")


FOLDER = Path(__file__).parent / "page"
PARTS = (
    "roles",
    "generated",
    "names",
    "forms",
    "visible",
    "writer",
    "settle",
    "observe",
    "controls",
    "structure",
    "served",
    "watch",
    "trees",
    "scroll",
    "act",
)
"""In the order of their dependencies."""


@cache
def program() -> str:
    """The program of our isolated world; the page can't see it."""
    source = "\n".join((FOLDER / f"{part}.js").read_text("utf-8") for part in PARTS)
    return f"if (!globalThis.longtrail) {{ (() => {{ 'use strict';\n{source}\n}})() }}\n"


def clock(now: datetime) -> str:
    """The script that freezes the page's clock at this time."""
    return f"{(FOLDER / 'clock.js').read_text('utf-8').strip()}({int(now.timestamp() * 1000)})"


@cache
def shadow() -> str:
    """The script that makes closed shadow trees readable. Runs in the page's own world, before its scripts."""
    return (FOLDER / "shadow.js").read_text("utf-8").strip()


@cache
def popups() -> str:
    """The script that blocks unrequested windows. Runs in the page's own world, before its scripts."""
    return (FOLDER / "popups.js").read_text("utf-8").strip()


PRINT = "window.print = () => {}"
"""Disables printing: nobody could answer the dialog."""
KEY_LISTENERS = """(() => {
  let element = document.activeElement;
  for (let inner = element; inner;) {
    element = inner;
    if (element.tagName === 'IFRAME' && !element.contentDocument) return true;  // its listeners are not known
    inner = element.shadowRoot?.activeElement || element.contentDocument?.activeElement;
  }
  for (let node = element; node; node = node.parentNode || node.host) {
    const {keydown, keypress} = getEventListeners(node);
    if (keydown || keypress) return true;
  }
  return false;
})()"""
"""Whether the element with the focus, or something around it, has listeners for keys; without the window's: one of them
is ours."""
PARSE = """(text, base) => {
  try {
    const url = base ? new URL(text, base) : new URL(text);
    const {href, protocol, hostname, port} = url;
    return JSON.stringify({href, protocol, hostname, port, userinfo: !!(url.username || url.password)});
  } catch { return 'null'; }
}"""
"""The browser's own parser, in our isolated world, where the page can't replace it."""


def parse(text: str, base: str) -> str:
    """The expression that parses an address."""
    return f"({PARSE})({json.dumps(text)}, {json.dumps(base)})"


def invoke(function: str, *arguments: object) -> str:
    """The expression that calls one of our functions in the page."""
    return f"longtrail.{function}({', '.join(json.dumps(argument) for argument in arguments)})"


def restored(origin: Mapping[str, Any]) -> str:
    """A script that restores an origin's local storage if it has none yet."""
    items = {item["name"]: item["value"] for item in origin.get("localStorage", [])}
    return (
        f"if (location.origin === {json.dumps(origin['origin'])} && !localStorage.length) "
        f"for (const [name, value] of Object.entries({json.dumps(items)})) localStorage.setItem(name, value)"
    )
