"""Markup: texts in a subset of Markdown (headings, lists, links, strong), parsed to nodes for a template."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

PARSER = MarkdownIt("zero").enable(["heading", "list", "emphasis", "link"])
"""Everything that is not enabled, such as raw HTML, stays plain text."""
PARSER.normalizeLink = lambda target: target  # type: ignore[method-assign, assignment] # keep sites' own addresses unchanged
_MARKED = re.compile(r"[*_\[\n#]|^\s*(?:[-+]|\d+[.)])(?:\s|$)|^\s|\s$")
"""Characters of possible markup. Most texts have none; parsing them would take most of the time of building an index.
"""
_BREAK = re.compile(r"[ \t]*\n[ \t]*")


@dataclass(frozen=True, slots=True)
class MarkupSpan:
    """A run of text; a link if `to` is given."""

    text: str
    to: str = ""
    strong: bool = False
    em: bool = False


@dataclass(frozen=True, slots=True)
class MarkupNode:
    """A paragraph, a heading, a list, or a numbered list; lists have one line per entry."""

    kind: str
    lines: tuple[tuple[MarkupSpan, ...], ...]
    first: int = 1
    """Numbered lists: the first number."""


@lru_cache(maxsize=16_384)
def spans(text: str) -> tuple[MarkupSpan, ...]:
    """The runs of one line."""
    return tuple(_spans(SyntaxTreeNode(PARSER.parseInline(text)).children))


@lru_cache(maxsize=16_384)
def nodes(text: str) -> tuple[MarkupNode, ...]:
    """The nodes of a text: paragraphs are separated by empty lines, `## ` begins a heading, `- ` an entry of a list."""
    if text and not _MARKED.search(text):
        return (MarkupNode("paragraph", ((MarkupSpan(text),),)),)
    return tuple(map(_node, SyntaxTreeNode(PARSER.parse(text)).children))


def plain(text: str) -> str:
    """The text without its markup, for indexes and descriptions."""
    return " ".join("".join(span.text for span in line) for node in nodes(text) for line in node.lines)


def _node(node: SyntaxTreeNode) -> MarkupNode:
    if node.type == "bullet_list":
        return MarkupNode("list", tuple(tuple(_spans([item])) for item in node.children))
    if node.type == "ordered_list":
        lines = tuple(tuple(_spans([item])) for item in node.children)
        return MarkupNode("numbered", lines, int(node.attrs.get("start", 1)))
    return MarkupNode("heading" if node.type == "heading" else "paragraph", (tuple(_spans(node.children)),))


def _spans(nodes: Sequence[SyntaxTreeNode], *, strong: bool = False, em: bool = False) -> Iterator[MarkupSpan]:
    """The runs of text in these, in order."""
    for node in nodes:
        if node.type == "text" and node.content:
            yield MarkupSpan(_BREAK.sub(" ", node.content), strong=strong, em=em)
        elif node.type == "link":
            yield MarkupSpan("".join(run.text for run in _spans(node.children)), to=str(node.attrs["href"]))
        else:
            yield from _spans(node.children, strong=strong or node.type == "strong", em=em or node.type == "em")
