"""Derived: values that stand nowhere but follow from delivered ones by sum, difference, ratio or date arithmetic.

Two delivered values are combined only where they belong together: on one line, in one column of one listing, or on
lines that share a word with the claim. Any two numbers of a long page would "derive" almost everything.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from decimal import Decimal
from itertools import combinations

from longtrail.scoring.grounding.elapsed import MOST_VALUES, day_named, span
from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.values import Atom
from longtrail.scoring.grounding.words import stem

_GRID = re.compile(r"row: 0\d{8} ")
"""A row of a listing of orders or their papers."""
_PARTS = {
    stem(word): Decimal(factor)
    for word, factor in (("half", "0.5"), ("third", "0.33333"), ("quarter", "0.25"), ("tenth", "0.1"), ("twice", "2"))
} | {stem("double"): Decimal(2), stem("triple"): Decimal(3)}
FEW_ROWS = 6
"""Of a listing with so few rows any may be added up: `the other two orders`."""
MOST_TERMS, MOST_COUNTS = 6, 4
"""So many amounts of a claim are added up at most, each so many times as one of so many counts says."""
WHOLE = Decimal("0.5")
"""`About two dollars` are as near as that."""
_AMOUNT = re.compile(r"\$([\d,]+\.\d\d)")


def derived(
    atom: Atom, words: frozenset[str], entries: Sequence[Entry], ledger: Ledger, peers: Sequence[Atom]
) -> str | None:
    """How an atom follows from what these entries hold; empty: it doesn't; None: that can't be told.

    `peers`: the claim's other atoms.
    """
    if atom.kind == "money" and (reason := _stated(atom, words, ledger.entries, peers)):
        return reason
    entries = [entry for entry in entries if not entry.policy and not entry.page.open_grid]
    if atom.kind == "money" and isinstance(atom.value, Decimal):
        return _amount(atom, words, entries, peers)
    if atom.kind == "percent" and isinstance(atom.value, Decimal):
        return _ratio(atom, words, entries, peers)
    if atom.kind == "duration":
        return span(atom, words, entries, ledger, peers)
    if atom.kind == "date" and isinstance(atom.value, date):
        return day_named(atom.value, words, entries)
    return ""


def _stated(atom: Atom, words: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    """What the claim itself reckons from delivered amounts that it gives: `$91.75 below $250`, `2 x $39.50 + $6.95`."""
    own = {p.value for p in peers if p.kind == "money" and isinstance(p.value, Decimal)}
    held = sorted(v for v in own if any(v in line.money for line in lines_of(entries)))[:MOST_TERMS]
    some = {p.value for p in peers if p.kind == "number" and isinstance(p.value, Decimal) and 1 < p.value <= 12}
    counts = [Decimal(1), *sorted(some)[:MOST_COUNTS]]
    shares = {p.value / 100 for p in peers if p.kind == "percent" and isinstance(p.value, Decimal)}
    parts = [factor for word, factor in _PARTS.items() if word in words]
    if any(abs(v * factor - Decimal(str(atom.value))) < Decimal("0.01") for v in held for factor in parts):
        return "a part of an amount which the claim gives"
    for whole, share in ((v, share) for v in held for share in shares):
        if atom.value in (round(whole * share, 2), round(whole - whole * share, 2)):
            return f"a share of {whole}, which the claim gives"
    for size in (1, 2, 3, 4):
        for terms in combinations([v * count for v in held for count in counts], size):
            rest = sum(terms[1:])
            results = (terms[0] + rest, abs(terms[0] - rest))
            hedged = size == 2 and atom.about == "~" and any(abs(v - Decimal(str(atom.value))) < WHOLE for v in results)
            if (size > 1 or terms[0] not in held) and (atom.value in results or hedged):
                return f"from {', '.join(map(str, terms))}, which the claim gives"
    return ""


def rounded(atom: Atom, value: Decimal) -> bool:
    """Whether a delivered value is what an atom says, rounded as it is given: hedged, bounded or to whole units."""
    given = atom.value
    assert isinstance(given, Decimal)
    if value == given:
        return True
    if atom.about == "~":
        return abs(value - given) <= abs(given) * Decimal("0.05")
    if atom.about == ">":
        return given < value <= given + max(_grain(given), abs(given) * Decimal("0.1"))
    if atom.about == "<":
        return given - max(_grain(given), abs(given) * Decimal("0.1")) <= value < given
    step = Decimal(1).scaleb(-atom.digits)
    near = value != value.quantize(step) and abs(value - given) < step
    return near and given in (value.quantize(step), value // step * step)


def _grain(value: Decimal) -> Decimal:
    """The unit of the last digit that is not 0: of 5,800 it is 100."""
    digits = f"{value:f}".split(".")[0]
    return Decimal(10) ** (len(digits) - len(digits.rstrip("0"))) if value >= 1 else Decimal(0)


def _amount(atom: Atom, words: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    counts = {int(p.value) for p in peers if p.kind == "number" and isinstance(p.value, Decimal) and p.value > 1}
    named = {str(peer.value) for peer in peers if peer.kind in ("id", "number")}
    for entry in entries:
        for column in columns(entry):
            if reason := _total(atom, column, counts):
                return f"{reason} in a listing on {entry.name}"
        related = [line for line in entry.page.lines if line.words & words or not words or _counts(line, counts)]
        related = [line for line in related if not _GRID.match(line.text) or any(str(n) in named for n in line.numbers)]
        values = sorted({m for line in related for m in line.money if m})[:MOST_VALUES]
        for a, b in combinations(values, 2):
            if atom.value in (a + b, b - a):
                return f"{b} {'+' if atom.value == a + b else '-'} {a} on {entry.name}"
        for line in related:
            for count in line.numbers:
                for money in line.money:
                    usable = 1 < count < 1000 or count in counts
                    if usable and (money * count == atom.value or rounded(atom, money / count)):
                        return f"{money} and {count} on a line of {entry.name}"
    return _across(atom, words, entries)


def _counts(line: Line, counts: Collection[int]) -> bool:
    """Whether a line holds a large number that the claim gives, too."""
    return any(count >= 100 and count in line.numbers for count in counts)


def _across(atom: Atom, words: frozenset[str], entries: Sequence[Entry]) -> str:
    """The sum or difference of two or three amounts from lines that share two words with the claim."""
    close = {m for line in lines_of(entries) if len(line.words & words) >= 2 for m in line.money if m}
    totals = (line for line in lines_of(entries) if line.text.startswith("row: Grand Total"))
    close |= {amount for line in totals for amount in line.money if amount}
    for size in (2, 3):
        for parts in combinations(sorted(close)[:30], size):
            if sum(parts) == atom.value or (size == 2 and parts[1] - parts[0] == atom.value):
                return f"from {', '.join(map(str, parts))}"
    return ""


def columns(entry: Entry) -> Iterable[list[Decimal]]:
    """The amounts of a listing's rows in their order: the first of each row."""
    amounts = [_first(line) for line in entry.page.rows if line.money]
    if len(amounts) > 1:
        yield amounts


