"""Calendar dates: days, months and times of the day that people name in other ways than by a full date."""

import re
from collections.abc import Iterator
from datetime import date

from longtrail.text.folding import fold
from longtrail.text.lexicon import MONTHS, NUMBERS, TENS

_LAST = re.compile(r"\b(?:last|this past)\s+(" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b")
_MINUTES = "|".join(sorted({*NUMBERS, *TENS}, key=len, reverse=True))
_HOURS = "|".join(sorted((word for word, hour in NUMBERS.items() if 0 < hour <= 12), key=len, reverse=True))
_PAST = re.compile(
    rf"\b(?P<minutes>\d{{1,2}}|(?:{_MINUTES})(?:-(?:{_MINUTES}))?) minutes? (?P<side>after|past|before|to) "
    rf"(?:(?P<middle>midnight|noon|midday)\b"
    rf"|(?P<hour>\d{{1,2}}|{_HOURS}),? (?:in the (?P<when>morning|afternoon|evening)|at (?P<night>night)))",
    re.IGNORECASE,
)
_DAY = 1440
SOON = 90
"""Days from today within which a date without a year may lie ahead."""


def resolve(value: object, today: date) -> date | None:
    """A day; one without a year is the latest such day that is not in the future."""
    if isinstance(value, date) or value is None:
        return value
    assert isinstance(value, tuple)
    for year in range(today.year, today.year - 5, -1):
        try:
            day = date(year, *value)
        except ValueError:
            continue
        if day <= today:
            return day
    return None


def coming(day: date, today: date) -> date | None:
    """The next such day of the year, if it is soon: the other one that a date without a year can mean."""
    if (day.month, day.day) == (2, 29):
        return None
    ahead = day.replace(year=day.year + 1)
    return ahead if 0 < (ahead - today).days <= SOON else None


def last_months(text: str, today: date) -> Iterator[tuple[tuple[int, int], int, int]]:
    """(year and month, start, end) of each `last March`."""
    for match in _LAST.finditer(fold(text)) if text.isascii() else ():
        month = MONTHS[match[1]]
        yield (today.year - (month >= today.month), month), match.start(), match.end()


def told_times(text: str) -> Iterator[tuple[int, int, int]]:
    """(minute of the day, start, end) of each time told from an hour: `25 minutes after midnight`."""
    for match in _PAST.finditer(text):
        minutes = _minutes(match["minutes"].lower())
        ahead = match["side"].lower() in ("after", "past")
        yield (_hour(match) + (minutes if ahead else -minutes)) % _DAY, *match.span()


def _hour(match: re.Match[str]) -> int:
    """The minute of the day at which an hour strikes."""
    if match["middle"]:
        return 0 if match["middle"].lower() == "midnight" else _DAY // 2
    hour = _minutes(match["hour"].lower()) % 12
    late = match["night"] is not None and hour >= 6
    return 60 * (hour + 12 * (late or (match["when"] or "").lower() in ("afternoon", "evening")))


def _minutes(said: str) -> int:
    return int(said) if said.isdigit() else sum(TENS.get(word, 0) or NUMBERS.get(word, 0) for word in said.split("-"))
