"""Values: the amounts, dates, identifiers and numbers in a text, and whether delivered words contain one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest
from typing import Literal

from longtrail.scoring.grounding.page_text import words
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.lexicon import MONTHS, NUMBERS, TENS

ValueKind = Literal["amount", "date", "identifier", "number", "year"]
_RECORDS = r"(?:order|shipment|invoice|credit ?memo|memo|customer|submission|post|thread|review|product)s?"
_RECORD = re.compile(
    rf"\b{_RECORDS} (?:no\. ?|number |nos\. ?|numbers |id )?\(?#?(\d{{2,}}(?:(?:, (?:and )?| and |/| & )#?\d{{2,}})*)"
    r"(?![\d.,:]*(?:%|\d)|[ -](?:days?|hours?|hrs?|weeks?|months?|minutes?|times?|percent)\b)"
)
_CODE = re.compile(r"(?<![\w$€£.-])(?=[\w-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w%-]|\.\d)")
_HANDLE = re.compile(r"(?<![\w/@.])[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+(?!\w)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_IN = re.compile(r"\b(?:in|since|from|until|early|late)\s$", re.IGNORECASE)
"""Words before a number that is a year: "registered in 2019"."""
_COUNTED = (
    "(?:(?:up)?vote|point|comment|subscriber|result|record|submission|member|item|day|week|month|year|hour|minute)s?"
    "|percent"
)
"""Things that a plain number counts on a page: such a number is not an amount of money."""
_UNIT = re.compile(r"\d+(?:\.\d+)?(?:st|nd|rd|th|[a-z]{1,5})", re.IGNORECASE)
_MONTH = {number: name for name, number in MONTHS.items() if len(name) == 3}
_SPELLED = {value: word for word, value in (*NUMBERS.items(), *TENS.items())}
_BIG = 1_000


@dataclass(frozen=True)
class Value:
    """One value in a text."""

    kind: ValueKind
    value: object
    """amount, number, year: Decimal; date: a date, or (month, day); identifier: its words."""
    text: str
    start: int
    unit: str = ""
    """number: the word after it."""

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=4_096)
def values_of(text: str) -> tuple[Value, ...]:
    """All values of a text in order. Times of day and percentages don't count."""
    found = list(_identifiers(text))
    taken = [(one.start, one.start + len(one.text)) for one in found]
    tokens = tokenize(text)
    for token, after in zip_longest(tokens, tokens[1:]):
        if any(start < token.end and token.start < end for start, end in taken):
            continue
        said = text[token.start : token.end]
        if token.kind == "money" and isinstance(token.value, tuple):
            found.append(Value("amount", token.value[1], said, token.start))
        elif token.kind == "date":
            found.append(Value("date", token.value, said, token.start))
        elif token.kind == "ref":
            found.append(Value("identifier", words(said), said, token.start))
        elif token.kind == "number" and isinstance(token.value, Decimal):
            unit = str(after.value) if after and after.kind == "word" else ""
            year = _YEAR.fullmatch(said) and _IN.search(text[: token.start])
            kind: ValueKind = "amount" if token.exact else "year" if year else "number"
            found.append(Value(kind, token.value, said, token.start, unit))
    return tuple(sorted(found, key=lambda one: one.start))


def _identifiers(text: str) -> Iterator[Value]:
    """Numbers of records, codes of digits and letters, and handles."""
    lowered = fold(text) if len(fold(text)) == len(text) else text.lower()
    seen: set[int] = set()
    for match in _RECORD.finditer(lowered):
        for number in re.finditer(r"\d+", match[1]):
            at = match.start(1) + number.start()
            seen.add(at)
            yield Value("identifier", words(number[0]), text[at : at + len(number[0])], at)
    for pattern in (_CODE, _HANDLE):
        for match in pattern.finditer(text):
            if match.start() not in seen and (pattern is _HANDLE or _is_code(match[0])):
                yield Value("identifier", words(match[0]), match[0], match.start())


def _is_code(word: str) -> bool:
    """Whether a word with digits identifies a thing: a tracking number, a label, a reference; not a range, year or
    measure."""
    digits = sum(char.isdigit() for char in word)
    parts = word.split("-")
    if len(parts) > 1:
        if all(part.isdigit() for part in parts):
            return digits >= 6 and not (len(parts[0]) == 4 and parts[0][:2] in ("19", "20"))
        return digits >= 2 and all(part.isupper() or any(char.isdigit() for char in part) for part in parts)
    if word.isdigit():
        return digits >= 5
    return len(word) >= 5 and digits >= 2 and not _UNIT.fullmatch(word)


