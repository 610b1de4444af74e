"""Markup: texts in a subset of Markdown (headings, lists, links, strong) as HTML, by markdown-it."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup

PARSER = MarkdownIt("zero").enable(["heading", "list", "emphasis", "link"])
"""Everything that is not enabled, such as raw HTML, stays plain text."""
PARSER.normalizeLink = lambda target: target  # type: ignore[method-assign, assignment] # keep sites' own addresses unchanged
_MARKED = re.compile(r"[*_\[\n#]|^\s*(?:[-+]|\d+[.)])(?:\s|$)|^\s|\s$")
"""Characters of possible markup. Most texts have none; parsing them would take most of the time of building an index.
"""
_BREAK = re.compile(r"[ \t]*\n[ \t]*")


def _lower_headings(state: StateCore) -> None:
    """All headings are of the third level: they stand in a block of a page."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = "h3"


PARSER.core.ruler.push("replica", _lower_headings)


@lru_cache(maxsize=16_384)
def line(text: str) -> Markup:
    """A text within a line as HTML; all that it says itself is escaped."""
    return Markup(PARSER.renderInline(text))  # noqa: S704


@lru_cache(maxsize=16_384)
def prose(text: str) -> Markup:
    """The same for paragraphs, separated by empty lines, headings (`## `) and lists (`- `)."""
    return Markup(PARSER.render(text))  # noqa: S704


def plain(text: str) -> str:
    """The text without its markup, for indexes and descriptions."""
    if not _MARKED.search(text):
        return text
    lines = (token.children or () for token in PARSER.parse(text) if token.type == "inline")
    return " ".join(_BREAK.sub(" ", "".join(part.content for part in line)) for line in lines)
