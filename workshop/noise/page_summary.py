"""Page summary: the names and figures that a reader notices on a page. Input: the text of an axtree
observation.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from longtrail.records import axtree_text as axtree
from longtrail.records.observation import Observation
from longtrail.tasks.task import SEARCH_PAGE
from workshop.noise.cards import Cards

Kind = Literal["start", "results", "cart", "table", "listing", "form", "detail", "article", "hub"]

_HEADING = re.compile(r'^heading "(.*)" level=1$')
_CARD = re.compile(r'^heading level=[2-4]: \[[0-9]+\] link "(.*)"$')
_AMOUNT = re.compile(r"\$[0-9][0-9,]*(?:\.[0-9]{2})?")
_COUNT = re.compile(r"^(?:About )?([0-9][0-9,]*(?: (?!match|found|of\b)[a-z]{3,}){1,3})\b[^:]*$")
_FOUND = re.compile(r"^[0-9][0-9,]* [a-z]+ found|^About [0-9][0-9,]* results")
_NOTHING = re.compile(r"^No [a-z]+ match(es)?\b")
_YEAR = re.compile(r"\b(19|20)[0-9]{2}\b")
_STRUCTURE = re.compile(
    r"^(heading|image|table|columns:|row:|group|region|navigation|alert|list|complementary|search|form|dialog"
    r"|article|- )"
)
_LABEL = re.compile(r"[A-Z][a-z]+(?: [a-z]+){0,2}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SENTENCES = re.compile(r"(?<=[a-z0-9%)][.!?]) ")
_PARAGRAPH = 8
"""The number of words that makes a line running text."""
_HOME = re.compile(r"(?:/[a-z]{2}){0,2}/?")
_SHORT, _LEAST, _MOST = 4, 5, 26
"""Minimum words of a lead; minimum words of another quotable sentence; maximum words of both."""
_FEW_LINKS = 4
_LONGEST = 48
"""Longer link names are not quoted."""


@dataclass(frozen=True, slots=True)
class PageSummary:
    """The summary of one page. Fields that it does not show are empty."""

    kind: Kind
    url: str
    title: str
    site: str
    heading: str = ""
    lead: str = ""
    """The first sentence of text below the heading."""
    count: str = ""
    """The number of results as the page states it, such as `24 products`."""
    items: tuple[str, ...] = ()
    """The listed entries with price or first figure, such as `GURLI ($6.99)`."""
    price: str = ""
    total: str = ""
    """Of a cart."""
    facts: tuple[str, ...] = ()
    """Labels with their values, such as `Material: Jute`."""
    sentences: tuple[str, ...] = ()
    """Sentences of the running text without the lead."""
    links: tuple[str, ...] = ()
    """Links of the main part other than items, breadcrumbs and filters."""
    filters: frozenset[str] = frozenset()
    """Names of all filters."""
    order: str = ""
    """How a list is sorted, as its menu says."""
    complaint: str = ""
    query: str = ""
    text: str = ""


def glance(observation: Observation) -> PageSummary:
    """Summarise a page."""
    main = _Main()
    for depth, line in _main_part(observation.text):
        main.read(depth, line)
    title, between, site = observation.title.rpartition(" | ")
    address, facts = urlsplit(observation.url), tuple(main.facts())
    queries = [value for name, value in parse_qs(address.query).items() if name in ("q", "term", "value", "query")]
    return PageSummary(
        kind=_kind(observation.url, main),
        url=observation.url,
        title=title or site,
        site=site if between else (address.hostname or "").removeprefix("www."),
        heading=_heading(main.heading, address.path),
        lead="" if any(fact.endswith(f": {main.lead}") for fact in facts) else main.lead,
        count=main.count,
        items=tuple(main.priced()),
        price=main.price,
        total=main.total,
        facts=facts,
        sentences=tuple(text for text in dict.fromkeys(main.sentences()) if not any(text in fact for fact in facts)),
        links=tuple(dict.fromkeys(name for name in main.links if 0 < len(name) <= _LONGEST)),
        filters=frozenset(main.filters),
        order=main.order,
        complaint=main.complaint,
        query=queries[0][0] if queries else "",
        text=observation.text,
    )


def _heading(heading: str, path: str) -> str:
    """The page's heading; none on a home page, where it is an advertisement."""
    return "" if _HOME.fullmatch(path) else heading


def _main_part(text: str) -> Iterator[tuple[int, str]]:
    """(depth, line) of the main part, or of the whole page if it has none."""
    lines = text.splitlines()
    start = lines.index("main") + 1 if "main" in lines else 0
    for line in lines[start:]:
        stripped = line.strip()
        if start and line == stripped and stripped:
            return
        if stripped:
            yield len(line) - len(line.lstrip()), stripped


