"""Page scripts: one program for our isolated world, one for the page's clock."""

import json
from datetime import datetime
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "page"
PARTS = (
    "roles",
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
    "act",
)
"""In the order in which they define what the next one uses."""


@cache
def program() -> str:
    """What our isolated world holds; the page itself never sees any of it."""
    source = "\n".join((FOLDER / f"{part}.js").read_text("utf-8") for part in PARTS)
    return f"if (!globalThis.longtrail) {{ (() => {{ 'use strict';\n{source}\n}})() }}\n"


def clock(now: datetime) -> str:
    """What stops the page's clock at this moment."""
    return f"{(FOLDER / 'clock.js').read_text('utf-8').strip()}({int(now.timestamp() * 1000)})"


@cache
def shadow() -> str:
    """What lets us see the shadow trees that pages close. Runs in the page's own world, before its scripts."""
    return (FOLDER / "shadow.js").read_text("utf-8").strip()


@cache
def popups() -> str:
    """What blocks windows that nobody asked for. Runs in the page's own world, before its scripts."""
    return (FOLDER / "popups.js").read_text("utf-8").strip()


PRINT = "window.print = () => {}"
"""Nobody is there to see a print dialog."""


PARSE = """(text, base) => {
  try {
    const url = base ? new URL(text, base) : new URL(text);
    const {href, protocol, hostname, port} = url;
    return JSON.stringify({href, protocol, hostname, port, userinfo: !!(url.username || url.password)});
  } catch { return 'null'; }
}"""
"""The browser's own parser; in our isolated world, where the page can't have replaced it."""


def parse(text: str, base: str) -> str:
    """The expression that takes an address apart."""
    return f"({PARSE})({json.dumps(text)}, {json.dumps(base)})"


def invoke(function: str, *arguments: object) -> str:
    """The expression that calls one of our functions."""
    return f"longtrail.{function}({', '.join(json.dumps(argument) for argument in arguments)})"
