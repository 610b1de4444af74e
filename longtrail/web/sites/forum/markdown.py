"""Markdown: a member's text as HTML, by markdown-it: CommonMark without raw HTML, pictures and reference links.

Added are links for plain addresses and for the forum's own `/f/name`, `/u/name`, `/w/path`.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

PARSER = MarkdownIt("zero").enable(["heading", "list", "blockquote", "fence", "hr", "backticks", "emphasis", "link"])
"""Everything that is not enabled stays plain text: raw HTML, pictures, entities, tables."""
PARSER.validateLink = lambda target: target.startswith(("https://", "http://", "/"))  # type: ignore[method-assign, assignment]
BARE = re.compile(
    r"(?P<bare>https?://[^\s<>\"]*[^\s<>\".,;:!?)'\]])"
    r"|(?<![\w/])/?(?P<kind>[fuw])/(?P<name>[A-Za-z]\w{1,24}(?:/[\w-]+)*)"
)
"""Links that are written without markup."""
OWN = {"f": "/f/", "u": "/user/", "w": "/wiki/"}


@lru_cache(maxsize=8192)
def html(text: str) -> Markup:
    """A text as HTML; all that it says itself is escaped."""
    return Markup(PARSER.render(text))  # noqa: S704


def _adapt(state: StateCore) -> None:
    """Headings are below the page's own; plain addresses become links."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(5, int(token.tag[1:])) + 1}"
        if token.children is not None:
            token.children = [part for child in token.children for part in _linked(child)]
            for link in token.children:
                if link.type == "link_open" and not str(link.attrs["href"]).startswith("/"):
                    link.attrSet("rel", "nofollow noopener")


PARSER.core.ruler.push("forum", _adapt)


def _linked(token: Token) -> Iterator[Token]:
    """A token; of text without other markup, the text and the links in it."""
    matches = BARE.finditer(token.content) if token.type == "text" and not token.level else ()
    end = 0
    for match in matches:
        yield Token("text", "", 0, content=token.content[end : match.start()])
        href = match["bare"] or OWN[match["kind"]] + match["name"]
        yield Token("link_open", "a", 1, attrs={"href": href})
        yield Token("text", "", 0, content=match[0])
        yield Token("link_close", "a", -1)
        end = match.end()
    if end:
        yield Token("text", "", 0, content=token.content[end:])
    else:
        yield token
