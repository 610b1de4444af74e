"""Derived values: does a value follow from delivered ones? A sum, difference, multiple or fraction of amounts; a day
before or after a delivered one by a period that a page names."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from longtrail.clock import NOW
from longtrail.scoring.shown_pages import ShownPage
from longtrail.text.matcher import resolved
from longtrail.text.values import Value, values_in

_MOST_AMOUNTS = 14
"""Maximum number of amounts that are combined: with more, nearly every value would be a sum."""
_CENT = Decimal("0.011")
_MOST = Decimal(10) ** 12
_PERIOD = re.compile(r"\b(\d{1,3}) (day|week|month)s?\b")
_DAYS = {"day": 1, "week": 7, "month": 30}
_NEAR = timedelta(days=1)


@dataclass(frozen=True)
class DerivedValues:
    """What follows from the delivered pages, and from the delivered values that a decision names."""

    pages: Sequence[ShownPage]
    texts: Sequence[str]
    """The decision's texts."""
    delivered: frozenset[Value]

    def follows(self, value: Value) -> bool:
        """Whether a value follows from delivered ones; identifiers never do."""
        if isinstance(value.value, Decimal):
            amount = value.value
            is_whole = amount == amount.to_integral_value() and amount < _MOST
            near = Decimal("0.5") if is_whole else _CENT  # people round to whole numbers
            return any(abs(derived - amount) <= near for derived in self._amounts)
        days = _days([value]) if value.kind == "date" else set()
        if any(abs(day - known) <= _NEAR for day in days for known in self._days):
            return True
        return any(re.search(rf"\b{day.day}(?:st|nd|rd|th)\b", page.text) for day in days for page in self.pages)

    @cached_property
    def _named(self) -> list[Decimal]:
        """The delivered amounts that the decision names."""
        values = [value for text in self.texts for value in values_in(text) if value.among(self.delivered)]
        return _amounts(values)[:_MOST_AMOUNTS]

    @cached_property
    def _amounts(self) -> frozenset[Decimal]:
        derived: set[Decimal] = set(_amounts(self.delivered))
        groups = [self._named, *(_amounts(values_in(page.text)) for page in self.pages)]
        for group in groups:
            if len(group) <= _MOST_AMOUNTS:
                derived |= {sign * b + a for a, b in combinations(group, 2) for sign in (1, -1)}
                derived |= {a + b + c for a, b, c in combinations(group, 3)}
            derived.add(sum(group, Decimal(0)))
        for amount in self._named:
            derived |= {amount * times for times in range(2, 13)} | {amount / times for times in range(2, 13)}
            derived |= {amount * percent / 100 for percent in range(5, 100, 5)}
        return frozenset(abs(amount) for amount in derived)

    @cached_property
    def _days(self) -> set[date]:
        known = {NOW.date()} | _days(self.delivered)
        texts = (*self.texts, *(page.text for page in self.pages))
        spans = {int(number) * _DAYS[unit] for text in texts for number, unit in _PERIOD.findall(text)}
        return {day + timedelta(days=sign * span) for day in known for span in (0, *spans) for sign in (1, -1)}


def _amounts(values: Iterable[Value]) -> list[Decimal]:
    amounts = (value.value for value in values if value.kind == "amount" and isinstance(value.value, Decimal))
    return list(dict.fromkeys(amount for amount in amounts if amount < _MOST))


def _days(values: Iterable[Value]) -> set[date]:
    days = (day for value in values if value.kind == "date" for day in resolved(value.value, NOW.date()))
    return {day for day in days if 1990 < day.year < 2100}
