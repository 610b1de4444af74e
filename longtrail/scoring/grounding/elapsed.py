"""Elapsed: lengths of time and days that follow from delivered dates: between two, since one, counted from one."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations, pairwise

from longtrail.scoring.grounding.calendar_dates import coming
from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.values import Atom
from longtrail.scoring.grounding.words import stem
from longtrail.text.lexicon import singular

_BACK = re.compile(r"\b(?:ago|before|earlier|last|past|previous|old)\b", re.IGNORECASE)
"""A length of time in such a line is counted back from its date, in others on from it."""
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_RELATIVE = re.compile(
    rf"\b(?:(?P<near>yesterday|tomorrow|tonight|this morning)|(?P<week>(?:last|next|this) week(?:end)?)"
    rf"|(?P<weekday>{'|'.join(_WEEKDAYS)}))\b",
    re.IGNORECASE,
)
MOST_VALUES = 60
"""So many values of a page are combined at most."""
FEW_RUNS = 24
"""So few times of the day may be lengths instead: `boiled at 7:35`, `a lap of 1:52`. More give any difference."""


def span(
    atom: Atom, words: frozenset[str], entries: Sequence[Entry], ledger: Ledger, peers: Sequence[Atom]
) -> str | None:
    """The time between two delivered dates, or between one and now; or from a date of the claim to a delivered one."""
    days = float(str(atom.value))
    if days < 1:
        return _within_a_day(days, atom.about, entries) or _lengths(atom, days, words, entries)
    today = ledger.now.date()
    every = sorted({day for line in lines_of(entries) for day in line.dates} | {today})
    own = {peer.value for peer in peers if peer.kind == "date" and isinstance(peer.value, date)}
    own |= {ahead for day in own if (ahead := coming(day, today))}
    near = own | {day for line in lines_of(entries) if line.words & words for day in line.dates}
    near |= set(every) if atom.from_now or not near else set()
    if days >= 27:  # how long somebody has been here is often left unsaid
        near |= {day for line in lines_of(entries) if "join" in line.words for day in line.dates}
    for a in sorted(near)[:MOST_VALUES]:
        others = every if a in own else [today] if atom.from_now else [*sorted(near)[:MOST_VALUES], today]
        for b in others:
            if spans(atom, days, _between(atom, a, b)):
                return f"from {min(a, b)} to {max(a, b)}"
    if not atom.from_now and _neighbours(days, entries):
        return "between one entry and the next"
    if not atom.from_now and _events_apart(atom, days, words, near, entries):
        return "between days on two pages"
    for entry in entries:
        for line in entry.page.lines:
            for held in line.durations if line.dates else ():
                if any(spans(atom, days, round(held) + abs((today - day).days)) for day in line.dates):
                    return f"{held:g} days on {entry.name}, and the time since"
    return None if atom.about == "<" else ""


def _events_apart(atom: Atom, days: float, words: frozenset[str], near: set[date], entries: Sequence[Entry]) -> bool:
    """The time between days on two pages whose names the claim has, the review and the delivery, or on one and `near`:
    what it has words of."""
    named = [(called(entry) & words, {day for line in entry.page.timed for day in line.dates}) for entry in entries]
    pages = [(name, sorted(held)) for name, held in named if name and 0 < len(held) <= 8]
    few = sorted(near)[:8] if len(near) <= 8 else []
    return any(spans(atom, days, _between(atom, a, b)) for _, held in pages for a in held for b in few) or any(
        spans(atom, days, _between(atom, a, b))
        for (one, first), (other, second) in combinations(pages, 2)
        if one != other
        for a in first
        for b in second
    )


def _neighbours(days: float, entries: Sequence[Entry]) -> bool:
    """Whether so many days lie between two of the few things that a member posted, or between ones that follow."""
    for entry in entries:
        if not any(key.startswith("forum:user/") for key in entry.keys):
            continue
        dates = sorted({day for line in entry.page.lines if line.heads for day in line.dates})
        pairs = combinations(dates, 2) if len(dates) <= 6 else pairwise(dates)
        if any((later - day).days == days for day, later in pairs):
            return True
    return False


def called(entry: Entry) -> frozenset[str]:
    """The words of a page's kind: `customer:289/reviews` is called a review."""
    return frozenset(stem(singular(re.split(r"[:/]", key)[-1 if "/" in key else 0])) for key in entry.keys)


