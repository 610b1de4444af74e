"""Derived: whether a value follows from delivered ones: a sum, a difference, a share, a span of days, a count of rows.

Only delivered values count as grounds: a value never follows from what the same text made up.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from longtrail.clock import NOW
from longtrail.scoring.grounding.ledger import Ledger, Reading
from longtrail.scoring.grounding.values import Value, amounts_in, dates_in, stand_among, values_of

_TODAY = NOW.date()
_MOST_TOLD, _MOST_ON_PAGE = 14, 30
"""Amounts of the decision, and of a page, that are combined: of more, anything is a sum."""
_FEW = 12
"""Smaller numbers are never told to follow from nothing: people count what they like."""
_DAYS = {"day": 1, "days": 1, "night": 1, "nights": 1, "week": 7, "weeks": 7, "month": 30, "months": 30}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PERIOD = re.compile(rf"(?<= )(\d+) (?:working |business |calendar )?({'|'.join(_DAYS)})(?= )")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?(?:%|per ?cent)")


@dataclass(frozen=True)
class Grounds:
    """What values may follow from: the ledger, and what of it the decision names anywhere."""

    ledger: Ledger
    text: str
    """Everything that the decision says."""

    @cached_property
    def told(self) -> tuple[Value, ...]:
        """The values of the decision that were delivered."""
        return tuple(value for value in values_of(self.text) if stand_among(value, self.ledger.joined))

    @cached_property
    def _amounts(self) -> list[Decimal]:
        found = [v.value for v in self.told if v.kind == "amount" and isinstance(v.value, Decimal)]
        return list(dict.fromkeys(found))[:_MOST_TOLD]

    @cached_property
    def _combined(self) -> frozenset[Decimal]:
        """Every sum and difference of amounts that are told, of a few on one page, and the sums of tables."""
        found = set(_combinations(self._amounts, 4))
        for page in dict.fromkeys(self.ledger.readings):
            there = sorted(amounts_in(page.joined))
            if len(there) <= _MOST_ON_PAGE:
                found |= set(_combinations(there, 3 if len(there) <= _MOST_TOLD else 2))
            found |= set(_sums_of_columns(page))
            found |= {one + other for one in self._amounts for other in there} if len(there) <= _MOST_TOLD else set()
        return frozenset(found)

    @cached_property
    def _scaled(self) -> frozenset[Decimal]:
        """Multiples, parts and percentages of amounts that are told."""
        shares = [Decimal(share) / 100 for share in _PERCENT.findall(self.ledger.joined.replace(" percent", "%"))]
        shares += [Decimal(s) / 100 for page in self.ledger.readings for s in _PERCENT.findall(page.text)]
        found: set[Decimal] = set()
        for amount in self._amounts:
            found |= {amount * times for times in range(2, 13)} | {amount / times for times in range(2, 13)}
            found |= {amount * share for share in shares} | {amount * (1 - share) for share in shares}
        return frozenset(found)

    def follow(self, value: Value) -> bool:
        """Whether a value follows from what was delivered."""
        if value.kind == "amount" and isinstance(value.value, Decimal):
            return self._amount_follows(value.value)
        if value.kind == "date":
            return self._date_follows(value.value)
        return value.kind == "number" and isinstance(value.value, Decimal) and self._number_follows(value.value)

    def follow_on(self, value: Value, readings: Sequence[Reading]) -> bool:
        """Whether a value follows from what these pages alone hold."""
        there = Ledger(tuple(readings))
        return Grounds(there, self.text).follow(value)

    def _amount_follows(self, amount: Decimal) -> bool:
        near = Decimal("0.011") if amount != amount.to_integral_value() else Decimal("0.5")
        pools: Iterable[Iterable[Decimal]] = (
            (one for page in self.ledger.readings for one in amounts_in(page.joined)),
            self._combined,
            self._scaled,
        )
        return any(abs(one - amount) <= near for pool in pools for one in pool)

    def _date_follows(self, day: object) -> bool:
        told = [value.value for value in self.told if value.kind == "date"]
        periods = {int(count) * _DAYS[unit] for count, unit in _PERIOD.findall(self.ledger.joined)}
        return any(
            _same(day, base + timedelta(days=sign * period))
            for base in _days([*told, _TODAY])
            for period in periods
            for sign in (1, -1)
        ) or any(_named_otherwise(day, page) for page in self.ledger.readings)

    @cached_property
    def _all_dates(self) -> frozenset[date]:
        told = [value.value for value in self.told if value.kind == "date"]
        return frozenset([*_days(told), _TODAY, *_days(dates_in(self.ledger.joined))])

    def _number_follows(self, number: Decimal) -> bool:
        """Whether a bare number is a span between dates, a count of rows, or reckoned from numbers that are told."""
        if number <= _FEW:
            return True
        spans = {abs((one - other).days) for one, other in combinations(self._all_dates, 2)}
        whole = int(number)
        if any(abs(span - whole) <= 1 for span in spans) or any(abs(span // 7 - whole) <= 1 for span in spans if span):
            return True
        if any(whole in (_rows(page), sum(map(_rows, self.ledger.readings))) for page in self.ledger.readings):
            return True
        told = [v.value for v in self.told if isinstance(v.value, Decimal)][:_MOST_TOLD]
        ratios = [100 * one / other for one in told for other in told if other]
        reckoned = [*_combinations(told, 3), *ratios, *(ratio - 100 for ratio in ratios), *(100 - r for r in ratios)]
        reckoned += [one * other for one, other in combinations(told, 2)]
        return any(abs(one - number) <= max(Decimal(1), number / 100) for one in reckoned)


def _combinations(amounts: Sequence[Decimal], most: int) -> Iterator[Decimal]:
    for size in range(2, most + 1):
        for some in combinations(amounts, size):
            yield sum(some, Decimal(0))
            if size <= 3:
                yield abs(2 * max(some) - sum(some, Decimal(0)))


def _sums_of_columns(page: Reading) -> Iterator[Decimal]:
    """The sum of the first and of the last amount of all rows, and what that is on the mean."""
    rows = [re.findall(r"[$€£]\s?([\d,]+(?:\.\d+)?)", line) for line in page.lines if "|" in line]
    rows = [row for row in rows if row]
    for column in (0, -1):
        if len(rows) > 1:
            total = sum((Decimal(row[column].replace(",", "")) for row in rows), Decimal(0))
            yield total
            yield total / len(rows)


def _rows(page: Reading) -> int:
    return sum(line.count("|") > 1 for line in page.lines)


def _days(dates: Iterable[object]) -> Iterator[date]:
    """As dates with a year: the last such day where none is given."""
    for one in dates:
        if isinstance(one, date):
            yield one
        elif isinstance(one, tuple):
            for year in (_TODAY.year, _TODAY.year - 1):
                try:
                    found = date(year, *one)
                except ValueError:
                    continue
                if found <= _TODAY + timedelta(days=92):
                    yield found
                    break


def _same(day: object, other: date) -> bool:
    return day == other if isinstance(day, date) else day == (other.month, other.day)


def _named_otherwise(day: object, page: Reading) -> bool:
    """Whether a page names a day by another word, near a date of its own: `the 7th`, `Monday`, `yesterday`."""
    own = [*_days(dates_in(page.joined)), _TODAY]
    for wanted in _days([day]):
        near = [base for base in own if abs((wanted - base).days) <= 31]
        if near and re.search(rf"\b{wanted.day}(?:st|nd|rd|th)\b", page.text):
            return True
        if f" {_WEEKDAYS[wanted.weekday()]} " in page.joined and any(abs((wanted - b).days) <= 8 for b in near):
            return True
        shifts = {"yesterday": -1, "tomorrow": 1}
        if any(f" {word} " in page.joined and wanted - timedelta(days=n) in near for word, n in shifts.items()):
            return True
    return False
