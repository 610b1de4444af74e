"""Citations: which records a decision's evidence cites, and which facts these records show (reasoning).

A record is one contiguous passage of one delivered page: a row of a table, or a line with its neighbours (at most three
lines). Only quotations count: no word of the agent's own makes a fact given.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from longtrail.checks.facts import Distractor, Fact
from longtrail.clock import NOW
from longtrail.records.action import MAX_PIECES, MAX_QUOTE, MAX_SHOWS, Decide, Evidence
from longtrail.scoring.shown_pages import ShownPage, Source, of_key, resolve
from longtrail.text.folding import contains, pieces, plain, word_count
from longtrail.text.matcher import Alternative, find, has_part
from longtrail.text.tokens import Value, values_in

LINES = 3
"""Maximum number of neighbouring lines of a page in one record."""
FEWEST_WORDS = 4
"""A shorter quotation counts only if it holds a value of its record, or is a whole line."""
MOST_IRRELEVANT = 4
"""Maximum number of pieces `for` that cite nothing relevant; a second piece of the rules counts as one. Honest
decisions of a capable model had at most 3."""
TELLS = 0.5
"""Minimum share of a phrase, or of the line that shows a fact, that a quotation must have to tell it."""
_HEAD = re.compile(
    r"\b(?:submitted by|wrote on)\b.*\bat \d{1,2}:\d\d\b"
    r"|^\W*\w{3} \d{1,2}, \d{4},? \d{1,2}:\d\d(?::\d\d)? [ap]m\b[^|]{0,80}$",
    re.IGNORECASE,
)
"""The line above a comment or submission with its author and date."""
_PAGE_HEAD = re.compile(r"\b(?:last edited by|this is how the page stood on)\b", re.IGNORECASE)
"""The line of a wiki page with its editor and date."""
_NAME = re.compile(r"(?<!^)(?<![.!?:;] )\b[A-Z]\w+|\b[A-Z]\w+ [A-Z]\w+|\w[._@]\w|\d")
"""A name or a figure in a quotation: a capital letter within a sentence, two in a row, or a handle."""


@dataclass(frozen=True)
class CitedRecord:
    """A line of a page that shows a fact, and the lines around it."""

    page: ShownPage
    at: int
    """The line's index."""
    form: Alternative
    """The form in which the line shows the fact."""

    @property
    def line(self) -> str:
        return self.page.lines[self.at]

    @cached_property
    def passages(self) -> tuple[str, ...]:
        """The passages that a quotation may come from: a row alone; a line with its neighbours; all of a wiki page
        whose date it is."""
        if "|" in self.line:
            return (self.line,)
        lines = self.page.lines
        starts = range(max(0, self.at - LINES + 1), self.at + 1)
        if _PAGE_HEAD.search(self.line):
            starts = range(len(lines))
        return tuple(" ".join(lines[start : start + LINES]) for start in starts)


