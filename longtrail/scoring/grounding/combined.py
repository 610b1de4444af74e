"""Combined: values that follow from one that the claim itself names, or that its words point at, and a delivered one.

`derived` looks for two values that belong together on the pages. People also reckon across pages: a limit of the rules
less the order's total, an item's share of it, a delivery and the rule's window, events on two pages.
What can be reckoned so is held to be known; exact values rarely come out by chance, and flags have to be right.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from itertools import combinations

from longtrail.scoring.grounding.derived import columns, rounded
from longtrail.scoring.grounding.lasted import lasted
from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.values import Atom
from longtrail.scoring.grounding.words import stem

_VOTES = re.compile(r"\(\+(\d+), \W(\d+)\)")
"""How a submission's points are made up."""
_VOTED = frozenset(map(stem, ("vote", "point", "upvote", "downvote")))
_RULE = re.compile(r"\d{1,2}\.\d{1,2} ")
"""A paragraph of rules."""
_COUNT = re.compile(r"(?<![\d.,#])(\d{1,4}) ([a-z]{4,})\b")
FEW = 12
"""Counts up to this may be of anything that a rule counts so often."""
LEAST_BOUND = 10
"""Numbers from this on are taken for bounds, `14 of 20`: smaller ones give any difference."""
_TOTALS = ("row: Grand Total", "row: Subtotal", "row: Total Paid", "row: Total Refunded")


def combined(atom: Atom, words: frozenset[str], ledger: Ledger, peers: Sequence[Atom]) -> str:
    """How an atom follows from the claim's other atoms and anything delivered; empty if it doesn't."""
    entries = [entry for entry in ledger.entries if not entry.page.open_grid]
    lines = [line for entry in entries for line in _near(entry, words, peers)]
    if atom.kind == "money":
        return _amount(atom, lines, entries, peers)
    if atom.kind == "percent":
        return _share(atom, lines, entries, peers)
    if atom.kind == "date" and isinstance(atom.value, date):
        return "today" if atom.value == ledger.now.date() else _reached(atom.value, lines, ledger.now, peers)
    if atom.kind == "duration":
        return lasted(atom, words, lines, entries, ledger, peers)
    if atom.kind == "number":
        return _sum(atom, lines, entries, peers)
    return ""


def _near(entry: Entry, words: frozenset[str], peers: Sequence[Atom]) -> list[Line]:
    """The lines that a claim speaks of: a word of a record, or an amount; of a rule two words, or its paragraph."""
    lines = entry.page.lines
    if not entry.policy:
        amounts = {peer.value for peer in peers if peer.kind == "money"}
        return [line for line in lines if line.words & words or not amounts.isdisjoint(line.money)]
    cited = tuple(f"{peer.value} " for peer in peers if peer.kind in ("section", "number"))
    return [line for line in lines if len(line.words & words) >= 2 or line.text.startswith(cited)]


def _numeric(atom: Atom) -> bool:
    """Whether an atom is a number that identifies something, of three digits or more."""
    text = str(atom.value)
    return text.isdigit() and 3 <= len(text) <= 9


def _decimals(peers: Sequence[Atom], *kinds: str) -> set[Decimal]:
    return {peer.value for peer in peers if peer.kind in kinds and isinstance(peer.value, Decimal) and peer.value}


