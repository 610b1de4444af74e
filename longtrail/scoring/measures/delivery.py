"""Delivery: what the agent was shown before it decided, page by page, without its own texts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from longtrail.checks.facts import Fact
from longtrail.checks.pictures_seen import seen as seen_picture
from longtrail.records.action import Goto, entered_texts
from longtrail.records.trajectory import Step
from longtrail.text.alternatives import Alternative
from longtrail.text.folding import squeeze
from longtrail.text.matcher import matches
from longtrail.text.page_words import words_of

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One observation: its step, the keys of its pages, and its words, one line per block of the page."""

    step: int
    keys: frozenset[str]
    text: str
    typed: tuple[str, ...]
    """All texts that the agent had typed or sent by then, folded: their repetition on a page is not evidence."""


def shown_pages(steps: Sequence[Step], trail: Sequence[frozenset[str]]) -> tuple[ShownPage, ...]:
    """What each step's observation showed, as delivered to the agent, after truncation."""
    typed: list[str] = []
    found = []
    for step, keys in zip(steps, trail, strict=True):
        found.append(ShownPage(step.number, keys, words_of(step.observation), tuple(typed)))
        typed += [line for text in _written(step) if (line := squeeze(text))]
    return tuple(found)


def delivered(fact: Fact, pages: Sequence[ShownPage], now: datetime) -> int | None:
    """Number of the first step at which the agent was shown a fact, or None.

    It counts only on the pages that show it in the world (`fact.pages`), as the site served them. A text that the
    agent typed (a comment, a search) and a page repeats is not evidence.
    """
    wanted = {key.casefold() for key in fact.pages}
    for page in pages:
        if page.keys & wanted and any(stands(way, page, now) for way in fact.shown):
            return page.step
    return None


def stands(way: Alternative, page: ShownPage, now: datetime) -> bool:
    """Whether a page shows this without the texts that the agent typed."""
    if matches(way, page.text, now) is None:
        return False
    if not page.typed or matches(way, " ".join(page.typed), now) is None:
        return True  # the agent has not typed all of it, so the site served a part
    return matches(way, without(page.text, page.typed), now) is not None


@lru_cache(maxsize=256)
def without(text: str, typed: tuple[str, ...]) -> str:
    """A page's text without the agent's texts, both whole texts and lines that consist only of its words."""
    words = {word for piece in typed for word in _WORD.findall(piece)}
    pieces = sorted((piece for piece in typed if len(piece) > 2), key=len, reverse=True)
    kept = []
    for line in text.split("\n"):
        folded = squeeze(line)
        if words.issuperset(_WORD.findall(folded)):
            continue
        if any(piece in folded for piece in pieces):
            for piece in pieces:
                folded = folded.replace(piece, " ")
            line = folded
        kept.append(line)
    return "\n".join(kept)


def picture_seen(fact: Fact, steps: Sequence[Step], trail: Sequence[frozenset[str]]) -> int | None:
    """Number of the first step at which a screenshot showed the fact's picture, whole and large enough to be read."""
    return seen_picture(fact.pages, steps, trail)


def _written(step: Step) -> Iterator[str]:
    """The agent's own input on pages and in addresses: each text, and each value of an address."""
    action = step.action
    texts = [step.outcome.value, *entered_texts(action)]
    if isinstance(action, Goto):
        parts = urlsplit(action.url)
        texts += [unquote_plus(part) for part in (parts.fragment, *parts.path.split("/"))]
        texts += [value for _, value in parse_qsl(parts.query)]
    for text in texts:
        yield from text.splitlines()
        yield text
