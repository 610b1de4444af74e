"""Matcher: where does a text contain a phrase or a set of values? Values compare as values, words on their
boundaries. It reads no meaning: a denial is a word like any other."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, model_validator

from longtrail.records.record import Record
from longtrail.text.folding import fold
from longtrail.text.tokens import MONTHS, NUMBERS, Token, month_day, tokenize

_SECONDS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "night": 86_400, "week": 604_800}
_MONTHS = {"month": 1, "year": 12}
_OTHER_FORMS = frozenset({*NUMBERS, *MONTHS, "hour", "day", "minute", "week", "year", "percent"})
"""Words that a text may spell with other letters: `12`, `h`, `%`."""


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


class Part(NamedTuple):
    """One part that the passage must contain."""

    kind: str
    """`phrase`, or the name of an Atoms field."""
    value: object
    """phrase: its tokens; id: its plain characters; duration: (unit, number); otherwise the value."""


def matches(alternative: Alternative, text: str, now: datetime) -> str | None:
    """The first passage (a line) of a text that contains all parts of the alternative, or None. `now` resolves dates
    without a year."""
    if not may_match(alternative, fold(text)):
        return None
    return next((line for line in text.split("\n") if _in_line(alternative, line, now.date())), None)


def find(alternatives: Iterable[Alternative], text: str, now: datetime) -> str | None:
    """The passage of a text that contains the first of these alternatives that it contains, or None."""
    return next((line for way in alternatives if (line := matches(way, text, now)) is not None), None)


def may_match(alternative: Alternative, folded: str) -> bool:
    """A quick test: whether a folded text has the letters that every match contains."""
    return all(piece in folded for piece in _pieces(alternative))


def has_part(alternative: Alternative, text: str, now: datetime) -> bool:
    """Whether a text contains at least one of an alternative's parts."""
    tokens = tokenize(" ".join(text.split()))
    return any(_has(part, tokens, now.date()) for part in parts(alternative))


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


def _in_line(alternative: Alternative, line: str, today: date) -> bool:
    if not may_match(alternative, fold(line)):
        return False
    tokens = tokenize(line)
    return all(_has(part, tokens, today) for part in parts(alternative))


def _has(part: Part, tokens: Sequence[Token], today: date) -> bool:
    if part.kind == "phrase" and isinstance(part.value, tuple):
        size = len(part.value)
        starts = range(len(tokens) - size + 1)
        return any(all(map(_same, part.value, tokens[start : start + size])) for start in starts)
    if part.kind == "duration":
        return any(_duration(number, unit) == part.value for number, unit in pairwise(tokens))
    if part.kind == "id":
        return _has_id(str(part.value), tokens)
    return any(_is(part, token, today) for token in tokens)


def _has_id(wanted: str, tokens: Sequence[Token]) -> bool:
    """An id is one token, or several whose characters together are those of the id: `RMA-2231`, `1Z 999 AA1`."""
    plain = [_plain_id(_text(token.value)) if token.kind in ("ref", "number", "word") else " " for token in tokens]
    for first in range(len(plain)):
        together, last = plain[first], first
        while len(together) < len(wanted) and wanted.startswith(together) and last + 1 < len(plain):
            last += 1
            together += plain[last]
        if together == wanted:
            return True
    return False


def _is(part: Part, token: Token, today: date) -> bool:
    if part.kind == "money":
        return token.value == ("USD", part.value) or (token.exact and token.value == part.value)
    if part.kind == "date":
        return token.kind == "date" and part.value in resolved(token.value, today)
    return token.kind == part.kind and token.value == part.value


def _same(want: Token, token: Token) -> bool:
    kinds = {want.kind, token.kind}
    if kinds == {"date"} and isinstance(want.value, tuple) != isinstance(token.value, tuple):
        return month_day(want.value) == month_day(token.value)
    if kinds == {"ref", "number"}:
        return _text(want.value) == _text(token.value)
    if kinds == {"money", "number"}:
        money, number = (want, token) if want.kind == "money" else (token, want)
        return number.exact and isinstance(money.value, tuple) and bool(money.value[1] == number.value)
    return want.kind == token.kind and want.value == token.value


def _text(value: object) -> str:
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


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


def _duration(number: Token, unit: Token) -> tuple[str, Decimal] | None:
    if number.kind != "number" or unit.kind != "word" or not isinstance(number.value, Decimal):
        return None
    word = str(unit.value)
    if word in _SECONDS:
        return "seconds", number.value * _SECONDS[word]
    return ("months", number.value * _MONTHS[word]) if word in _MONTHS else None


def _duration_of(text: str) -> tuple[str, Decimal]:
    tokens = tokenize(text)
    duration = _duration(*tokens) if len(tokens) == 2 else None
    if duration is None:
        raise ValueError(f"{text!r} is not a duration such as '49 days' or '2.1 years'")
    return duration


def _decimal(value: float) -> Decimal:
    return Decimal(str(value)).normalize()


def _plain_id(text: str) -> str:
    """An id without #, leading zeros and separators."""
    return re.sub(r"[^a-z0-9]", "", fold(text)).lstrip("0") or "0"