def _amount(atom: Atom, lines: Sequence[Line], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    """The sum or difference of an amount that the claim names or a rule sets, and any amount of the case."""
    own = _decimals(peers, "money") | {m for line in lines for m in line.money if _RULE.match(line.text)}
    numbers = {Decimal(str(peer.value)) for peer in peers if peer.kind in ("id", "number") and _numeric(peer)}
    rows = (row for entry in entries for row in entry.page.rows if not numbers.isdisjoint(row.numbers))
    own |= {amount for row in rows for amount in row.money}
    counts = _decimals(peers, "number")
    told = {n for line in lines_of(entries) for n in counts & (line.numbers | line.money)}
    if reason := _each(atom, own | told, peers):
        return reason
    held = {m for line in lines_of(entry for entry in entries if not entry.policy) for m in line.money if m}
    for a in own:
        for b in held:
            if any(value > 0 and rounded(atom, value) for value in (a + b, abs(a - b))):
                return f"from {a:f} and {b:f}"
    return ""


def _each(atom: Atom, amounts: Iterable[Decimal], peers: Sequence[Atom]) -> str:
    """An amount spread over a number of things, or of days, weeks, months or years, that the claim gives."""
    parts = _decimals(peers, "number") | {Decimal(n) for peer in peers if peer.kind == "duration" for n in _units(peer)}
    found = ((a, n) for a in amounts for n in parts if n > 1 and a > n and rounded(atom, a / n))
    return next((f"{a} spread over {n}" for a, n in found), "")


def _units(length: Atom) -> list[int]:
    """A length of time in whole days, weeks, months, years, where it is such."""
    days = float(str(length.value))
    return [round(days / unit) for unit in (1, 7, 365.25 / 12, 365.25) if abs(days / unit - round(days / unit)) < 0.01]


def _share(atom: Atom, lines: Sequence[Line], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    """The share of an amount or a count that the claim speaks of in one that it names, or in its page's total."""
    own, near = _decimals(peers, "money", "number"), set(lines)
    for entry in entries:
        parts = own | {m for line in entry.page.lines if line in near for m in line.money if m}
        totals = {m for line in entry.page.lines if line.text.startswith(_TOTALS) for m in line.money if m}
        totals |= {total for column in columns(entry) if (total := sum(column, Decimal(0)))}
        for whole in own | totals:
            for part in parts:
                shares = [100 * part / whole] + ([100 - 100 * part / whole] if part in own else [])
                if part < whole and any(_rounds(atom, share) for share in shares):
                    return f"the share of {part:f} in {whole:f}"
        votes = ([Decimal(n) for n in m.groups()] for line in entry.page.lines if (m := _VOTES.search(line.text)))
        if any(_rounds(atom, 100 * part / sum(both)) for both in votes if sum(both) for part in both):
            return "a share of the votes"
    return ""


def _rounds(atom: Atom, share: Decimal) -> bool:
    return rounded(atom, share) or (atom.about == "~" and abs(share - Decimal(str(atom.value))) <= 2)


def _reached(day: date, lines: Sequence[Line], now: datetime, peers: Sequence[Atom]) -> str:
    """So many days after or before a day that the claim names, or from today as the claim itself counts them."""
    days = {peer.value for peer in peers if peer.kind == "date" and isinstance(peer.value, date)}
    lengths = {float(str(peer.value)) for peer in peers if peer.kind == "duration"}
    if abs((day - now.date()).days) in map(round, lengths):
        return "counted from today"
    lengths |= {length for line in lines for length in line.durations}
    for start, length in ((a, b) for a in days for b in lengths):
        if length >= 1 and abs((day - start).days) == round(length):
            return f"{length:g} days from {start}"
    return ""


def _sum(atom: Atom, lines: Sequence[Line], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    """What the claim's own values come to, or those of a rule, of a line, or the points that a page gives."""
    value = Decimal(str(atom.value))
    given = [p.value for p in peers if p.kind in ("number", "money") and isinstance(p.value, Decimal)]
    return (
        _reckoned(value, given, peers)
        or _ruled(value, [line for line in lines if _RULE.match(line.text)], peers)
        or _bounded(atom, given, lines, entries)
        or _voted(atom, given, entries)
    )


def _reckoned(value: Decimal, given: Sequence[Decimal], peers: Sequence[Atom]) -> str:
    """A sum or a product that the claim writes out: `14 km x 4 nights, 56 km`."""
    for first, last in combinations(range(len(given) + 1), 2):
        if last - first > 1 and sum(given[first:last]) == value:
            return "the sum of what the claim gives"
    units = [n for peer in peers if peer.kind == "duration" for n in _units(peer)]
    if any(value == number * n for number in given for n in units if n > 1 and number > 1):
        return "the product of what the claim gives"
    return ""


def _ruled(value: Decimal, rules: Sequence[Line], peers: Sequence[Atom]) -> str:
    if value <= FEW and any(value in line.numbers for line in rules):
        return "stands in the rule"
    lengths = [float(str(peer.value)) for peer in peers if peer.kind == "duration"]
    limits = [*lengths, *(length for line in rules for length in line.durations)]
    apart = any(abs(abs(a - b) - float(value)) < 0.01 for a in lengths for b in limits if a != b)
    return "from two lengths of time" if apart else ""


def _bounded(atom: Atom, given: Sequence[Decimal], lines: Sequence[Line], entries: Sequence[Entry]) -> str:
    """How far apart two numbers of a line are that the claim speaks of, or one of which it gives as a bound."""
    value, records = Decimal(str(atom.value)), [line for line in lines if not _RULE.match(line.text)]
    if not atom.nouns and value > FEW and any(_apart(value, line) for line in records):
        return "the difference of two numbers of a line"
    bounds = {number for number in given if number >= LEAST_BOUND}
    held = (line.numbers for line in lines_of(entries) if bounds & line.numbers)
    apart = any(abs(a - b) == value for numbers in held for a in bounds & numbers for b in numbers)
    return "the difference to a number that the claim gives" if apart else ""


def _voted(atom: Atom, given: Sequence[Decimal], entries: Sequence[Entry]) -> str:
    """The sum or difference of the votes for something and against it, or the sum of a page's points."""
    value, votes = Decimal(str(atom.value)), not atom.nouns or bool(_VOTED & set(atom.nouns))
    counts = {int(number) for number in given if 1 < number < 12 and number == int(number)}
    for entry in entries:
        both = [_positive(line) for line in entry.page.lines if votes and _VOTES.search(line.text)]
        pairs = ((a, b) for numbers in both for a, b in combinations(numbers, 2))
        told = {n for numbers in both for n in numbers} | {n for a, b in pairs for n in (a + b, abs(a - b))}
        if value in told:
            return f"from the votes on {entry.name}"
        if value > FEW and any(value == sum(each) for each in _of_each(atom.nouns, entry)):
            return f"the sum of what is counted on {entry.name}"
        points = [n for line in entry.page.lines if (n := _points(line)) is not None]
        if _of_points(value, points, counts):
            return f"the sum of points on {entry.name}"
    return ""


def _of_each(nouns: Sequence[str], entry: Entry) -> Iterator[list[int]]:
    """For each noun how many of them each line of a page counts: `16 comments between them` of five submissions."""
    for noun in nouns:
        counts = [m for line in entry.page.lines if noun in line.words for m in _COUNT.finditer(line.folded)]
        own = [int(match[1]) for match in counts if stem(match[2].removesuffix("s")) == noun]
        if len(own) > 1:
            yield own


def _apart(value: Decimal, line: Line) -> bool:
    return any(abs(a - b) == value for a, b in combinations(_positive(line)[:FEW], 2))


def _positive(line: Line) -> list[Decimal]:
    return [number for number in line.numbers if number > 0]


def _points(line: Line) -> Decimal | None:
    """The number that stands alone on a line, with its sign: the points of what is above it."""
    text = line.text.rpartition(" | ")[2].strip()
    return Decimal(text) if line.speaker and text.lstrip("-−").isdigit() and len(text) < 6 and text.isascii() else None


def _of_points(value: Decimal, points: Sequence[Decimal], counts: Iterable[int]) -> bool:
    if len(points) < 2 or value in points:
        return False
    sizes = {len(points), *(count for count in counts if count < len(points) <= 10)}
    return any(abs(sum(some)) == abs(value) for size in sizes for some in combinations(points, size))
