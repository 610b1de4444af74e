"""Lasted: lengths of time between what a claim speaks of and anything else that happened, or what is left of one.

`elapsed` looks for two days that belong together; here the other one may be of any page.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from longtrail.scoring.grounding.elapsed import called, day_named, spans
from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.values import Atom
from longtrail.scoring.grounding.words import stem, vocabulary

_NOTE = re.compile(r"^\W*[A-Z][a-z]{2} \d{1,2}, \d{4} [\d:]+ [AP]M\b")
"""The head of a note of an order or a paper."""
_LEFT = frozenset(map(stem, ("left", "remain", "remaining")))
LONG = 27
"""Days from which on a length is given in weeks or months, rounded: too many pairs of days would come to that."""
MOST = 80
"""So many values are combined at most."""


def lasted(
    atom: Atom,
    words: frozenset[str],
    lines: Sequence[Line],
    entries: Sequence[Entry],
    ledger: Ledger,
    peers: Sequence[Atom],
) -> str:
    """How a length of time follows from lines that the claim speaks of and from anything that happened."""
    told = [line for entry in entries if called(entry) & words for line in _notes(entry)]
    told += [line for entry in entries if vocabulary(entry.title) & words for line in _opening(entry)]
    return (
        _time(atom, lines, entries, ledger.now, peers)
        or _moments_apart(atom, told, entries)
        or _noted(atom, [*lines, *told], entries)
        or _to_a_day_named(atom, words, entries, peers)
        or _left(atom, words, entries, ledger)
    )


def _time(atom: Atom, lines: Sequence[Line], entries: Sequence[Entry], now: datetime, peers: Sequence[Atom]) -> str:
    """The time between two events, or what is left of a length after another one."""
    days = float(str(atom.value))
    own = {float(str(peer.value)) for peer in peers if peer.kind == "duration"}
    counts = [float(p.value) for p in peers if p.kind == "number" and isinstance(p.value, Decimal) and p.value > 1]
    if any(abs(length * count - days) <= 0.001 * days for length in own for count in counts):
        return "the product of what the claim gives"
    if days < 1:
        return _moments_apart(atom, lines, entries)
    near = sorted({day for line in lines for day in line.dates})[:MOST]
    every = {day for entry in entries for line in entry.page.timed for day in line.dates} | {now.date()}
    loose = days >= 27 or days in (7, 14, 21) or (bool(atom.about) and atom.about != "the")  # "over five weeks"
    others = every if loose else {*near, now.date()}
    gaps = {abs((a - b).days) for a in (near if near or not loose else every) for b in others}
    if any(spans(atom, days, gap) for gap in gaps):
        return "between two days of the pages"
    years = {int(n) for line in lines for n in line.numbers if 1900 < n <= now.year and n == int(n)}
    years |= {int(str(peer.value)) for peer in peers if peer.kind == "year"}
    if days > 360 and any(abs(now.year - year - days / 365.25) <= 1 for year in years):
        return "since a year of the pages"
    ends = (date(year + over, 1, 1) for year in {*years, *_years_ahead(lines, now)} for over in (0, 1))
    if days > 27 and any(spans(atom, days, (end - now.date()).days) for end in ends if end > now.date()):
        return "left until a year of the pages"
    lengths = own | {length for line in lines for length in line.durations if length >= 1}
    if any(
        spans(atom, days, round(abs(a - b)))
        for a in lengths
        for b in own | ({float(g) for g in gaps} if own else set())
    ):
        return "what is left of a length of time"
    return ""


def _years_ahead(lines: Sequence[Line], now: datetime) -> set[int]:
    return {int(n) for line in lines for n in line.numbers if now.year < n <= now.year + 10 and n == int(n)}


def _moments_apart(atom: Atom, lines: Sequence[Line], entries: Sequence[Entry]) -> str:
    """The minutes between a moment of these lines and any other one."""
    days = float(str(atom.value))
    if days >= 1:
        return ""
    near = [*moments(lines)][:MOST]
    every = [*moments(lines_of(entries))]
    said = days * 1440
    slack = 0.1 * said if atom.about in ("~", ">", "<") else 1.0 if said < 120 else 0.05 * said
    if any(abs(abs(a - b).total_seconds() / 60 - said) <= slack for a in near for b in every if a != b):
        return "between two moments of the pages"
    return ""


def moments(lines: Iterable[Line]) -> Iterator[datetime]:
    """The moments that lines give: the head of something written gives its own."""
    for line in lines:
        if len(line.dates) == 1:
            midnight = datetime.combine(next(iter(line.dates)), datetime.min.time())
            yield from (midnight + timedelta(minutes=time) for time in line.times)


def _noted(atom: Atom, lines: Sequence[Line], entries: Sequence[Entry]) -> str:
    """The days between one that the claim speaks of and another one on which something was noted."""
    near = sorted({day for line in lines for day in line.dates})[:MOST]
    noted = {day for entry in entries for line in _notes(entry) for day in line.dates}
    days = float(str(atom.value))
    apart = days < LONG and any(spans(atom, days, abs((a - b).days)) for a in near for b in noted)
    return "between a day of the pages and a note" if apart else ""


def _notes(entry: Entry) -> list[Line]:
    """The heads of what people wrote, and of the notes of an order and its papers: when something happened."""
    return [line for line in entry.page.timed if line.heads or _NOTE.search(line.text)]


def _opening(entry: Entry) -> list[Line]:
    """The head of what a thread was opened with: what its title calls happened then."""
    if not any(key.startswith("forum:submission") for key in entry.keys):
        return []
    return [line for line in entry.page.timed if line.heads and "Submitted by" in line.text]


def _to_a_day_named(atom: Atom, words: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    """The days from one that the claim gives to one that a page names: `eight days after March 14` for `the 22nd`."""
    said = float(str(atom.value))
    length = timedelta(days=said if said < LONG else 0)
    days = [peer.value for peer in peers if peer.kind == "date" and isinstance(peer.value, date)]
    ends = (end for day in days if length.days for end in (day + length, day - length))
    return next((reason for end in ends if (reason := day_named(end, words, entries))), "")


def _left(atom: Atom, words: frozenset[str], entries: Sequence[Entry], ledger: Ledger) -> str:
    """What is left of a length that the rules set, counted from something noted: `20 days are left of the 30`."""
    if not words & _LEFT:
        return ""
    days, today = float(str(atom.value)), ledger.now.date()
    limits = {length for e in ledger.entries if e.policy for line in e.page.timed for length in line.durations}
    gone = {(today - day).days for entry in entries for line in _notes(entry) for day in line.dates}
    return "what is left of a rule's length" if any(limit - days in gone for limit in limits) else ""
