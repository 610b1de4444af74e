"""Tokens: a text as typed tokens, so that amounts, dates and counts compare as values and not as characters; and its
values: the amounts, dates and identifiers."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from longtrail.text.folding import fold

Kind = Literal["word", "number", "money", "percent", "date", "time", "ref"]
CURRENCIES = {"$": "USD", "usd": "USD", "dollar": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "£": "GBP"}


def _ranks(words: str, first: int = 0) -> dict[str, int]:
    """Words -> their position; words joined by `/` share one."""
    return {word: rank for rank, group in enumerate(words.split(), first) for word in group.split("/")}


def _forms(words: str) -> dict[str, str]:
    """Words -> the first one of those that `/` joins with them."""
    return {word: group.split("/")[0] for group in words.split() for word in group.split("/")}


MONTHS = _ranks(
    "jan/january feb/february mar/march apr/april may jun/june jul/july aug/august sep/sept/september oct/october "
    "nov/november dec/december",
    1,
)
NUMBERS = _ranks(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
) | {word: 10 * rank for word, rank in _ranks("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
ARTICLES = frozenset({"a", "an", "the"})
MOST_DIGITS = 15
"""A number with more digits is read as the name of something, not as a quantity."""
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{1,{MOST_DIGITS}}}(?!\d))(?:\.\d{{1,4}}(?!\d))?"
_TOKEN = re.compile(
    rf"""(?P<iso>\b\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}\b)
    |(?P<us>\b\d{{1,2}}/\d{{1,2}}/\d{{4}}\b)
    |\b(?P<md_month>{_MONTH})\b\.?\s(?P<md_day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:/%]?\d|\s?%)(?:,?\s(?P<md_year>(?:19|20)\d\d)\b)?
    |\b(?P<dm_day>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<dm_month>{_MONTH})\b\.?(?:,?\s(?P<dm_year>(?:19|20)\d\d)\b)?
    |(?P<time>\b\d{{1,2}}:\d\d(?::\d\d)?\b(?:\s?[ap]\.?m\b)?)
    |(?P<dotted>\b\d+(?:\.\d+){{2,}}\b)
    |(?P<symbol>[$€£])\s?(?P<amount>{_NUMBER})(?P<thousands>k\b)?
    |(?<![\w.])(?P<amount_first>{_NUMBER})\s?(?P<symbol_last>[€£])
    |(?<![\w.])(?P<percent>{_NUMBER})\s?%
    |\#\s?(?P<hash>[a-z0-9]+)\b
    |(?P<zeros>\b0\d{{2,}}\b(?!\.\d))
    |(?P<unit_number>\b\d{{1,6}}(?:\.\d{{1,4}})?)(?P<unit>h|hrs?|d|mins?|wks?|yrs?|k)\b
    |(?<![\w.])(?P<number>{_NUMBER})(?![a-z])
    |(?P<word>[a-z0-9]+(?:'[a-z0-9]+)*|[^\W_]+)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """One typed token.

    `value` by kind: word and ref: folded text; number and percent: Decimal; money: (currency, Decimal); date: a date,
    or (month, day) if the year is not given; time: minutes since midnight.
    """

    kind: Kind
    value: object
    start: int
    end: int
    exact: bool = False
    """A number written with two decimals, as money is."""


@lru_cache(maxsize=32_768)
def tokenize(text: str) -> tuple[Token, ...]:
    """The tokens of a text, without articles and punctuation; positions are those of the folded text. It takes time
    in proportion to the text's length, and no text makes it raise."""
    return tuple(_merged(token for match in _TOKEN.finditer(fold(text)) for token in _read(match)))


def _read(match: re.Match[str]) -> Iterator[Token]:
    groups, (start, end) = match.groupdict(), match.span()
    if groups["word"]:
        yield from _words(groups["word"], start, end)
    elif groups["iso"] or groups["us"] or groups["md_month"] or groups["dm_month"]:
        day = _calendar(groups)
        yield Token("word", match[0], start, end) if day is None else Token("date", day, start, end)
    elif groups["time"]:
        yield Token("time", _minutes(groups["time"]), start, end)
    elif groups["symbol"]:
        amount = _decimal(groups["amount"]) * (1_000 if groups["thousands"] else 1)
        yield Token("money", (CURRENCIES[groups["symbol"]], amount), start, end)
    elif groups["symbol_last"]:
        yield Token("money", (CURRENCIES[groups["symbol_last"]], _decimal(groups["amount_first"])), start, end)
    elif groups["percent"]:
        yield Token("percent", _decimal(groups["percent"]), start, end)
    elif groups["hash"] or groups["zeros"]:
        yield Token("ref", (groups["hash"] or groups["zeros"]).lstrip("0") or "0", start, end)
    elif groups["unit_number"]:
        middle = match.end("unit_number")
        if groups["unit"] == "k":
            yield Token("number", _decimal(groups["unit_number"]) * 1_000, start, end)
        else:
            yield Token("number", _decimal(groups["unit_number"]), start, middle)
            yield Token("word", groups["unit"], middle, end)
    elif groups["number"]:
        exact = re.search(r"\.\d\d$", groups["number"]) is not None
        yield Token("number", _decimal(groups["number"]), start, end, exact)
    else:
        yield Token("word", match[0], start, end)


_NO_PLURALS = frozenset({"does", "news", "always", "series", "less", "plus", "yes"})
_UNITS = _forms("hour/h/hr/hrs day/d minute/min/mins week/wk/wks year/yr/yrs")


def _words(word: str, start: int, end: int) -> Iterator[Token]:
    """The word without an ending, as a number if it is one."""
    head, _, tail = word.partition("'")
    plain = singular(head if tail in ("s", "ve", "re", "ll", "d", "m") else word)
    if plain in NUMBERS:
        yield Token("number", Decimal(NUMBERS[plain]), start, end)
    elif word not in ARTICLES:
        yield Token("word", plain, start, end)


def singular(word: str) -> str:
    """A word without its plural ending, approximately; applied to both sides of every comparison."""
    if len(word) <= 3 or word in _NO_PLURALS or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


def _decimal(text: str | None) -> Decimal:
    return Decimal((text or "0").replace(",", "")).normalize()


def _minutes(text: str) -> int:
    hours, minutes = int(text.split(":")[0]), int(text.split(":")[1][:2])
    half = re.search(r"([ap])\.?m$", text)
    return 60 * (hours % 12 + (12 if half[1] == "p" else 0) if half else hours) + minutes


def _calendar(groups: dict[str, str | None]) -> date | tuple[int, int] | None:
    """A day of the calendar, as written in any of the forms; None: there is no such day."""
    if text := groups["iso"]:
        year, month, day = map(int, re.split("[-/]", text))
    elif text := groups["us"]:
        month, day, year = map(int, text.split("/"))
    else:
        month = MONTHS[groups["md_month"] or groups["dm_month"] or ""]
        day, year = int(groups["md_day"] or groups["dm_day"] or 0), int(groups["md_year"] or groups["dm_year"] or 0)
        if not year:
            return (month, day) if 1 <= day <= 31 else None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def month_day(day: object) -> object:
    """(month, day) of a date, with or without a year."""
    return (day.month, day.day) if isinstance(day, date) else day


def _merged(tokens: Iterable[Token]) -> list[Token]:
    """A number before a currency or `percent` becomes money or a percentage; units of time get one name."""
    merged: list[Token] = []
    for token in tokens:
        last, word = merged[-1] if merged else None, str(token.value)
        if last is None or last.kind != "number" or token.kind != "word":
            merged.append(token)
        elif word in ("percent", "pct"):
            merged[-1] = Token("percent", last.value, last.start, token.end)
        elif word in CURRENCIES:
            merged[-1] = Token("money", (CURRENCIES[word], last.value), last.start, token.end)
        else:
            merged.append(Token("word", _UNITS.get(word, word), token.start, token.end))
    return merged


ValueKind = Literal["amount", "date", "identifier"]
_CODE = re.compile(r"(?<![\w$€£.-])(?=[\w-]{0,40}\d)[A-Za-z0-9]{1,40}(?:-[A-Za-z0-9]{1,40}){0,4}(?![\w%-]|\.\d)")
_HANDLE = re.compile(r"(?<![\w/@.])[A-Za-z0-9]{1,40}(?:_[A-Za-z0-9]{1,40}){1,4}(?!\w)")
_MEASURE = re.compile(r"\d+(?:\.\d+)?(?:st|nd|rd|th|[a-z]{1,5})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """One value. Two notations of a value are equal: `$1,260.00` and `1260.00`, `#000617` and `617`."""

    kind: ValueKind
    value: Decimal | date | tuple[int, int] | str
    """amount: a Decimal; date: a date, or (month, day) without a year; identifier: its characters in lower case."""
    written: str

    def __str__(self) -> str:
        return self.written

    def among(self, others: Iterable["Value"]) -> bool:
        """Whether it is one of these values; a date without a year equals that day of any year."""
        return any(self.kind == other.kind and self._equals(other.value) for other in others)

    def _equals(self, value: object) -> bool:
        if self.kind == "date" and isinstance(self.value, date) != isinstance(value, date):
            return month_day(self.value) == month_day(value)
        return self.value == value


@lru_cache(maxsize=8_192)
def values_in(text: str, *, bare: bool = False) -> tuple[Value, ...]:
    """All values of a text, in order of kind. Times of day, percentages and plain numbers are not typed values; `bare`:
    every number is an amount, too, as in a table or in "sold for 54"."""
    values: list[Value] = []
    folded = fold(text)
    as_read = text if len(text) == len(folded) else folded
    for token in tokenize(text):
        written = as_read[token.start : token.end]
        if token.kind == "money" and isinstance(token.value, tuple):
            values.append(Value("amount", token.value[1], written))
        elif bare and token.kind == "number" and isinstance(token.value, Decimal):
            values.append(Value("amount", token.value, written))
        elif token.kind == "date" and isinstance(token.value, date | tuple):
            values.append(Value("date", token.value, written))
        elif token.kind == "ref":
            values.append(Value("identifier", str(token.value), written))
    codes = [match[0] for pattern in (_CODE, _HANDLE) for match in pattern.finditer(text)]
    values += [Value("identifier", _plain(code), code) for code in codes if "_" in code or _is_code(code)]
    return tuple(dict.fromkeys(values))


def _plain(code: str) -> str:
    return code.lower().replace("-", "").lstrip("0") or "0"


def _is_code(word: str) -> bool:
    """Whether a word with digits names a thing (a tracking number, a reference): no range, year or measure."""
    digits = sum(char.isdigit() for char in word)
    parts = word.split("-")
    if len(parts) > 1:
        if all(part.isdigit() for part in parts):
            return digits >= 6 and not (len(parts[0]) == 4 and parts[0][:2] in ("19", "20"))
        return digits >= 2 and all(part.isupper() or any(char.isdigit() for char in part) for part in parts)
    if word.isdigit():
        return digits >= 5
    return len(word) >= 5 and digits >= 2 and not _MEASURE.fullmatch(word)
