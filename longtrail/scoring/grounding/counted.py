"""Counted: does a count with its noun stand on a page, or follow from counting the rows or lines there?"""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from itertools import combinations

from longtrail.scoring.grounding.derived import rounded
from longtrail.scoring.grounding.ledger import Entry, lines_of
from longtrail.scoring.grounding.measures import MEASURED, in_another_unit
from longtrail.scoring.grounding.ordinals import ORDINALS
from longtrail.scoring.grounding.page import Line, Page
from longtrail.scoring.grounding.values import Atom, atoms_of
from longtrail.scoring.grounding.wording import plain
from longtrail.scoring.grounding.words import listed, stem, vocabulary
from longtrail.text.lexicon import UNITS

_VAGUE = listed("vague") | {stem(word) for word in listed("vague") | listed("adjectives")}
"""What is counted in prose without standing anywhere, and words that may stand before what is counted."""
SMALL = 2
"""Counts up to this are seldom written as figures and follow from almost any page."""
FEW = 12
"""Counts up to this say nothing without a noun."""
_CITING = frozenset(map(stem, listed("sections")))
"""`the 14 of paragraph 3.6` counts no paragraphs."""
_IN_FORUM = re.compile(r"^(?:Reply to|\W*Submitted by)\b.* in  \"(\w+)\"$")
"""Where a member's page says in which forum something was written."""
_FRACTIONS = frozenset(map(stem, (*ORDINALS, "quarter", "half", "hundredth", "percent")))
_PEOPLE = frozenset({"user", "account", "profile"})
_WRITTEN = frozenset({"comment", "user", "account", "forum", "post", "reply", "contribution"})


def counted(atom: Atom, said: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]) -> str | None:
    """Where a number stands or what it counts; empty if nowhere; None where that can't be told.

    `said`: the claim's words; `peers`: its other values, for "3 orders within 48 hours" and "38 against 21, 17 more".
    """
    value = _value(atom)
    if reason := _computed(atom, peers) or _timed(value, said, entries) or _enumerated(value, peers):
        return reason
    if atom.nouns[:1] == ("time",) and any(peer.kind in ("money", "percent") for peer in peers):
        return None  # so many times an amount
    if atom.nouns[:1] == ("time",) and value != value.to_integral_value():
        return None  # "3.8 times as much"
    if atom.nouns[:1] == ("time",) and value > SMALL:
        return _times(value, said - {"time"}, entries) or (None if value == SMALL + 1 else "")
    if atom.nouns[:1] and atom.nouns[0] in _FRACTIONS:
        return None  # "nine tenths"
    if atom.digits and (place := paragraph(value, entries)):
        return place
    if atom.nouns and (place := in_another_unit(value, atom.nouns, entries)):
        return place
    nouns = [noun for noun in atom.nouns if noun not in _VAGUE and noun not in _CITING and len(noun) > 1]
    if not nouns:
        return _alone(atom, said, entries, peers)
    if atom.about == "the" and value <= FEW:
        return None
    for entry, line in _lines(entries):
        if value not in line.numbers:
            continue
        if (any(noun in line.words for noun in nouns) and _counts(value, nouns, entry, line)) or _unit(nouns, line):
            return f"stands on {entry.name}"
    if reason := _by_counting(value, nouns, said, entries, peers):
        return reason
    if value > FEW and (found := _known(value, said, entries)):
        return found
    records = [entry for entry in entries if not entry.policy] or entries
    if value == 1 and not atom.digits and atom.about != "~":
        return None  # "one scan": that there is one says little
    few = value <= SMALL and nouns[0] not in MEASURED
    if few and any(noun in entry.page.words for entry in records for noun in atom.nouns):
        return None
    near = (line for line in lines_of(entries) if any(noun in line.words for noun in nouns))
    return "stands there, rounded" if any(_loose(atom, n) for line in near for n in line.numbers) else ""


def _unit(nouns: Sequence[str], line: Line) -> bool:
    """Whether a line numbers a unit of time, which is no word of it: `week five`."""
    return any(re.search(rf"\b{noun} (?:\d|[a-z]+\b)", line.folded) for noun in nouns if noun in UNITS)


def _known(value: Decimal, said: frozenset[str], entries: Sequence[Entry]) -> str:
    """A large number in a line with another word of the claim, or one too large to stand there by chance."""
    digits = f" {value:,f} ".replace(",", " ")
    for entry, line in _lines([entry for entry in entries if not entry.policy and not entry.page.open_grid]):
        if value in line.numbers and (value >= 100 or line.words & said):
            return f"stands on {entry.name}"
        if value >= 1000 and (digits in plain(line.text) or digits.replace(" ", "") in plain(line.text)):
            return f"stands on {entry.name}"
    return ""