def _lengths(atom: Atom, days: float, words: frozenset[str], entries: Sequence[Entry]) -> str:
    """The sum or difference of two lengths of time: 1 hour 52 less 1 hour 21, 8 minutes less 7:35."""
    near = [line for entry in entries for line in entry.page.timed if line.words & words]
    lengths = {length for line in near for length in line.durations if length < 1}
    run = {time * unit for line in near for time in line.times for unit in (1 / 1440, 1 / 86_400)}
    lengths |= run if len(run) <= FEW_RUNS else set()
    slack = 0.1 * days if atom.about == "~" else min(0.0004, 0.05 * days)
    for a, b in combinations(sorted(lengths)[:MOST_VALUES], 2):
        if abs(b - a - days) <= slack or abs(a + b - days) <= slack:
            return "from two lengths of time"
    return ""


def _between(atom: Atom, one: date, other: date) -> int:
    """Days between two dates; working days where those are counted."""
    first, last = min(one, other), max(one, other)
    if atom.about != "working":
        return (last - first).days
    return sum((first + timedelta(days=n)).weekday() < 5 for n in range(1, min(400, (last - first).days) + 1))


def _within_a_day(days: float, about: str, entries: Sequence[Entry]) -> str:
    """The time between two moments of one page; of "less than five minutes", at least half of that."""
    low, high = {"<": (0.5, 1.0), ">": (1.0, 1.5), "~": (0.9, 1.1)}.get(about, (1.0, 1.0))
    least, most = low * days - 0.0004, high * days + 0.0004
    for entry in entries:
        times = sorted({time for line in entry.page.lines for time in line.times})[:MOST_VALUES]
        if any(least < (b - a) / 1440 < most for a, b in combinations(times, 2)):
            return f"between two times on {entry.name}"
    return ""


def spans(atom: Atom, said: float, real: int) -> bool:
    """Whether so many days are what was said, in the unit in which it was said: 766 days are 25 months, or 2 years."""
    if said < 1:
        return False
    if said < 27:
        return round(said) == real or (atom.about in ("~", ">", "<") and abs(said - real) <= 0.1 * said + 1)
    units = ((365.25, 60.0), (30.4375, 16.0), (7.0, 4.0))
    unit, slack = next(((u, give) for u, give in units if said >= u and _whole(said, u)), (1.0, 0.5))
    if atom.about in ("~", ">", "<"):
        slack = max(slack, 0.08 * said)
    if atom.about == ">" or unit > 7:  # "2 years" for 2 years and 7 months, "25 months" for 25 and a half
        return -slack / 4 <= real - said <= max(slack, unit if unit > 7 else slack) or abs(real - said) <= slack
    return abs(real - said) <= slack


def _whole(days: float, unit: float) -> bool:
    return abs(days / unit * 10 - round(days / unit * 10)) < 0.02


def day_named(day: date, words: frozenset[str], entries: Sequence[Entry]) -> str:
    """A day that a line counts from its own date: `password reset 2 days ago`."""
    for entry in entries:
        for line in entry.page.lines:
            for known in line.dates:
                for length in line.durations if line.words & words else ():
                    away = (known - day).days if _BACK.search(line.text) else (day - known).days
                    if length >= 1 and away == round(length):
                        return f"{length:g} days from {known} on {entry.name}"
                if line.words & words and _pointed(line.text, known, day):
                    return f"named from {known} on {entry.name}"
                if re.search(rf"\b(?:the )?{day.day}(?:st|nd|rd|th)\b", line.text) and abs((known - day).days) < 400:
                    return f"the day named on {entry.name}"
    return ""


def _pointed(text: str, known: date, day: date) -> bool:
    """Whether words like `yesterday`, `on Thursday` or `next week`, written on one day, can mean another."""
    for match in _RELATIVE.finditer(text):
        away = abs((day - known).days)
        if match["weekday"] and away <= 7 and day.weekday() == _WEEKDAYS.index(match["weekday"].lower()):
            return True
        if (match["near"] and away == 1) or (match["week"] and away <= 14):
            return True
    return False


def ago(atom: Atom, today: date) -> date | None:
    """The day that `N days ago` names, where the unit is at most a week."""
    days = float(str(atom.value))
    return today - timedelta(days=round(days)) if atom.about == "ago" and 1 <= days < 60 else None
