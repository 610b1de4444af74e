"""Ledger: everything that an agent was given to read before it decided, with the names of the pages it stood on."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache

from longtrail.checks.page_trail import trail
from longtrail.records.trajectory import Step, Suite
from longtrail.scoring.grounding.page import Line, Page, read_page
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.folding import squeeze
from longtrail.text.page_words import words_of

_ARTICLE = re.compile(r"row:\s+\"?([^\"|]+?)\"? SKU:")
PROMPT = "prompt"
"""The key of what the agent was told: the instruction is an entry, too."""


@dataclass(frozen=True)
class Entry:
    """One observation as it was delivered, or the instruction."""

    keys: frozenset[str]
    """Page keys of the document and of the tabs and pictures loaded in it."""
    url: str
    title: str
    page: Page
    step: int = 0

    @cached_property
    def policy(self) -> bool:
        """Whether it holds rules and no records: their figures are thresholds, not findings."""
        return any(key.startswith(("cms", "forum:wiki/moderation")) for key in self.keys)

    @property
    def name(self) -> str:
        """The shortest key, or the address: what reasons call it."""
        return min(self.keys, key=lambda key: (len(key), key), default=self.url)


def lines_of(entries: Iterable[Entry]) -> tuple[Line, ...]:
    """The lines of these entries, each of them once: most pages have the same menus, many were looked at twice."""
    return _lines_of(tuple(entry.page for entry in entries))


@lru_cache(maxsize=1024)
def _lines_of(pages: tuple[Page, ...]) -> tuple[Line, ...]:
    return tuple({id(line): line for page in pages for line in page.lines}.values())


def in_key(value: str, key: str) -> bool:
    """Whether a page key holds a number or a name as one of its parts: `customer:177/orders`."""
    return f":{value}/" in f"{key}/" or f"/{value}/" in f"{key}/"


@dataclass(frozen=True)
class Ledger:
    """The entries in the order in which they were delivered."""

    suite: Suite
    entries: tuple[Entry, ...]
    now: datetime

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every page key that was delivered."""
        return frozenset().union(*(entry.keys for entry in self.entries)) if self.entries else frozenset()

    @cached_property
    def handles(self) -> dict[str, list[str]]:
        """The members named in a text, by text: kept for `people.handles`, which finds them."""
        return {}

    @cached_property
    def members(self) -> frozenset[str]:
        """Folded names of the forum's members who wrote something, or whose page was delivered."""
        if self.suite != "reddit":
            return frozenset()
        users = {key.split("/")[1] for key in self.keys if key.startswith("forum:user/")}
        return frozenset(users.union(*(entry.page.speakers for entry in self.entries)))

    @cached_property
    def subjects(self) -> dict[str, str]:
        """Stems that belong to the name of one article of an order, or of one member, only -> that name."""
        lines = (line.text for entry in self.entries for line in entry.page.rows)
        articles = {match[1].strip() for line in lines if (match := _ARTICLE.match(line))}
        forms = [(name, vocabulary(name.replace("_", " "))) for name in sorted(self.members or articles)]
        counts = Counter(word for _, words in forms for word in words)
        return {word: name for name, words in forms for word in sorted(words) if counts[word] == 1}


def ledger(
    suite: Suite, prompt: str, steps: Sequence[Step], now: datetime, pictured: Mapping[int, Sequence[str]] | None = None
) -> Ledger:
    """The ledger of a decision case's steps up to the decision.

    Texts are those delivered, after truncation. Lines that repeat what the agent itself had written into the site or
    the address are left out: one's own words are no evidence.
    `pictured` says by step number what the pictures looked at by then tell: no text of the pages does.
    """
    entries = [Entry(frozenset({PROMPT}), "", "", read_page(prompt, now))]
    written: set[str] = set()
    for step, keys in zip(steps, trail(steps), strict=True):
        text = words_of(step.observation)
        whole = read_page(text, now).folded if written else ""
        if any(own in whole for own in written):
            text = "\n".join(line for line in text.split("\n") if not _echo(squeeze(line), written))
        text = "\n".join([text, *(pictured or {}).get(step.number, ())])
        entries.append(Entry(keys, step.observation.url, step.observation.title, read_page(text, now), step.number))
        written |= _written(step)
    return Ledger(suite, tuple(entries), now)


def _echo(line: str, written: set[str]) -> bool:
    """Whether a line is little but what the agent wrote: a comment of its own, a field that it filled in."""
    return any(own in line and (len(own) >= 40 or len(own) > 0.5 * len(line)) for own in written)


def _written(step: Step) -> set[str]:
    """What the agent put on the page, where it is long enough to be told from what stood there."""
    texts = [step.outcome.value, str(getattr(step.action, "text", "")), str(getattr(step.action, "query", ""))]
    return {own for text in texts for line in text.splitlines() if len(own := squeeze(line)) >= 12}