@dataclass(frozen=True)
class Citations:
    """The counted pieces of a decision's evidence, and the pages that they may cite."""

    decision: Decide
    pages: tuple[ShownPage, ...]
    pictures_seen: frozenset[str] = frozenset()
    """Keys of the pictures that the agent has looked at."""

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """The pieces that count."""
        return counted_evidence(self.decision)

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """What each piece's source names."""
        return tuple(resolve(piece.source, self.pages) for piece in self.evidence)

    def given_by(self, fact: Fact) -> int | None:
        """Number (from 1) of the first piece that gives a fact, or None."""
        uses = ("for", "ruled_out") if fact.overruled else ("for",)
        return next((number for number in self._giving(fact) if self.evidence[number - 1].use in uses), None)

    def irrelevant(self, facts: Sequence[Fact], rules: frozenset[str]) -> tuple[int, ...]:
        """Numbers of the pieces `for` that cite no record of these facts. The first one that cites a page of the rules
        is not among them."""
        relevant = {number for fact in facts for number in self._citing(fact)}
        stray = {
            number: piece.quote
            for number, piece in enumerate(self.evidence, 1)
            if piece.use == "for" and number not in relevant
        }
        written = [page for page in self.pages if page.keys & rules]
        ruling = [number for number, quote in stray.items() if any(self._on(quote, page) for page in written)]
        return tuple(number for number in stray if number not in ruling[:1])

    def distractors(
        self, distractors: Sequence[Distractor], facts: Sequence[Fact]
    ) -> tuple[tuple[Distractor, str], ...]:
        """The distractors whose records pieces `for` cite, each with the quotation that does so. A piece that gives one
        of these facts cites no distractor: one record may mention both."""
        giving = {number for fact in facts for number in self._giving(fact)}
        quotes = [
            piece.quote for number, piece in enumerate(self.evidence, 1) if piece.use == "for" and number not in giving
        ]
        cited = []
        for distractor in distractors:
            wanted = {key.casefold() for key in distractor.pages}
            pages = [page for page in self.pages if page.keys & wanted]
            for quote in quotes:
                said = find(distractor.said, " ".join(quote.split()), NOW)
                if said and any(self._on(quote, page) for page in pages):
                    cited.append((distractor, quote))
                    break
        return tuple(cited)

    def _on(self, quote: str, page: ShownPage) -> bool:
        """Whether a page has a record with this quotation."""
        return self._counts(quote) and any(passages_with(quote, page))

    def _counts(self, quote: str) -> bool:
        return word_count(quote) >= FEWEST_WORDS or _NAME.search(quote) is not None

    def _records(self, fact: Fact) -> Iterator[CitedRecord]:
        """The lines of delivered pages that show a fact, each once."""
        seen: set[tuple[frozenset[str], str]] = set()
        for page in self.pages:
            if fact.pictured or not page.is_of(fact):
                continue
            for form in (*fact.shown, *fact.deciding):
                for at in page.lines_with(form):
                    if (page.keys, page.lines[at]) not in seen:
                        seen.add((page.keys, page.lines[at]))
                        yield CitedRecord(page, at, form)

    def _citing(self, fact: Fact) -> list[int]:
        """Numbers of the pieces that cite a record of a fact."""
        return [
            number
            for number, piece, record in self._cited(fact)
            if record is None or self._counts(piece.quote) or plain(piece.quote) == plain(record.line)
        ]

    def _giving(self, fact: Fact) -> list[int]:
        """Numbers of the pieces that cite a record of a fact and have what tells the fact."""
        return [
            number
            for number, piece, record in self._cited(fact)
            if (record is None or (states_fact(piece.quote, fact, record) and _identified(piece, record)))
            and not self._disagrees(piece, fact, record.line if record else "")
        ]

    def _cited(self, fact: Fact) -> Iterator[tuple[int, Evidence, CitedRecord | None]]:
        """Number and text of each piece, with each record of a fact that has its quotation; None: with its picture."""
        records = tuple(self._records(fact))
        for number, (piece, source) in enumerate(zip(self.evidence, self.sources, strict=True), 1):
            if fact.pictured and self._cites_picture(piece, source, fact):
                yield number, piece, None
            for record in self._named(piece, source, records):
                if any(contains(passage, piece.quote) for passage in record.passages):
                    yield number, piece, record

    def _named(self, piece: Evidence, source: Source, records: Sequence[CitedRecord]) -> Sequence[CitedRecord]:
        """The records that a piece may mean: if its source names a page that has the quotation, those of that page."""
        named = {
            key
            for page in source.pages
            if source.certain and any(passages_with(piece.quote, page))
            for key in page.keys
        }
        return [record for record in records if not named or record.page.keys & named]

    def _cites_picture(self, piece: Evidence, source: Source, fact: Fact) -> bool:
        """Whether a piece names a picture that the agent has seen, or a page with it, and has a value or phrase that
        the picture shows."""
        pictures = {key.casefold() for key in fact.pages} & self.pictures_seen
        named = {key for page in source.pages for key in page.keys} & pictures
        named |= {key for key in pictures if of_key(key, self.pages) and key.partition(":")[2] in piece.source.lower()}
        quote = " ".join(piece.quote.split())
        return bool(named) and any(has_part(form, quote, NOW) for form in (*fact.shown, *fact.deciding))

    def _disagrees(self, piece: Evidence, fact: Fact, line: str) -> bool:
        """Whether a typed value in `shows` contradicts the record: of a kind that the record has, it is neither there,
        nor on any delivered page, nor in the fact's own words."""
        record_values = values_in(f"{fact.says}\n{line}\n{fact.lettering}")
        kinds = {value.kind for value in record_values}
        return any(
            value.kind in kinds and not value.among(record_values) and not value.among(self.values)
            for value in values_in(piece.shows)
        )

    @cached_property
    def values(self) -> frozenset[Value]:
        """All typed values on the delivered pages."""
        return frozenset(value for text in {page.text for page in self.pages} for value in values_in(text, bare=True))


