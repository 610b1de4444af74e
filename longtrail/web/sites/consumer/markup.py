"""Markup: the small markup of written texts, parsed to nodes that a template turns into HTML."""

import re
from dataclasses import dataclass
from functools import lru_cache

_SPAN = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)|\*\*([^*]+)\*\*")


@dataclass(frozen=True, slots=True)
class MarkupSpan:
    """A run of text; a link if `to` is given."""

    text: str
    to: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class MarkupNode:
    """A paragraph, a heading, or a list; a list has one line an entry."""

    kind: str
    lines: tuple[tuple[MarkupSpan, ...], ...]


@lru_cache(maxsize=16_384)
def spans(text: str) -> tuple[MarkupSpan, ...]:
    """The runs of one line."""
    found: list[MarkupSpan] = []
    end = 0
    for match in _SPAN.finditer(text):
        if match.start() > end:
            found.append(MarkupSpan(text[end : match.start()]))
        found.append(MarkupSpan(match[1], to=match[2]) if match[1] else MarkupSpan(match[3], strong=True))
        end = match.end()
    if end < len(text):
        found.append(MarkupSpan(text[end:]))
    return tuple(found)


@lru_cache(maxsize=16_384)
def nodes(text: str) -> tuple[MarkupNode, ...]:
    """The nodes of a text: paragraphs are parted by empty lines, `## ` opens a heading, `- ` an entry of a list."""
    found: list[MarkupNode] = []
    for chunk in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in chunk.splitlines() if line.strip()]
        if not lines:
            continue
        if all(line.startswith("- ") for line in lines):
            found.append(MarkupNode("list", tuple(spans(line[2:]) for line in lines)))
        elif lines[0].startswith("## "):
            found.append(MarkupNode("heading", (spans(lines[0][3:]),)))
            if lines[1:]:
                found.append(MarkupNode("paragraph", (spans(" ".join(lines[1:])),)))
        else:
            found.append(MarkupNode("paragraph", (spans(" ".join(lines)),)))
    return tuple(found)


def plain(text: str) -> str:
    """The text without its markup, for indexes and descriptions."""
    return " ".join("".join(span.text for span in line) for node in nodes(text) for line in node.lines)
