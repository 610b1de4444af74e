"""Papers: sources named by what kind of writing they are, and wiki pages and forums named by their own names."""

import re
from collections.abc import Iterator, Sequence

from longtrail.scoring.grounding.ledger import Entry
from longtrail.scoring.grounding.lexicon import name_word
from longtrail.scoring.grounding.ordinals import ORDINALS
from longtrail.scoring.grounding.words import listed
from longtrail.text.folding import fold
from longtrail.text.token import Token

_PAPERS = listed("papers")
_COMMON = frozenset({"report", "statement"})
"""Words for what people say or hand in, too."""
_WIKI = re.compile(
    r"(?<![\w/.])(?:wiki(?: (?:page|article|entry))?(?::| at| on|,)? |/?wiki/|wiki: ?)"
    r"(?P<path>[a-z0-9_-]+(?:/[a-z0-9_-]+)+)",
    re.IGNORECASE,
)
"""A page of the wiki by its path: `wiki: moderation/flair`."""
_FORUM = re.compile(r"(?<![\w/])/?f/(?P<name>\w+)|\bforum:\w+/(?P<key>\w+)", re.IGNORECASE)


def wiki_paths(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """(where, path) of each wiki page that a text names by its path."""
    return ((match, fold(match["path"]).rstrip("/-")) for match in _WIKI.finditer(text))


def forums(text: str) -> list[str]:
    """Folded names of the forums in a text."""
    return [fold(match["name"] or match["key"]) for match in _FORUM.finditer(text)]


def of_forum(entry: Entry, page: str, named: Sequence[str]) -> bool:
    """Whether an entry is of the forum that a mention names, if it names one; what is kept for all forums is."""
    if named and page.startswith("forum:submission") and "/f/" in entry.url:
        return any(f"/f/{name}/" in entry.url.lower() for name in named)
    if not named or not page.startswith(("forum:log", "forum:ban", "forum:f/")):
        return True
    own = [key for key in entry.keys if key.startswith(("forum:log", "forum:ban", "forum:f/"))]
    return any(key in ("forum:log", "forum:bans") or set(re.split(r"[:/]", key)) & set(named) for key in own)


def papers(text: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """(first, last) token of each writing that is named by its kind and by what it is of: `loyalty review report`."""
    for at, token in enumerate(tokens):
        if token.kind != "word" or token.value not in _PAPERS or text[: token.end].endswith("s"):
            continue  # in the plural it may as well be a verb: "she reports"
        first = at
        while first and at - first < 3 and _modifies(tokens[first - 1]) and _adjacent(tokens, first):
            first -= 1
        if at - first >= (2 if token.value in _COMMON else 1):
            yield first, at


def _adjacent(tokens: Sequence[Token], at: int) -> bool:
    """Whether nothing but a space stands before a token: articles are no tokens."""
    return tokens[at].start - tokens[at - 1].end <= len("'s ")


def _modifies(token: Token) -> bool:
    word = str(token.value)
    return token.kind == "word" and bool(name_word(word)) and word not in ORDINALS
