"""Shown pages: what the agent was shown before it decided, observation by observation, without its own texts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import unquote

from longtrail.checks.facts import Fact
from longtrail.checks.own_texts import written_texts
from longtrail.clock import NOW
from longtrail.records.action import Goto
from longtrail.records.observation import words_of
from longtrail.records.trajectory import Step
from longtrail.text.folding import squeeze
from longtrail.text.matcher import Alternative, matches
from longtrail.text.quoting import contains

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class ShownPage:
    """One observation: its step, the keys of its pages, and its words, one line per block of the page."""

    step: int
    keys: frozenset[str]
    """Page keys (`checks/page_names`) of the document and of the tabs and pictures loaded in it."""
    text: str
    typed: tuple[str, ...] = ()
    """All texts that the agent had typed or sent by then, folded: their repetition on a page is not evidence."""
    url: str = ""
    asked: str = ""
    """The address that the agent requested, if it led here."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the page."""
        return tuple(self.text.split("\n"))

    @cached_property
    def served(self) -> str:
        """The text without what the agent typed."""
        return without(self.text, self.typed) if self.typed else self.text

    @cached_property
    def one_line(self) -> str:
        """The text on one line, and its address: numbers and names are often only there."""
        return f"{self.text} {unquote(self.url)}".replace("\n", " ")

    @property
    def name(self) -> str:
        """Its name in reasons: its shortest key, or its address."""
        return min(self.keys, key=lambda key: (len(key), key), default=self.url)

    def lines_with(self, way: Alternative) -> Iterator[int]:
        """The indices of the lines that show this. A line in which the agent's own texts alone say it doesn't count."""
        if matches(way, self.text, NOW) is None:
            return
        typed = bool(self.typed) and matches(way, " ".join(self.typed), NOW) is not None
        lines = self.served.split("\n") if typed else self.lines
        yield from (at for at, line in enumerate(lines) if matches(way, line, NOW))

    def shows(self, way: Alternative) -> bool:
        """Whether the page, as the site served it, shows this."""
        return next(self.lines_with(way), None) is not None

    def echoes(self, quote: str) -> bool:
        """Whether the agent had typed a quotation by then: the page may only repeat it."""
        return any(contains(text, quote) for text in self.typed)

    def is_of(self, fact: Fact) -> bool:
        """Whether it is one of a fact's pages."""
        return bool(self.keys & {key.casefold() for key in fact.pages})


def shown_pages(steps: Sequence[Step], trail: Sequence[frozenset[str]]) -> tuple[ShownPage, ...]:
    """What each step's observation showed, as delivered to the agent, after truncation. `trail`: the page keys of each
    step."""
    typed: list[str] = []
    pages: list[ShownPage] = []
    requested = ""
    for step, keys in zip(steps, trail, strict=True):
        observation = step.observation
        pages.append(ShownPage(step.number, keys, words_of(observation), tuple(typed), observation.url, requested))
        requested = step.action.url if isinstance(step.action, Goto) else ""
        typed += [line for text in written_texts(step) if (line := squeeze(text)) and line not in typed]
    return tuple(pages)


def delivered(fact: Fact, pages: Sequence[ShownPage]) -> int | None:
    """Number of the first step at which the agent was shown a fact, on one of the fact's pages; or None."""
    return next((page.step for page in pages if page.is_of(fact) and any(map(page.shows, fact.shown))), None)


@lru_cache(maxsize=256)
def without(text: str, typed: tuple[str, ...]) -> str:
    """A page's text, line by line, without the agent's texts: without these texts, and without lines that consist only
    of their words."""
    words = {word for piece in typed for word in _WORD.findall(piece)}
    pieces = sorted((piece for piece in typed if len(piece) > 2), key=len, reverse=True)
    lines_kept = []
    for line in text.split("\n"):
        folded = squeeze(line)
        if words.issuperset(_WORD.findall(folded)):
            lines_kept.append("")
            continue
        if any(piece in folded for piece in pieces):
            for piece in pieces:
                folded = folded.replace(piece, " ")
            line = folded
        lines_kept.append(line)
    return "\n".join(lines_kept)
