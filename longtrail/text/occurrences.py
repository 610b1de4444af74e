"""Occurrences: where a line contains a phrase, an amount, a date, a duration or an id, and what denies it there."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache

from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.lexicon import DAYS_PER_MONTH, MONTHS, UNITS
from longtrail.text.negation import denials, negators
from longtrail.text.token import PUNCTUATION, Token

_DAYS = {"day": 1.0, "week": 7.0, "fortnight": 14.0}
"""Units with which `ago` names one day of the calendar."""


@dataclass(frozen=True, slots=True)
class RequiredPart:
    """One part that the passage must contain."""

    kind: str
    """`phrase`, or the name of an Atoms field."""
    value: object
    """phrase: its tokens without denials; otherwise the value to compare with."""
    denied: bool = False
    """Whether it is a denial: a phrase that denies, or the number 0, which denies what it counts."""

    @property
    def tokens(self) -> tuple[Token, ...]:
        """A phrase's tokens."""
        return self.value if self.kind == "phrase" and isinstance(self.value, tuple) else ()


@dataclass(frozen=True, slots=True)
class Place:
    """Tokens first..last of a line contain a part, under these denials."""

    first: int
    last: int
    denials: frozenset[int]


def places_of(part: RequiredPart, line: str, tokens: Sequence[Token], today: date) -> Iterator[Place]:
    """Every occurrence of the part in a line."""
    if part.kind == "phrase":
        spots: Iterable[tuple[int, int]] = _phrase_spots(part.tokens, line, tokens)
    elif part.kind == "id":
        spots = _id_spots(part.value, line, tokens)
    elif part.kind == "duration":
        spots = _pair_spots(part.value, tokens)
    elif part.kind == "date":
        spots = _date_spots(part.value, tokens, today)
    else:
        spots = ((i, i) for i, token in enumerate(tokens) if _is(part, token))
    for first, last in spots:
        yield Place(first, last, denials(line, first, last))


def _is(part: RequiredPart, token: Token) -> bool:
    if part.kind == "money":
        if token.kind == "money" and isinstance(token.value, tuple):
            currency, amount = token.value
            return bool(currency == "USD" and abs(amount) == part.value)
        return token.kind == "number" and token.exact and token.value == part.value
    return token.kind == part.kind and token.value == part.value


def _phrase_spots(wanted: Sequence[Token], line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where the phrase's tokens follow each other; commas and denials may be between them, but not the end of a
    sentence."""
    at, denying = _content(line)
    if denying:
        only = {str(token.value) for token in wanted}
        at = tuple(i for i in at if i not in denying or str(tokens[i].value) in only)
    last = len(wanted) - 1
    for start in range(len(at) - last):
        for step, want in enumerate(wanted):
            if not _same(want, tokens[at[start + step]], step < last):
                break
        else:
            yield at[start], at[start + last]

    if month := _as_month(wanted):
        yield from ((i, i) for i, token in enumerate(tokens) if token.kind == "date" and _in_month(token.value, *month))


@lru_cache(maxsize=32_768)
def _content(line: str) -> tuple[tuple[int, ...], frozenset[int]]:
    """Positions of a line's tokens without punctuation within sentences, and of those that deny."""
    denying = frozenset(position for n in negators(line) for position in range(n.first, n.last + 1))
    tokens = enumerate(tokenize(line))
    return tuple(i for i, token in tokens if token.kind not in PUNCTUATION or token.kind == "stop"), denying


def _as_month(wanted: Sequence[Token]) -> tuple[int, int | None] | None:
    """Month and year of a phrase such as `December` or `December 2025`; every full date in that month contains it."""
    first = MONTHS.get(str(wanted[0].value)) if wanted and wanted[0].kind == "word" else None
    if first is None or len(wanted) > 2:
        return None
    if len(wanted) == 1:
        return first, None
    year = wanted[1].value
    return (first, int(year)) if isinstance(year, Decimal) and 1000 < year < 3000 else None


def _in_month(day: object, month: int, year: int | None) -> bool:
    return (_month_day(day) or (0, 0))[0] == month and (year is None or not isinstance(day, date) or day.year == year)


def _same(want: Token, token: Token, inside: bool) -> bool:
    """Whether two tokens are equal; inside a phrase, "Diana's" is not "Diana"."""
    if want.kind == token.kind:
        if inside and want.possessive != token.possessive:
            return False
        if want.kind == "date" and isinstance(want.value, tuple) != isinstance(token.value, tuple):
            return _month_day(want.value) == _month_day(token.value)
        return want.value == token.value
    kinds = {want.kind, token.kind}
    if kinds == {"ref", "number"}:
        return str(want.value) == str(token.value) or _plain(want) == _plain(token)
    if kinds == {"money", "number"}:
        money, number = (want, token) if want.kind == "money" else (token, want)
        return number.exact and isinstance(money.value, tuple) and bool(money.value[1] == number.value)
    return False


def _plain(token: Token) -> str:
    return f"{token.value:f}" if isinstance(token.value, Decimal) else str(token.value)


def _month_day(value: object) -> tuple[int, int] | None:
    if isinstance(value, date):
        return value.month, value.day
    return value if isinstance(value, tuple) else None


def _id_spots(pattern: object, line: str, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    assert isinstance(pattern, re.Pattern)
    folded = fold(line)
    if len(folded) != len(line):
        line = folded = "".join(fold(char)[:1] or " " for char in line)
    for match in pattern.finditer(folded):
        inside = [i for i, token in enumerate(tokens) if token.start < match.end() and token.end > match.start()]
        if inside and tokens[inside[0]].kind in ("ref", "number", "word"):
            yield inside[0], inside[-1]


def _pair_spots(value: object, tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    assert isinstance(value, tuple)
    for i in range(len(tokens) - 1):
        if tokens[i].kind == "number" and tokens[i + 1].kind == "word" and tokens[i + 1].value in UNITS:
            scale, size = UNITS[str(tokens[i + 1].value)]
            if _equal_durations((scale, float(str(tokens[i].value)) * size), value):
                yield i, i + 1


def _equal_durations(one: tuple[str, float], other: tuple[str, float]) -> bool:
    """Equal on one scale; months and days agree if they are less than a day (and 1 %) apart."""
    if one[0] == other[0]:
        return abs(one[1] - other[1]) < 1e-6 * max(1.0, abs(one[1]))
    days, months = (one[1], other[1]) if one[0] == "days" else (other[1], one[1])
    gap = abs(days - months * DAYS_PER_MONTH)
    return gap <= 1.0 and gap <= 0.01 * days


def _date_spots(day: object, tokens: Sequence[Token], today: date) -> Iterator[tuple[int, int]]:
    for i, token in enumerate(tokens):
        if token.kind == "date" and day in _resolved(token.value, today):
            yield i, i
        elif token.kind == "word" and token.value in ("today", "yesterday"):
            if today - timedelta(days=token.value == "yesterday") == day:
                yield i, i
        elif token.kind == "number" and i + 2 < len(tokens) and tokens[i + 2].value == "ago":
            days = _DAYS.get(str(tokens[i + 1].value), 0) * float(str(token.value))
            if days and days == int(days) and days < 40_000 and today - timedelta(days=int(days)) == day:
                yield i, i + 2


def _resolved(value: object, today: date) -> set[date]:
    """The days that a date may mean. A date without a year is the latest such day that is not in the future, or the
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
