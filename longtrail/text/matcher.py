"""Matcher: where does a text contain a phrase or a set of values? Values compare as values, words on their
boundaries. It reads no meaning: a denial is a word like any other."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, model_validator

from longtrail.records.record import Record
from longtrail.text.folding import fold
from longtrail.text.tokens import MONTHS, MULTIPLIERS, NUMBERS, TENS, Token, tokenize

_DAYS = {"second": 1 / 86_400, "minute": 1 / 1_440, "hour": 1 / 24, "day": 1.0, "night": 1.0, "week": 7.0}
_MONTHS = {"month": 1.0, "year": 12.0}
_OTHER_FORMS = frozenset(
    {*NUMBERS, *TENS, *MULTIPLIERS, *MONTHS, "not", "hour", "day", "minute", "week", "year", "will", "percent"}
)
"""Words that a text may spell with other letters: `12`, `n't`, `h`, `%`."""


def _iso(text: str) -> str:
    date.fromisoformat(text)
    return text


class Atoms(Record):
    """All of these in one passage (a line of a page, a paragraph of prose): values as values, phrases as words."""

    money: tuple[float, ...] = ()
    number: tuple[float, ...] = ()
    percent: tuple[float, ...] = ()
    date: tuple[Annotated[str, AfterValidator(_iso)], ...] = ()
    """ISO dates; those without a year in the text are resolved with the world's clock."""
    duration: tuple[str, ...] = ()
    """`49 days`, `2.1 years`."""
    id: tuple[str, ...] = ()
    """Order numbers, tracking numbers ...; leading zeros and # are ignored."""
    words: tuple[str, ...] = ()
    """Phrases, names, places: folded, on word boundaries, in any order."""

    @model_validator(mode="after")
    def _not_empty(self) -> "Atoms":
        if not any(getattr(self, name) for name in type(self).model_fields):
            raise ValueError("expected at least one value or phrase")
        return self


Alternative = str | Atoms
"""A phrase, or atoms. A phrase is `Atoms(words=[phrase])`; numbers inside a phrase still compare as values."""


@dataclass(frozen=True, slots=True)
class MatchSpan:
    """The position of a match: text[start:end], offsets in characters."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Part:
    """One part that the passage must contain."""

    kind: str
    """`phrase`, or the name of an Atoms field."""
    value: object
    """phrase: its tokens; id: its plain characters; duration: (scale, size); otherwise the value."""


def matches(alternative: Alternative, text: str, now: datetime) -> MatchSpan | None:
    """Where a text first contains all parts of the alternative in one passage (a line), or None. `now` resolves dates
    without a year."""
    if not may_match(alternative, fold(text)):
        return None
    offset = 0
    for line in text.split("\n"):
        if line.strip() and (span := _in_line(alternative, line, now.date())):
            return MatchSpan(offset + span[0], offset + span[1], line[span[0] : span[1]])
        offset += len(line) + 1
    return None


def find(alternatives: Iterable[Alternative], text: str, now: datetime) -> MatchSpan | None:
    """The first of these alternatives that a text contains."""
    return next((span for way in alternatives if (span := matches(way, text, now))), None)


def may_match(alternative: Alternative, folded: str) -> bool:
    """A quick test: whether a folded text has the letters that every match contains."""
    return all(piece in folded for piece in _pieces(alternative))


def share_of(alternative: Alternative, text: str, now: datetime) -> float:
    """The share of an alternative's parts that a text contains, from 0 to 1."""
    wanted = parts(alternative)
    tokens = tokenize(" ".join(text.split()))
    return sum(any(True for _ in _spots(part, tokens, now.date())) for part in wanted) / len(wanted)


@lru_cache(maxsize=8_192)
def parts(alternative: Alternative) -> tuple[Part, ...]:
    """The parts of an alternative. Raises ValueError for an invalid duration or an empty phrase."""
    atoms = Atoms(words=(alternative,)) if isinstance(alternative, str) else alternative
    phrases = [tokenize(" ".join(words.split())) for words in atoms.words]
    if not all(phrases):
        raise ValueError("an alternative has nothing to look for")
    return (
        *(Part("phrase", tokens) for tokens in phrases),
        *(Part("money", _decimal(value)) for value in atoms.money),
        *(Part("number", _decimal(value)) for value in atoms.number),
        *(Part("percent", _decimal(value)) for value in atoms.percent),
        *(Part("date", date.fromisoformat(value)) for value in atoms.date),
        *(Part("duration", _duration_of(value)) for value in atoms.duration),
        *(Part("id", _plain_id(value)) for value in atoms.id),
    )


@lru_cache(maxsize=8_192)
def _pieces(alternative: Alternative) -> tuple[str, ...]:
    """Letters that every match contains: the beginnings of its words."""
    words = (
        str(token.value)
        for part in parts(alternative)
        if part.kind == "phrase" and isinstance(part.value, tuple)
        for token in part.value
        if token.kind == "word"
    )
    return tuple({word.removesuffix("y") for word in words if word.isalpha() and word not in _OTHER_FORMS})