@dataclass
class _Main:
    """Reads the main part line by line."""

    heading: str = ""
    lead: str = ""
    count: str = ""
    items: list[str] = field(default_factory=list)
    price: str = ""
    links: list[str] = field(default_factory=list)
    filters: set[str] = field(default_factory=set)
    complaint: str = ""
    rows: int = 0
    fields: int = 0
    results: bool = False
    summary: bool = False
    offers: bool = False
    crumbs: bool = False
    paragraphs: int = 0
    total: str = ""
    order: str = ""
    _cards: Cards = field(default_factory=Cards)
    _plain: list[list[str]] = field(default_factory=lambda: [[]])
    """Consecutive lines that contain only text."""
    _inside: str = ""
    """The current block that is not content: filters, breadcrumbs, pagination, an alert."""
    _depth: int = 0

    def read(self, depth: int, line: str) -> None:
        """Read the next line."""
        if self._inside and depth <= self._depth:
            self._inside = ""
        if self._inside:
            return self._aside(line)
        for opening, name in (
            ("filters", 'group "Filters"'),
            ("nav", "navigation "),
            ("alert", "alert"),
            ("margin", "complementary "),
        ):
            if line.startswith(name):
                self._inside, self._depth = opening, depth
                self.crumbs |= "Breadcrumb" in line
                return None
        self.results |= line.startswith('region "Results"')
        self.summary |= line.startswith('region "Order summary"')
        return self._content(line)

    def _aside(self, line: str) -> None:
        if self._inside == "filters":
            self.filters.update(element.name for element in axtree.elements(line))
        elif self._inside == "alert" and not self.complaint and line.startswith("- "):
            self.complaint = line.removeprefix("- ").rstrip(".")

    def _content(self, line: str) -> None:
        if line.startswith(("heading", "row: ")):
            self._plain.append([])
        if heading := _HEADING.match(line):
            self.heading = self.heading or heading[1]
        elif card := _CARD.match(line):
            self._cards.open(len(self.items))
            self.items.append(card[1])
        elif line.startswith("row: "):
            self._row(line.removeprefix("row: "))
        else:
            self._other(line)
        self._amounts(line)

    def _amounts(self, line: str) -> None:
        if line.startswith(("heading", "table", "row: ")) and not _CARD.match(line):
            self._cards.end_row()
        amounts = [] if line.startswith("row: ") else _AMOUNT.findall(line)
        self.price = self.price or "".join(amounts[-1:])
        self._cards.line("".join(amounts[-1:]))

    def priced(self) -> Iterator[str]:
        """The items, each with its price if it can be assigned with certainty."""
        prices = self._cards.prices()
        for place, item in enumerate(self.items):
            yield f"{item} ({prices[place]})" if place in prices and "(" not in item else item

    def _row(self, line: str) -> None:
        self.rows += 1
        cells = [re.sub(r'\[[0-9]+\] \w+ "(.*?)"', r"\1", cell).strip() for cell in line.split(" | ")]
        cells = [cell for cell in cells if cell]
        self.items.append(f"{cells[0]} ({cells[1]})" if len(cells) > 1 and "(" not in cells[1] else cells[0])

    def _other(self, line: str) -> None:
        elements = list(axtree.elements(line))
        for element in elements:
            if element.role == "link" and not element.name.startswith("Remove filter"):
                self.links.append(element.name)
            elif element.role == "button":
                self.offers |= element.name.startswith(("Add to", "Save to"))
            elif element.name.startswith("Sort"):
                self.order = "".join(re.findall(r'value="(.*?)"', element.rest)[:1])
            elif not element.name.startswith("Quantity"):
                self.fields += 1
        if elements or _STRUCTURE.match(line):
            self._plain.append([])
            return
        run = self._plain[-1]
        if run and run[-1].lower().endswith("total") and _AMOUNT.fullmatch(line):
            self.total = line
        run.append(line)
        if not self.items and (self.results or _FOUND.match(line)) and (count := _COUNT.match(line)):
            self.count, self.results = self.count or count[1], True
            return
        if _NOTHING.match(line):
            self.count, self.results = "0 results", True
            return
        self.paragraphs += len(_WORD.findall(line)) >= _PARAGRAPH and not self.items
        if self.heading and not (self.lead or self.results or self.items):
            first = _SENTENCES.split(line)[0].rstrip(".!")
            if _SHORT <= len(_WORD.findall(first)) <= _MOST and not (_AMOUNT.search(first) or _YEAR.search(first)):
                self.lead = first

    def sentences(self) -> Iterator[str]:
        """Quotable sentences of sufficient length, unchanged."""
        for line in (line for run in self._plain for line in run):
            for sentence in _SENTENCES.split(line):
                bare = sentence.rstrip(".! ")
                if (
                    bare[:1] in "(["
                    or bare in self.lead
                    or (_YEAR.search(bare) and not re.search(r"[a-z] [a-z]+ [a-z]", bare))
                ):
                    continue
                if _LEAST <= len(_WORD.findall(bare)) <= _MOST:
                    yield bare

    def facts(self) -> Iterator[str]:
        """Labels and values alternate; a sentence may precede them."""
        for run in self._plain:
            pairs = run[len(run) % 2 :]
            labels = pairs[::2]
            if len(labels) > 1 and all(_LABEL.fullmatch(label) for label in labels):
                yield from (
                    f"{label}: {value}"
                    for label, value in zip(labels, pairs[1::2], strict=True)
                    if len(value) <= _LONGEST
                )


def _kind(url: str, main: _Main) -> Kind:
    if urlsplit(url).hostname == urlsplit(SEARCH_PAGE).hostname:
        return "results" if urlsplit(url).query else "start"
    if main.summary or re.search(r"\b(cart|bag)\b", main.heading.lower()):
        return "cart"
    if main.rows >= 3:
        return "table"
    if main.results:
        return "listing"
    if main.fields >= 2 and len(main.links) + len(main.items) <= _FEW_LINKS:
        return "form"
    if main.offers and main.crumbs:
        return "detail"
    if main.paragraphs >= 2 or (len(main.links) <= _FEW_LINKS and main.paragraphs and not main.items):
        return "article"
    return "hub"
