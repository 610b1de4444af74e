"""Shown pages: what the agent was shown before it decided, observation by observation, without its own texts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import unquote

from longtrail.checks.facts import Fact
from longtrail.checks.hosts import host_of
from longtrail.checks.page_names import page_key
from longtrail.checks.visits import canonical, written_texts
from longtrail.clock import NOW
from longtrail.records.action import Goto
from longtrail.records.observation import words_of
from longtrail.records.trajectory import Step
from longtrail.text.folding import contains, squeeze
from longtrail.text.matcher import Alternative, matches

_WORD = re.compile(r"\w+")
_ADDRESS = re.compile(
    r"(?:https?://|(?:[\w-]{1,60}\.){1,5}(?:test|com|org|net|gov|io)/)[^\s<>\"'),;]*"
    r"|(?<![\w.])/[\w%~-]+[^\s<>\"'),;]*"
)
_KINDS = {
    "credit memo": "creditmemo",
    "memo": "creditmemo",
    "account": "customer",
    "submission": "forum:submission",
    "post": "forum:submission",
    "thread": "forum:submission",
    "picture": "image",
    **{kind: kind for kind in ("order", "invoice", "shipment", "creditmemo", "customer", "product", "review", "image")},
}
"""The names of kinds of pages -> the beginning of their keys."""
_RECORD = re.compile(
    rf"\b({'|'.join(sorted(_KINDS, key=len, reverse=True))})s?(?:'s)?\W{{1,3}}"
    r"(?:(?:page|history|record|tab|no|nos|number|id|view)\W{1,3})?#?0{0,9}(\d{1,12})(?![\d.]*\d)"
)
_FEWEST_DIGITS = {"forum:submission": 4, "image": 4}
"""`post 3` is the third post, not the post with that number."""
_SEARCH = re.compile(r"\bsearch|\bfilter|\bresults? (?:for|of)\b|\blog\b|\breport\b")
"""Words of lists: a list with a number in its name is not the record with that number."""
_TAB_WORDS = {"shipment": ("shipment",), "tracking": ("shipment",), "invoice": ("invoice",), "memo": ("creditmemo",)}


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


@dataclass(frozen=True)
class Source:
    """What the name of a page refers to."""

    pages: tuple[ShownPage, ...] = ()
    """The delivered pages that it names; none: no such page was delivered, or the name is unclear."""
    certain: bool = False
    """Whether the name allows no other page."""
    named: str = ""
    """The part of the name that identifies the page."""


def resolve(source: str, pages: Sequence[ShownPage]) -> Source:
    """The delivered pages that a source names. If it is certain but has no pages, the page was never delivered."""
    return _by_address(source, pages) or _by_number(source, pages) or Source()


def of_key(key: str, pages: Iterable[ShownPage]) -> list[ShownPage]:
    """The pages of a key. A page has the text of its tabs; a tab has the text of its page."""
    pages = list(pages)
    named = [page for page in pages if any(page_key == key or page_key.startswith(f"{key}/") for page_key in page.keys)]
    parent = key.rpartition("/")[0]
    if named and ":" in parent:
        named += [page for page in pages if parent in page.keys and page not in named]
    return named


def _by_address(source: str, pages: Sequence[ShownPage]) -> Source | None:
    addresses = [address.rstrip(".:") for address in _ADDRESS.findall(source)]
    complete = [address for address in addresses if "://" in address or address.count("/") > 2]
    if not addresses or (" " in source.strip() and not complete):
        return None  # "the log of /f/houseplants" names a forum
    host = next(filter(None, (host_of(page.url) for page in pages)), "")
    named: list[ShownPage] = []
    for address in addresses:
        url = address if "://" in address else f"https://{host}{address}" if address[0] == "/" else f"https://{address}"
        key = page_key(url) if host_of(url) == host else None
        plain = _without_query(url)
        named += (of_key(key, pages) if key else []) or [
            page for page in pages if plain in (_without_query(page.url), _without_query(page.asked))
        ]
    return Source(tuple(dict.fromkeys(named)), certain=True, named=addresses[0])


def _without_query(url: str) -> str:
    return canonical(url).split("?")[0].rstrip("/") if url else ""


def _by_number(source: str, pages: Sequence[ShownPage]) -> Source | None:
    """`order 604`, `shipments tab of order #000000547`, `submission 160361`: every delivered page of that number that
    may be meant. An order's shipment, invoice and memo have pages of their own that people call by the order's number.
    """
    folded = squeeze(source)
    asked = [(_KINDS[word], number) for word, number in _RECORD.findall(folded)]
    asked = [(kind, number) for kind, number in asked if len(number) >= _FEWEST_DIGITS.get(kind, 1)]
    if _SEARCH.search(folded) or not asked:
        return None
    kinds = {kind for kind, _ in asked} | {
        kind for word, some in _TAB_WORDS.items() if re.search(rf"\b{word}", folded) for kind in some
    }
    numbers = {number for _, number in asked}
    named = [page for page in pages if any(_has_number(key, numbers, kinds) for key in page.keys)]
    return Source(tuple(dict.fromkeys(named)), certain=True, named=f"{asked[0][0]} {asked[0][1]}")


def _has_number(key: str, numbers: set[str], kinds: set[str]) -> bool:
    """Whether a page key is of one of these kinds and numbers."""
    if key.startswith("forum:submission/"):
        return "forum:submission" in kinds and key.split("/")[1] in numbers
    kind, _, record = key.partition(":")
    return kind in kinds and record.split("/")[0] in numbers