def _in_line(alternative: Alternative, line: str, today: date) -> tuple[int, int] | None:
    if not may_match(alternative, fold(line)):
        return None
    tokens = tokenize(line)
    spots: list[tuple[int, int]] = []
    for part in parts(alternative):
        spot = next(_spots(part, tokens, today), None)
        if spot is None:
            return None
        spots.append(spot)
    return min(tokens[first].start for first, _ in spots), max(tokens[last].end for _, last in spots)


def _spots(part: Part, tokens: Sequence[Token], today: date) -> Iterator[tuple[int, int]]:
    """First and last token of every occurrence of a part."""
    if part.kind == "phrase" and isinstance(part.value, tuple):
        yield from _phrase_spots(part.value, tokens)
    elif part.kind == "duration":
        yield from (
            (i, i + 1) for i in range(len(tokens) - 1) if _equal(_duration(tokens[i], tokens[i + 1]), part.value)
        )
    elif part.kind == "id":
        yield from _id_spots(part.value, tokens)
    else:
        yield from ((i, i) for i, token in enumerate(tokens) if _is(part, token, today))


def _id_spots(wanted: object, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """An id is one token, or several whose characters together are those of the id: `RMA-2231`, `1Z 999 AA1`."""
    assert isinstance(wanted, str)
    plain = [_plain_id(_text(token.value)) if token.kind in ("ref", "number", "word") else "" for token in tokens]
    for first, start in enumerate(plain):
        together, last = start, first
        while together and len(together) < len(wanted) and wanted.startswith(together) and last + 1 < len(plain):
            last += 1
            together += plain[last] or " "
        if together == wanted:
            yield first, last


def _is(part: Part, token: Token, today: date) -> bool:
    value = token.value
    if part.kind == "money":
        if token.kind == "money" and isinstance(value, tuple):
            return bool(value == ("USD", part.value))
        return token.exact and value == part.value
    if part.kind == "date":
        return token.kind == "date" and part.value in resolved(value, today)
    return token.kind == part.kind and value == part.value


def _phrase_spots(wanted: Sequence[Token], tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    size = len(wanted)
    for start in range(len(tokens) - size + 1):
        if all(_same(want, tokens[start + offset]) for offset, want in enumerate(wanted)):
            yield start, start + size - 1


def _same(want: Token, token: Token) -> bool:
    if want.kind == token.kind:
        if want.kind == "date" and isinstance(want.value, tuple) != isinstance(token.value, tuple):
            return _month_day(want.value) == _month_day(token.value)
        return want.value == token.value
    kinds = {want.kind, token.kind}
    if kinds == {"ref", "number"}:
        return _text(want.value) == _text(token.value)
    if kinds == {"money", "number"}:
        money, number = (want, token) if want.kind == "money" else (token, want)
        return number.exact and isinstance(money.value, tuple) and bool(money.value[1] == number.value)
    return False


def _text(value: object) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _month_day(value: object) -> tuple[int, int] | None:
    if isinstance(value, date):
        return value.month, value.day
    return value if isinstance(value, tuple) else None


def resolved(value: object, today: date) -> set[date]:
    """The days that a date token may mean. One without a year is the latest such day that is not in the future, or the
    next one if it is less than half a year ahead."""
    if isinstance(value, date):
        return {value}
    if not isinstance(value, tuple):
        return set()
    days = []
    for year in range(today.year + 1, today.year - 5, -1):
        with suppress(ValueError, TypeError):
            days.append(date(year, *value))
    past = next((day for day in days if day <= today), None)
    ahead = [day for day in days if today < day <= today + timedelta(days=183)]
    return {*([past] if past else []), *ahead}


def _duration(number: Token, unit: Token) -> tuple[str, float] | None:
    if number.kind != "number" or unit.kind != "word" or not isinstance(number.value, Decimal):
        return None
    word = str(unit.value)
    if word in _DAYS:
        return "days", float(number.value) * _DAYS[word]
    return ("months", float(number.value) * _MONTHS[word]) if word in _MONTHS else None


def _equal(duration: tuple[str, float] | None, wanted: object) -> bool:
    return (
        duration is not None
        and isinstance(wanted, tuple)
        and duration[0] == wanted[0]
        and abs(duration[1] - wanted[1]) < 1e-6 * max(1.0, duration[1])
    )


def _duration_of(text: str) -> tuple[str, float]:
    tokens = tokenize(text)
    duration = _duration(tokens[0], tokens[1]) if len(tokens) == 2 else None
    if duration is None:
        raise ValueError(f"{text!r} is not a duration such as '49 days' or '2.1 years'")
    return duration


def _decimal(value: float) -> Decimal:
    return Decimal(str(value)).normalize()


def _plain_id(text: str) -> str:
    """An id without #, leading zeros and separators."""
    return re.sub(r"[^a-z0-9]", "", fold(text)).lstrip("0") or "0"
