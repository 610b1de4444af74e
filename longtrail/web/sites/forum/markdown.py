"""Markdown: a member's text as blocks and spans. Pure data; `templates/markdown.html` turns it into HTML.

Known: headings, paragraphs, bulleted and numbered lists, quotes, fenced code, rules; strong, emphasis, code, links,
bare addresses, and the forum's own `/f/name`, `/u/name`, `/w/path`. Everything else is text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

SpanKind = Literal["text", "strong", "em", "code", "link"]
BlockKind = Literal["h", "p", "ul", "ol", "quote", "code", "hr"]

INLINE = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<strong>.+?)\*\*"
    r"|(?<![\w*])\*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*(?!\w)"
    r"|\[(?P<label>[^\]]+)\]\((?P<target>[^)\s]+)\)"
    r"|(?P<bare>https?://[^\s<>\"]*[^\s<>\".,;:!?)'\]])"
    r"|(?<![\w/])/?(?P<kind>[fuw])/(?P<name>[A-Za-z]\w{1,24}(?:/[\w-]+)*)"
)
BULLET = re.compile(r"^\s{0,3}[-*]\s+(.*)$")
NUMBER = re.compile(r"^\s{0,3}(\d+)\.\s+(.*)$")
HEADING = re.compile(r"^(#{1,4})\s+(.*)$")
OWN = {"f": "/f/", "u": "/user/", "w": "/wiki/"}


@dataclass(frozen=True, slots=True)
class InlineSpan:
    """A run of text of one kind; links have a target."""

    kind: SpanKind
    text: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its spans (paragraph, heading), its items (lists), its blocks (quote), or its text (code)."""

    kind: BlockKind
    spans: tuple[InlineSpan, ...] = ()
    items: tuple[tuple[InlineSpan, ...], ...] = ()
    blocks: tuple["Block", ...] = ()
    text: str = ""
    level: int = 0
    """Headings: 1-4; numbered lists: the first number."""


def spans(text: str) -> tuple[InlineSpan, ...]:
    """One paragraph's text, taken apart."""
    found: list[InlineSpan] = []
    end = 0
    for match in INLINE.finditer(text):
        if match.start() > end:
            found.append(InlineSpan("text", text[end : match.start()]))
        found.append(_span(match))
        end = match.end()
    if end < len(text):
        found.append(InlineSpan("text", text[end:]))
    return tuple(found)


def _span(match: re.Match[str]) -> InlineSpan:
    part = match.groupdict()
    if part["code"]:
        return InlineSpan("code", part["code"])
    if part["strong"]:
        return InlineSpan("strong", part["strong"])
    if part["em"]:
        return InlineSpan("em", part["em"])
    if part["label"]:
        safe = part["target"].startswith(("https://", "http://", "/"))
        return InlineSpan("link", part["label"], part["target"]) if safe else InlineSpan("text", match[0])
    if part["bare"]:
        return InlineSpan("link", part["bare"], part["bare"])
    return InlineSpan("link", match[0], OWN[part["kind"]] + part["name"])


def blocks(text: str) -> tuple[Block, ...]:
    """A whole text as blocks."""
    lines = text.replace("\r\n", "\n").split("\n")
    found: list[Block] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block, at = _block(lines, at)
        found.append(block)
    return tuple(found)


def _block(lines: list[str], at: int) -> tuple[Block, int]:
    """The block that starts in this line, and the line after it."""
    line = lines[at]
    if line.startswith("```"):
        end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), len(lines))
        return Block("code", text="\n".join(lines[at + 1 : end])), end + 1
    if line.strip() in ("---", "***"):
        return Block("hr"), at + 1
    if heading := HEADING.match(line):
        return Block("h", spans=spans(heading[2]), level=len(heading[1])), at + 1
    if line.startswith(">"):
        end = _while(lines, at, lambda text: text.startswith(">"))
        return Block("quote", blocks=blocks("\n".join(text[1:].lstrip() for text in lines[at:end]))), end
    if BULLET.match(line):
        end = _while(lines, at, lambda text: BULLET.match(text) is not None)
        return Block("ul", items=tuple(spans(text.lstrip()[1:].lstrip()) for text in lines[at:end])), end
    if first := NUMBER.match(line):
        end = _while(lines, at, lambda text: NUMBER.match(text) is not None)
        items = tuple(spans(text.split(".", 1)[1].lstrip()) for text in lines[at:end])
        return Block("ol", items=items, level=int(first[1])), end
    end = at + 1
    while end < len(lines) and lines[end].strip() and not _starts_block(lines[end]):
        end += 1
    return Block("p", spans=spans(" ".join(text.strip() for text in lines[at:end]))), end


def _while(lines: list[str], at: int, holds: Callable[[str], bool]) -> int:
    end = at
    while end < len(lines) and holds(lines[end]):
        end += 1
    return end


def _starts_block(line: str) -> bool:
    return bool(line.startswith(("```", ">")) or HEADING.match(line) or BULLET.match(line) or NUMBER.match(line))
