"""Values: the amounts, dates and identifiers in a text, in a form that is equal for equal values."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from longtrail.text.folding import fold
from longtrail.text.tokens import month_day, tokenize

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

    def same(self, other: "Value") -> bool:
        """Whether both are the same value; a date without a year equals that day of any year."""
        if self.kind != other.kind:
            return False
        if self.kind == "date" and isinstance(self.value, date) != isinstance(other.value, date):
            return month_day(self.value) == month_day(other.value)
        return self.value == other.value

    def among(self, others: Iterable["Value"]) -> bool:
        """Whether it is one of these values."""
        return any(self.same(other) for other in others)


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
