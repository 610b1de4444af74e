"""Page: the text of one observation, read once: its lines with their words and values, and who said what."""

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property, lru_cache

from longtrail.scoring.grounding.calendar_dates import resolve
from longtrail.scoring.grounding.values import durations
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.lexicon import UNITS

HEADER = re.compile(
    r'"(?P<who>[^"]{2,40})" wrote on|\bSubmitted by\s+"(?P<by>[^"]{2,40})" on'
    r"|^\s*[A-Z][a-z]{2} \d{1,2}, \d{4},? \d{1,2}:\d{2}:\d{2} [AP]M\s+[A-Z]"
)
"""The line above a comment, a submission or an order's note: who wrote it, and when."""
_ONE = re.compile(r"\ban? (hour|minute|day|night|week|fortnight|month|year)\b")
_PARAGRAPHS = re.compile(
    r"^\s*\d{1,2}\.\d{1,2} (?=[A-Z])|(?<=heading \")\d{1,2}\. |\bsections? \d[\d.]*(?:(?:, | to | and | or )\d[\d.]*)*"
)
"""Numbers of paragraphs and mentions of them: they count nothing."""
_WORKING = re.compile(r"\b(?:(\d{1,3}) (?:to|-|–) )?(\d{1,3}) (?:business|working) days?\b")
_OPTIONS = re.compile(r" options: .*")
"""What a form's field could be set to: no facts."""
_DENIED = re.compile(r"\b(?:no|nothing|without(?: any)?) ([a-z]{6,})\b")
_RECORDS = re.compile(r"\b([\d,]+) records? found\b")


@dataclass(frozen=True, slots=True)
class Line:
    """One line, or a heading line and what stands below it."""

    text: str
    folded: str
    words: frozenset[str]
    money: frozenset[Decimal]
    numbers: frozenset[Decimal]
    percents: frozenset[Decimal]
    dates: frozenset[date]
    times: frozenset[int]
    durations: frozenset[float]
    speaker: str = ""
    """Folded name of the member who wrote it; empty where none is named."""
    heads: bool = False
    """Whether it is the line above something written, which says who wrote it."""


@dataclass(frozen=True)
class Page:
    """The words of one observation."""

    text: str
    now: datetime

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every line that holds anything; below a header, together with it."""
        found: list[Line] = []
        header, speaker = "", ""
        for raw in self.text.split("\n"):
            if not raw.strip():
                continue
            match = HEADER.search(raw)
            if match:
                header, speaker = raw, fold(match["who"] or match["by"] or "")
                found.append(read_line(raw, self.now.date(), speaker, heads=bool(speaker)))
                continue
            if raw.lstrip().startswith(("heading", "region", "complementary", "contentinfo", "Reply to")):
                header, speaker = "", ""
            found.append(
                read_line(f"{header.strip()} | {raw.strip()}" if header else raw.strip(), self.now.date(), speaker)
            )
            if not header or (len(raw.strip()) > 3 and not raw.strip().startswith('"')):
                header = header if speaker else ""
        return tuple(found)

    @cached_property
    def folded(self) -> str:
        """The whole text, folded, with single spaces."""
        return " ".join(fold(self.text).split())

    @cached_property
    def words(self) -> frozenset[str]:
        """Every stem on the page."""
        return frozenset().union(*(line.words for line in self.lines)) if self.lines else frozenset()

    @cached_property
    def speakers(self) -> frozenset[str]:
        """Everybody who wrote something on the page."""
        return frozenset(line.speaker for line in self.lines if line.speaker)

    @cached_property
    def timed(self) -> tuple[Line, ...]:
        """The lines that hold a date, a time or a length of time."""
        return tuple(line for line in self.lines if line.durations or line.dates or line.times)

    @cached_property
    def records(self) -> frozenset[int]:
        """What listings say they hold: `15 records found`."""
        return frozenset(int(count.replace(",", "")) for count in _RECORDS.findall(self.text))

    @cached_property
    def open_grid(self) -> bool:
        """Whether it is a listing of everything: what stands in it by chance is no evidence for anything."""
        return (
            bool(self.records)
            and len(self.rows) > 8
            and " found for " not in self.text
            and "Orders of " not in self.text
        )

    @cached_property
    def denied(self) -> frozenset[str]:
        """The longer words right behind a `no`, `nothing` or `without`."""
        return frozenset(_DENIED.findall(self.folded))

    @cached_property
    def _having(self) -> dict[str, list[int]]:
        """Word -> the numbers of the lines that have it."""
        found: dict[str, list[int]] = {}
        for at, line in enumerate(self.lines):
            for word in line.words:
                found.setdefault(word, []).append(at)
        return found

    def sharing(self, words: frozenset[str], least: int = 1) -> list[int]:
        """The numbers of the lines that have so many of the words, in order."""
        counts = Counter(at for word in words for at in self._having.get(word, ()))
        return sorted(at for at, count in counts.items() if count >= least)

    @cached_property
    def rows(self) -> tuple[Line, ...]:
        """The rows of listings."""
        return tuple(line for line in self.lines if line.text.startswith("row:"))


@lru_cache(maxsize=512)
def read_page(text: str, now: datetime) -> Page:
    """A page by its words; the same object for the same words."""
    return Page(text, now)


@lru_cache(maxsize=65_536)
def read_line(text: str, today: date, speaker: str = "", heads: bool = False) -> Line:
    """A line's words and values."""
    tokens = tokenize(_OPTIONS.sub("", text))
    counts = tokenize(_PARAGRAPHS.sub(" ", _OPTIONS.sub("", text))) if _PARAGRAPHS.search(text) else tokens

    def values(kind: str) -> frozenset[Decimal]:
        return frozenset(t.value for t in counts if t.kind == kind and isinstance(t.value, Decimal))

    money = {abs(t.value[1]) for t in tokens if t.kind == "money" and isinstance(t.value, tuple)}
    money |= {t.value for t in tokens if t.kind == "number" and t.exact and isinstance(t.value, Decimal)}
    days = {day for t in tokens if t.kind == "date" and (day := resolve(t.value, today))}
    return Line(
        text=text,
        folded=fold(text),
        words=vocabulary(text),
        money=frozenset(money),
        numbers=_unsigned(values("number")) | _references(text),
        percents=values("percent"),
        dates=frozenset(days),
        times=frozenset(t.value for t in tokens if t.kind == "time" and isinstance(t.value, int)),
        durations=frozenset(d for at, t in enumerate(tokens) if t.kind == "number" and (d := durations(tokens, at)))
        | _single(text)
        | _working(text),
        speaker=speaker,
        heads=heads,
    )


def _unsigned(values: frozenset[Decimal]) -> frozenset[Decimal]:
    """Numbers with and without their sign: of `(+29, −12)` people say that twelve were against it."""
    return values | {abs(value) for value in values}


def _working(text: str) -> frozenset[float]:
    """`2 business days`, `3 to 5 working days`."""
    return frozenset(float(n) for m in _WORKING.finditer(text) for n in m.groups() if n)


def _single(text: str) -> frozenset[float]:
    """`an hour`, `a week`: one of a unit."""
    return frozenset(UNITS[m[1]][1] * (1.0 if UNITS[m[1]][0] == "days" else 365.25 / 12) for m in _ONE.finditer(text))


def _references(text: str) -> frozenset[Decimal]:
    """Ids as numbers: `#000000635` is 635."""
    return frozenset(
        Decimal(str(t.value))
        for t in tokenize(text)
        if t.kind == "ref" and str(t.value).isdigit() and len(str(t.value)) < 16
    )
