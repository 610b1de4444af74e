"""Page scripts: one program for our isolated world, one for the page's clock."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

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