def _value(atom: Atom) -> Decimal:
    assert isinstance(atom.value, Decimal)
    return atom.value


def paragraph(value: Decimal, entries: Sequence[Entry]) -> str:
    """`4.5 asks that ...`: the paragraph of a rule page."""
    begins = f"{value:f} "
    held = (e for e in entries if e.policy and any(line.text.startswith(begins) for line in e.page.lines))
    return next((f"paragraph of {entry.name}" for entry in held), "")


def _counts(value: Decimal, nouns: Sequence[str], entry: Entry, line: Line) -> bool:
    """Whether a rule's line counts one of these with the number: its figures stand close together."""
    if not entry.policy:
        return True
    held = (atom for atom in atoms_of(line.text, entry.page.now) if atom.kind == "number" and atom.value == value)
    return any(set(atom.nouns) & set(nouns) for atom in held)


def _lines(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Line]]:
    return ((entry, line) for entry in entries for line in entry.page.lines)


def _alone(atom: Atom, said: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]) -> str | None:
    """A number without a noun."""
    value = _value(atom)
    lines = lines_of(entries)
    if any(value in line.money and line.words & said for line in lines):
        return "stands there as an amount"
    if any(value in line.numbers and len(line.words & said) >= 2 for line in lines):
        return "stands there"
    if value <= FEW or any(peer.kind == "duration" for peer in peers):
        return None  # "by 99 days, and by 114"
    if any(value in line.numbers for line in lines):
        return "stands there"
    return None if atom.about == "~" or value <= 31 else ""


