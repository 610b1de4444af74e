"""Ledger: everything that was delivered to an agent before it decided: pages with their names, texts and steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import unquote, urlsplit

from longtrail.checks.visits import canonical
from longtrail.records.action import Goto, entered_texts
from longtrail.records.trajectory import Step
from longtrail.scoring.grounding.page_text import joined, page_joined, page_lines
from longtrail.text.page_words import words_of

PROMPT = "prompt"
"""The name of the prompt: the agent's instruction counts as delivered."""


@dataclass(frozen=True)
class Reading:
    """One observation as it was delivered (after truncation), or the prompt (step 0)."""

    step: int
    url: str
    title: str
    keys: frozenset[str]
    """Page keys (`checks/page_names`) of the document and of the tabs and pictures loaded in it; or PROMPT."""
    text: str
    asked: str = ""
    """The address that the agent requested, if it led here."""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines, without marks of layout."""
        return page_lines(self.text)

    @cached_property
    def joined(self) -> str:
        """All words, including those of its address: numbers and names are often only there."""
        return f"{page_joined(self.text)[:-1]}{joined(unquote(urlsplit(self.url).path))}"

    @cached_property
    def name(self) -> str:
        """Its name in reasons: its shortest key, or its address."""
        return min(self.keys, key=lambda key: (len(key), key), default=self.url)

    @property
    def policy(self) -> bool:
        """Whether it contains rules instead of records: their figures are limits, not findings."""
        return any(key.startswith(("cms", "forum:wiki")) for key in self.keys)


@dataclass(frozen=True)
class Ledger:
    """The readings in order of delivery, the prompt first."""

    readings: tuple[Reading, ...]
    entered: tuple[tuple[int, str], ...] = ()
    """What the agent itself typed or chose, with the step: known from then on, but not evidence."""
    sees: bool = False
    """Whether it got screenshots: then a picture may show what no text says."""

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every page key that was delivered."""
        return frozenset().union(*(reading.keys for reading in self.readings))

    @cached_property
    def host(self) -> str:
        """The site's host: the first page's."""
        return next((urlsplit(reading.url).netloc for reading in self.readings if reading.url), "")

    def of_key(self, key: str) -> tuple[Reading, ...]:
        """The readings that show a page. A page has the text of its tabs; a tab has the text of its page."""
        found = [r for r in self.readings if any(one == key or one.startswith(f"{key}/") for one in r.keys)]
        if found and (parts := key.rsplit("/", 1))[1:] and ":" in parts[0]:
            found += [r for r in self.readings if parts[0] in r.keys and r not in found]
        return tuple(found)

    def of_address(self, url: str) -> tuple[Reading, ...]:
        """The readings of an address without a key, ignoring its query."""
        wanted = _plain(url)
        return tuple(r for r in self.readings if wanted in (_plain(r.url), _plain(r.asked)))

    @cached_property
    def pictures(self) -> bool:
        """Whether pictures were shown to an agent with images."""
        return self.sees and any(key.startswith("image:") for key in self.keys)

    @cached_property
    def joined(self) -> str:
        """All words that the agent knows: what was delivered and what it typed."""
        texts = dict.fromkeys(reading.joined for reading in self.readings)
        return " \n ".join([*texts, joined(self.typed)])

    @cached_property
    def typed(self) -> str:
        """All texts that the agent entered."""
        return "\n".join(dict.fromkeys(text for _, text in self.entered))


def _plain(url: str) -> str:
    return canonical(url).split("?")[0].rstrip("/") if url else ""


def ledger(
    prompt: str,
    steps: Sequence[Step],
    trail: Sequence[frozenset[str]],
    pictured: Mapping[int, Sequence[str]],
    *,
    sees: bool,
) -> Ledger:
    """The ledger of a decision case's steps up to the decision; `trail` holds the keys of the pages at each step.

    `pictured`: by step number, the content of the pictures seen by then, which the pages' texts don't have.
    """
    readings = [Reading(0, "", "", frozenset({PROMPT}), prompt)]
    entered: list[tuple[int, str]] = []
    asked = ""
    for step, keys in zip(steps, trail, strict=True):
        seen = step.observation
        text = "\n".join([words_of(seen), *pictured.get(step.number, ())])
        readings.append(Reading(step.number, seen.url, seen.title, keys, text, asked))
        asked = step.action.url if isinstance(step.action, Goto) else ""
        own = {step.outcome.value, *entered_texts(step.action)}
        entered += [(step.number, text) for text in sorted(own) if text]
    return Ledger(tuple(readings), tuple(entered), sees)
