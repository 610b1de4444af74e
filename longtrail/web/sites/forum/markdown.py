"""Markdown: a member's text as blocks and spans. Pure data; `templates/markdown.html` turns it into HTML.

markdown-it parses CommonMark without raw HTML, pictures and reference links. Added are links for plain addresses and
for the forum's own `/f/name`, `/u/name`, `/w/path`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

SpanKind = Literal["text", "strong", "em", "code", "link"]
BlockKind = Literal["h", "p", "ul", "ol", "quote", "code", "hr"]

PARSER = MarkdownIt("zero").enable(["heading", "list", "blockquote", "fence", "hr", "backticks", "emphasis", "link"])
"""Everything that is not enabled stays plain text: raw HTML, pictures, entities, tables."""
PARSER.validateLink = lambda target: target.startswith(("https://", "http://", "/"))  # type: ignore[method-assign, assignment]
BARE = re.compile(
    r"(?P<bare>https?://[^\s<>\"]*[^\s<>\".,;:!?)'\]])"
    r"|(?<![\w/])/?(?P<kind>[fuw])/(?P<name>[A-Za-z]\w{1,24}(?:/[\w-]+)*)"
)
"""Links that are written without markup."""
OWN = {"f": "/f/", "u": "/user/", "w": "/wiki/"}
LISTS = ("bullet_list", "ordered_list")
_BREAK = re.compile(r"[ \t]*\n[ \t]*")


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
    """Headings: 1-5; numbered lists: the first number."""


def spans(text: str) -> tuple[InlineSpan, ...]:
    """One paragraph's text, parsed."""
    return tuple(_spans(SyntaxTreeNode(PARSER.parseInline(text)).children))


def blocks(text: str) -> tuple[Block, ...]:
    """A whole text as blocks."""
    return tuple(map(_block, SyntaxTreeNode(PARSER.parse(text)).children))


def _block(node: SyntaxTreeNode) -> Block:
    match node.type:
        case "hr":
            return Block("hr")
        case "fence":
            return Block("code", text=node.content.removesuffix("\n"))
        case "blockquote":
            return Block("quote", blocks=tuple(map(_block, node.children)))
        case "bullet_list":
            return Block("ul", items=tuple(_items(node)))
        case "ordered_list":
            return Block("ol", items=tuple(_items(node)), level=int(node.attrs.get("start", 1)))
        case "heading":
            return Block("h", spans=tuple(_spans(node.children)), level=min(5, int(node.tag[1:])))
    return Block("p", spans=tuple(_spans(node.children)))


def _items(node: SyntaxTreeNode) -> Iterator[tuple[InlineSpan, ...]]:
    """A list's items; items of a nested list follow their parent item."""
    for item in node.children:
        spans: list[InlineSpan] = []
        for part in item.children:
            if part.type not in LISTS:
                spans += [InlineSpan("text", " ")] * bool(spans)
                spans += _spans([part])
        yield tuple(spans)
        for part in item.children:
            if part.type in LISTS:
                yield from _items(part)


def _spans(nodes: Sequence[SyntaxTreeNode], kind: SpanKind = "text") -> Iterator[InlineSpan]:
    """The runs of text in these nodes, in order; `kind`: the kind of text without other markup."""
    for node in nodes:
        match node.type:
            case "text" if kind == "text":
                yield from _with_links(_BREAK.sub(" ", node.content))
            case "text" if node.content:
                yield InlineSpan(kind, _BREAK.sub(" ", node.content))
            case "code_inline" | "fence":
                yield InlineSpan("code", node.content)
            case "link":
                yield InlineSpan(
                    "link", "".join(run.text for run in _spans(node.children, "em")), str(node.attrs["href"])
                )
            case "strong" | "em":
                yield from _spans(node.children, "strong" if node.type == "strong" else "em")
            case _:  # a block in a list; an empty text
                yield from _spans(node.children, kind)


def _with_links(text: str) -> Iterator[InlineSpan]:
    """Text, and the links in it that are written without markup."""
    end = 0
    for match in BARE.finditer(text):
        if match.start() > end:
            yield InlineSpan("text", text[end : match.start()])
        yield InlineSpan("link", match[0], match["bare"] or OWN[match["kind"]] + match["name"])
        end = match.end()
    if end < len(text):
        yield InlineSpan("text", text[end:])