def counted_evidence(decision: Decide) -> tuple[Evidence, ...]:
    """The pieces of a decision that count, with the characters of their texts that count."""
    return tuple(
        piece.model_copy(
            update={"quote": clipped(piece.quote.strip(), MAX_QUOTE), "shows": clipped(piece.shows.strip(), MAX_SHOWS)}
        )
        for piece in decision.evidence[:MAX_PIECES]
    )


def clipped(text: str, most: int) -> str:
    """The characters of a text that count, without a truncated last word."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0] or text[:most]


def passages_with(quote: str, page: ShownPage) -> Iterator[str]:
    """The passages of at most LINES lines of a page that contain a quotation, shortest first where they begin."""
    if not pieces(quote) or not contains(page.text.replace("\n", " "), quote):
        return
    lines = page.lines
    for start in range(len(lines)):
        for size in range(1, LINES + 1):
            passage = " ".join(lines[start : start + size])
            if contains(passage, quote):
                yield passage
                break


def states_fact(quote: str, fact: Fact, record: CitedRecord) -> bool:
    """Whether a quotation of a record has what tells a fact: a form that shows it, or one of its values or phrases;
    a value that the fact's sentence names; or most of the line. A fact in the head of a comment or submission (who and
    when) is told by any passage of it."""
    line = " ".join(quote.split())
    if find((*fact.shown, *fact.deciding), line, NOW) or plain(quote) == plain(record.line):
        return True
    if word_count(quote) < FEWEST_WORDS:
        return _NAME.search(quote) is not None and has_part(record.form, line, NOW)
    if has_part(record.form, line, NOW) or _overlap(record.form, line) >= TELLS:
        return True
    fact_values = values_in(fact.says)
    if any(value.among(fact_values) for value in values_in(line)) or _names(fact.says) & _names(line):
        return True
    if contains(record.line, quote) and word_count(quote) >= TELLS * word_count(record.line):
        return True
    if _HEAD.search(record.line.strip().replace('"', "")):
        return contains(record.passages[-1], quote)
    return _PAGE_HEAD.search(record.line) is not None


def _overlap(form: Alternative, quote: str) -> float:
    """The share of a phrase's words that a quotation has."""
    phrase = form if isinstance(form, str) else " ".join(form.words)
    words = set(plain(phrase).split())
    return len(words & set(plain(quote).split())) / len(words) if words else 0.0


_CAPITALISED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")


def _names(text: str) -> set[str]:
    """The capitalised words within a text's sentences."""
    return set(_CAPITALISED.findall(text))


def _identified(piece: Evidence, record: CitedRecord) -> bool:
    """Whether it is clear which record is meant: a short quotation that is in many lines of the page needs a value of
    the record in `source` or `shows`."""
    if word_count(piece.quote) >= FEWEST_WORDS:
        return True
    lines = [line for line in dict.fromkeys(record.page.lines) if contains(line, piece.quote)]
    if len(lines) <= LINES:
        return True
    quoted = values_in(piece.quote)
    record_values = [value for value in values_in(record.line) if not value.among(quoted)]
    return any(value.among(record_values) for value in values_in(f"{piece.source}\n{piece.shows}"))