def stand_among(value: Value, delivered: str) -> bool:
    """Whether delivered words (in the form of `page_text.joined`) contain a value in any notation."""
    if value.kind == "date":
        return _date_among(value.value, delivered)
    if value.kind == "identifier" and isinstance(value.value, tuple):
        return f" {' '.join(value.value)} " in delivered or _run_together(value.value, delivered)
    if not isinstance(value.value, Decimal):
        return False
    there = [form for form in forms(value.value) if f" {form} " in delivered]
    if value.kind == "amount":
        return any(re.search(rf" {re.escape(form)} (?!(?:{_COUNTED}) )", delivered) for form in there)
    return bool(there)


def _run_together(parts: tuple[object, ...], delivered: str) -> bool:
    """`HB-20417` written as `HB20417`, or vice versa."""
    plain = "".join(map(str, parts))
    return len(plain) >= _LONG_CODE and plain in delivered.replace(" ", "")


_LONG_CODE = 6


def forms(number: Decimal) -> set[str]:
    """How a number may be written among a page's words."""
    plain = f"{number.normalize():f}"
    found = {plain, f"{number:.2f}"} if number == number.quantize(Decimal("0.01")) else {plain}
    if number == number.to_integral_value():
        whole = int(number)
        found |= {_spelled(whole)} if 0 <= whole < 100 else set()
    elif number < 100 and number == number.quantize(Decimal("0.01")):
        units, cents = divmod(int(number * 100), 100)
        found.add(f"{_spelled(units)} {_spelled(cents)}")
    if number >= _BIG and number % 100 == 0:
        found.add(f"{(number / 1000).normalize():f} k")
    return found


def _spelled(number: int) -> str:
    """A number below a hundred in words."""
    tens, ones = number // 10 * 10, number % 10
    return _SPELLED.get(number) or f"{_SPELLED[tens]} {_SPELLED[ones]}"


def _month_and_day(day: object) -> tuple[int, int]:
    if isinstance(day, date):
        return day.month, day.day
    assert isinstance(day, tuple)
    return int(day[0]), int(day[1])


def _date_among(day: object, delivered: str) -> bool:
    year = day.year if isinstance(day, date) else None
    month, number = _month_and_day(day)
    name = _MONTH[month]
    if year and f" {year} {month} {number} " in delivered:
        return True
    if not year and f" {month} {number} " in delivered:
        return True
    if f" {month} {number} {year} " in delivered or f" {number} {month} {year} " in delivered:
        return True
    return any(
        year is None or (given := _YEAR_NEXT.match(delivered, place)) is None or int(given[1]) == year
        for form in (f" {name} {number} ", f" {number} {name} ", f" {number} of {name} ")
        for place in _ends(form, delivered)
    )


_YEAR_NEXT = re.compile(r"((?:19|20)\d\d) ")


def _ends(piece: str, text: str) -> Iterator[int]:
    """The positions directly after each occurrence of a piece."""
    place = text.find(piece)
    while place >= 0:
        yield place + len(piece)
        place = text.find(piece, place + 1)


def dates_in(delivered: str) -> frozenset[date | tuple[int, int]]:
    """Every day of the calendar among delivered words."""
    return _dates_in(delivered)


@lru_cache(maxsize=1_024)
def _dates_in(delivered: str) -> frozenset[date | tuple[int, int]]:
    found: set[date | tuple[int, int]] = set()
    for match in _ANY_DATE.finditer(delivered):
        month = MONTHS[match["m"] or match["m2"]]
        day, year = int(match["d"] or match["d2"]), match["y"] or match["y2"]
        try:
            found.add(date(int(year), month, day) if year else (month, day))
        except ValueError:
            continue
    return frozenset(found)


_NAMES = "|".join(_MONTH.values())
_ANY_DATE = re.compile(
    rf"(?<= )(?:(?P<m>{_NAMES}) (?P<d>\d{{1,2}})(?= )(?: (?P<y>(?:19|20)\d\d)(?= ))?"
    rf"|(?P<d2>\d{{1,2}}) (?:of )?(?P<m2>{_NAMES})(?= )(?: (?P<y2>(?:19|20)\d\d)(?= ))?)"
)


@lru_cache(maxsize=1_024)
def amounts_in(delivered: str) -> frozenset[Decimal]:
    """Every amount among delivered words: after a currency, or with two decimals."""
    return frozenset(Decimal(one or other) for one, other in _ANY_AMOUNT.findall(delivered))


_ANY_AMOUNT = re.compile(r"[$€£] (\d+(?:\.\d+)?)(?= )|(?<= )(\d+\.\d\d)(?= )")