def _computed(atom: Atom, peers: Sequence[Atom]) -> str:
    """The sum, difference or product of other numbers in the claim, or how many times one is another."""
    value = _value(atom)
    amounts = [p.value for p in peers if p.kind in ("money", "number") and isinstance(p.value, Decimal) and p.value]
    for a, b in combinations(amounts, 2):
        if "time" in atom.nouns and value in (round(max(a, b) / min(a, b)), max(a, b) // min(a, b)):
            return f"{max(a, b):f} is so many times {min(a, b):f}"
    numbers = [p.value for p in peers if p.kind == "number" and isinstance(p.value, Decimal)]
    for a, b in combinations(numbers, 2):
        if atom.about == "per" and a and b and rounded(atom, 100 * min(a, b) / max(a, b)):
            return f"{min(a, b):f} in {max(a, b):f}, for each hundred"
        if value in (a + b, abs(a - b), a * b) and value not in (a, b):
            return f"from {a:f} and {b:f}"
        if value > FEW and value in _quotients(max(a, b), min(a, b)):
            return f"{max(a, b):f} divided by {min(a, b):f}"
    if any(value == sum(terms) for size in (3, 4, 5) for terms in combinations(numbers[:8], size)):
        return "the sum of what the claim gives"
    return ""


def _quotients(a: Decimal, b: Decimal) -> tuple[Decimal, ...]:
    """What one measure gives for each of another, in the same unit or in its thousandth: 8 litres for 40 are 200 ml."""
    return (a / b, b / a * 1000, a / b * 1000) if a and b else ()


def _enumerated(value: Decimal, peers: Sequence[Atom]) -> str:
    """`Three orders (739, 747, 751)`: the sentence itself lists so many."""
    said = ("id", "money", "date", "time", "duration", "percent")
    kinds = [p.kind for p in peers if p.kind in said or (p.kind == "number" and not p.nouns)]
    return "listed there" if value >= SMALL and any(kinds.count(kind) == value for kind in set(kinds)) else ""


def _timed(value: Decimal, said: frozenset[str], entries: Sequence[Entry]) -> str:
    """A duration whose unit stands elsewhere in the sentence: 112 minutes are 1 hour 52."""
    for entry, line in ((each, line) for each in entries for line in each.page.timed) if value > SMALL else ():
        if line.words & said and any(abs(d * 1440 - float(value)) < 0.01 for d in line.durations):
            return f"as minutes on {entry.name}"
    return ""


def _times(value: Decimal, said: frozenset[str], entries: Sequence[Entry]) -> str:
    """How often something happened: a line that has the count and a word of it, or so many lines with the word."""
    for entry in entries:
        if entry.policy:
            continue
        if any(value in line.numbers and line.words & said for line in entry.page.lines):
            return f"stands on {entry.name}"
        if any(value == sum(word in line.words for line in entry.page.lines) for word in said):
            return f"counted on {entry.name}"
    return ""


def _loose(atom: Atom, number: Decimal) -> bool:
    value = _value(atom)
    if atom.about == "~":
        return abs(number - value) <= value * Decimal("0.1")
    if atom.about == ">":
        return value < number <= value * Decimal("1.25")
    return atom.about == "<" and value * Decimal("0.75") <= number < value


def _by_counting(
    value: Decimal, nouns: Sequence[str], said: frozenset[str], entries: Sequence[Entry], peers: Sequence[Atom]
) -> str:
    if value != value.to_integral_value() or value > 400:
        return ""
    count, spans = int(value), [peer for peer in peers if peer.kind == "duration"]
    records = [entry for entry in entries if not entry.policy]
    if records and not frozenset.intersection(*(entry.keys for entry in records)):  # one grid that is named is counted
        records = [entry for entry in records if not entry.page.open_grid]
    for entry in records:
        if reason := _on_page(count, nouns, said, entry, spans):
            return f"{reason} on {entry.name}"
    for noun in nouns:
        lines = {line.folded for line in lines_of(records) if noun in line.words}
        if count > 1 and not spans and count == len(lines):
            return f"as many lines hold {noun!r}"
    if not _WRITTEN & set(nouns):
        return ""
    reach = max((float(str(span.value)) + 1 for span in spans), default=0.0)
    return _heads(count, set(nouns), records, reach)


def _on_page(count: int, nouns: Sequence[str], said: frozenset[str], entry: Entry, spans: Sequence[Atom]) -> str:
    """What a page holds just so many of."""
    page = entry.page
    if any(noun in page.words for noun in nouns):
        if count in page.records or (page.rows and count == len(page.rows)):
            return "as many are listed"
        for word in said if not spans else ():
            if count == sum(word in row.words for row in page.rows):
                return f"as many rows hold {word!r}"
        if count in _by_forum(page, said):
            return "as many are of a forum that it names"
        if _in_a_row(count, page.rows, spans):
            return "as many rows lie within that time"
    for noun in nouns:
        holding = sum(noun in line.words for line in page.lines if not line.text.startswith("heading"))
        if count > 1 and not spans and count == holding:
            return f"as many lines hold {noun!r}"
    return ""


def _by_forum(page: Page, said: frozenset[str]) -> set[int]:
    """How many of what a member's page lists is of each forum that a claim names: `5 of the 7 are in Music`."""
    forums = [vocabulary(match[1]) for line in page.lines if (match := _IN_FORUM.search(line.text))]
    return {forums.count(forum) for forum in forums if forum and forum <= said}


def _heads(count: int, nouns: set[str], entries: Sequence[Entry], reach: float) -> str:
    """Comments, members and forums are counted by the heads of what was written, within a number of days if given."""
    for entry, heads in ((each, held) for each in entries for held in _stretches(each, reach)):
        speakers = [line.speaker for line in heads]
        forums = {line.folded.rsplit(" in ", 1)[-1] for line in heads if " in " in line.text}
        comments = sum(" wrote on " in line.text for line in heads)
        each = (speakers.count(name) for name in set(speakers))
        written = (len(speakers), comments, *each)
        found = (len(forums),) if "forum" in nouns else (len(set(speakers)),) if nouns & _PEOPLE else written
        if count in found:
            return f"counted on {entry.name}"
    return ""


def _stretches(entry: Entry, reach: float) -> Iterator[list[Line]]:
    """The heads on a page; with a reach, those from each day on that lie within it."""
    heads = [line for line in entry.page.lines if line.heads]
    if not reach:
        yield heads
        return
    for first in sorted({day for line in heads for day in line.dates}):
        last = first + timedelta(days=reach)
        yield [line for line in heads if any(first <= day <= last for day in line.dates)]


def _in_a_row(count: int, rows: Sequence[Line], spans: Sequence[Atom]) -> bool:
    """Whether so many rows that follow each other, and not one more, lie within one of the spans."""
    dates = [max(row.dates) for row in rows if row.dates and row.times]
    for span in spans:
        reach = timedelta(days=float(str(span.value)) + 1)
        for start in range(len(dates) - count + 1):
            inside = abs(dates[start] - dates[start + count - 1]) <= reach
            if inside and (start == 0 or abs(dates[start - 1] - dates[start + count - 1]) > reach):
                return True
    return False