def _first(line: Line) -> Decimal:
    """The amount of a row's first cell that holds nothing else."""
    cells = (_AMOUNT.fullmatch(cell.strip()) for cell in line.text.split("|"))
    return next((Decimal(cell[1].replace(",", "")) for cell in cells if cell), min(line.money))


def _total(atom: Atom, column: Sequence[Decimal], counts: Collection[int]) -> str:
    """The sum or the mean of a column, or of rows that follow each other in it: as many as the claim counts, else
    the first ones. Any run of many rows would give almost any amount."""
    for start in range(len(column)):
        total = Decimal(0)
        for end in range(start, min(len(column), start + 60)):
            total += column[end]
            rows = end - start + 1
            if rows < len(column) and (rows not in counts if counts else start > 0 or rows > 6):
                continue
            if end > start and (total == atom.value or (end - start > 1 and _nearly(atom, total))):
                return f"the sum of {end - start + 1} rows"
    sizes = sorted(count for count in counts if count < len(column) <= FEW_ROWS)
    if any(sum(rows) == atom.value for size in sizes for rows in combinations(column, size)):
        return "the sum of as many rows"
    mean = sum(column, Decimal(0)) / len(column)
    return "the mean of the rows" if rounded(atom, mean.quantize(Decimal("0.01"))) else ""


def _nearly(atom: Atom, total: Decimal) -> bool:
    """Whether a hedged amount is a sum: closer than one that stands there, as there are many sums."""
    given = atom.value
    assert isinstance(given, Decimal)
    return bool(atom.about) and rounded(atom, total) and abs(total - given) <= Decimal("0.02") * given


def _ratio(atom: Atom, words: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]) -> str:
    counts = {Decimal(n) for e in entries for n in e.page.records}
    counts |= {p.value for p in peers if p.kind in ("number", "money") and isinstance(p.value, Decimal)}
    groups: list[set[Decimal]] = [counts]
    for entry in entries:
        for line in entry.page.lines:
            if line.words & words or len(line.money) >= 2:
                groups += [set(line.money), {n for n in line.numbers if n < 10_000} if line.words & words else set()]
    for group in groups:
        values = sorted(v for v in group if v)[:20]
        for a, b in combinations(values, 2):
            for share in (a / b * 100, (b - a) / b * 100, (b - a) / a * 100):
                if _near(atom, share):
                    return f"from {a} and {b}"
    return ""


def _near(atom: Atom, share: Decimal) -> bool:
    if atom.about == "~":
        given = atom.value
        assert isinstance(given, Decimal)
        return abs(share - given) <= 2
    return rounded(atom, share) or share == atom.value
