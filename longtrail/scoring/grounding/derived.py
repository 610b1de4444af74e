"""Derived: whether a value follows from delivered ones: a sum, a difference, a share, a span of days, a count of rows.

Only delivered values count: a value never follows from one that the text itself invented.
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
from longtrail.scoring.grounding.page_text import joined
from longtrail.scoring.grounding.values import Value, amounts_in, dates_in, stand_among, values_of

_TODAY = NOW.date()
_MOST_TOLD, _MOST_ON_PAGE = 14, 30
"""Maximum number of amounts, of the decision and of a page, that are combined: with more, any value would be a sum."""
_FEW = 12
"""Smaller numbers are never flagged as unsupported, because people count many things."""
_DAYS = {"day": 1, "days": 1, "night": 1, "nights": 1, "week": 7, "weeks": 7, "month": 30, "months": 30}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PERIOD = re.compile(rf"(?<= )(\d+) ({'|'.join(_DAYS)})(?= )")
_TOTAL = re.compile(r" grand total [$€£] (\d+(?:\.\d+)?)(?= )")
_TIME = re.compile(r"\b(\d{1,2}):(\d\d)\b")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s?(?:%|per ?cent)")


@dataclass(frozen=True)
class Grounds:
    """What values may follow from: the ledger, and the delivered values that the decision names."""

    ledger: Ledger
    text: str
    """The decision's whole text."""

    @cached_property
    def told(self) -> tuple[Value, ...]:
        """The decision's delivered values."""
        return tuple(value for value in values_of(self.text) if stand_among(value, self.ledger.joined))

    @cached_property
    def _amounts(self) -> list[Decimal]:
        found = [v.value for v in self.told if v.kind == "amount" and isinstance(v.value, Decimal)]
        return list(dict.fromkeys(found))[:_MOST_TOLD]

    @cached_property
    def _added(self) -> frozenset[Decimal]:
        """All sums and differences of named amounts, and of the totals of a few orders."""
        totals = {Decimal(one) for page in self.ledger.readings for one in _TOTAL.findall(page.joined)}
        some = list(_combinations(sorted(totals), 4)) if len(totals) <= _MOST_TOLD else []
        return frozenset([*_combinations(self._amounts, 4), *some])

    @cached_property
    def _on_pages(self) -> frozenset[Decimal]:
        """Sums and differences of a few amounts on one page (one may occur twice), and the sums of tables."""
        found: set[Decimal] = set()
        for page in {page.joined: page for page in self.ledger.readings}.values():
            there = sorted(amounts_in(page.joined))
            found |= {2 * one for one in there} | set(_sums_of_columns(page))
            if len(there) <= _MOST_ON_PAGE:
                found |= set(_combinations(there, 3 if len(there) <= _MOST_TOLD else 2))
            if len(there) <= _MOST_TOLD:
                found |= {one + other for one in self._amounts for other in there}
        return frozenset(found)

    @cached_property
    def _scaled(self) -> frozenset[Decimal]:
        """Multiples, fractions and percentages of named amounts."""
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
        return value.kind == "number" and isinstance(value.value, Decimal) and self._number_follows(value, value.value)

    def follow_on(self, value: Value, readings: Sequence[Reading]) -> bool:
        """Whether a value follows from these pages alone."""
        there = Ledger(tuple(readings))
        return Grounds(there, self.text).follow(value)

    def _amount_follows(self, amount: Decimal) -> bool:
        whole = amount == amount.to_integral_value()
        near = Decimal("0.5") if whole else Decimal("0.011")  # people round to whole percentages
        shown = (one for page in self.ledger.readings for one in amounts_in(page.joined))
        if any(abs(one - amount) <= near for pool in (shown, self._added) for one in pool):
            return True
        return any(abs(one - amount) <= Decimal("0.011") for pool in (self._on_pages, self._scaled) for one in pool)

    def _date_follows(self, day: object) -> bool:
        """A day named by another word, or a named day plus or minus a period that both texts name."""
        told = joined(self.text)
        named = {match[0] for match in _PERIOD.finditer(self.ledger.joined)}
        spans: set[int] = set()
        for match in _PERIOD.finditer(told):
            if match[0] in named:
                days = int(match[1]) * _DAYS[match[2]]
                spans |= {days, days + 2 * -(-days // 5)}  # working days, too
        dates = list(_days([*(value.value for value in self.told if value.kind == "date"), _TODAY]))
        if any(
            _same(day, base + timedelta(days=sign * span)) for base in dates for span in (0, *spans) for sign in (1, -1)
        ):
            return True
        return any(_named_otherwise(day, page) for page in self.ledger.readings)

    @cached_property
    def _all_dates(self) -> frozenset[date]:
        told = [value.value for value in self.told if value.kind == "date"]
        return frozenset([*_days(told), _TODAY, *_days(dates_in(self.ledger.joined))])

    def _number_follows(self, value: Value, number: Decimal) -> bool:
        """Whether a plain number is a span between dates or times, a count of rows, or computed from named values."""
        if number <= _FEW:
            return True
        whole, pages = int(number), self.ledger.readings
        spans = {abs((one - other).days) for one, other in combinations(self._all_dates, 2)}
        factor = 24 if value.unit.startswith("hour") else 1
        if any(abs(span * factor - whole) <= factor for span in spans):
            return True
        if any(abs(span // 7 - whole) <= 1 for span in spans if span) or any(whole in _minutes(page) for page in pages):
            return True
        if any(whole in (_rows(page), sum(map(_rows, pages))) for page in pages):
            return True
        told = [v.value for v in self.told if isinstance(v.value, Decimal)][:_MOST_TOLD]
        ratios = [one / other for one in told for other in told if other]
        reckoned = [*_combinations(told, 3), *ratios, *(100 * r for r in ratios), *(100 * r - 100 for r in ratios)]
        reckoned += [one * other for one, other in combinations(told, 2)]
        return any(abs(abs(one) - number) <= max(Decimal(1), number / 100) for one in reckoned)


def _minutes(page: Reading) -> set[int]:
    """The minutes between any two times of day on a page."""
    times = sorted({60 * int(hour) + int(minute) for hour, minute in _TIME.findall(page.text)})
    return {later - one for one, later in combinations(times, 2)} if len(times) <= _MOST_ON_PAGE else set()


def _combinations(amounts: Sequence[Decimal], most: int) -> Iterator[Decimal]:
    for size in range(2, most + 1):
        for some in combinations(amounts, size):
            yield sum(some, Decimal(0))
            if size <= 3:
                yield abs(2 * max(some) - sum(some, Decimal(0)))


def _sums_of_columns(page: Reading) -> Iterator[Decimal]:
    """The sums of the first and of the last amounts of all rows, and their means."""
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
    """Dates with a year; without one, the last such day."""
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
