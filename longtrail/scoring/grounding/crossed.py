"""Crossed: values and names said of the wrong one: two that changed places, a day of the week, a name for another."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import combinations, islice, pairwise

from longtrail.scoring.grounding.calendar_dates import coming
from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.people import handles, named, without
from longtrail.scoring.grounding.subjects import of_another_subject
from longtrail.scoring.grounding.values import Atom, atoms_of
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_FIELDS = {
    "money": "money",
    "percent": "percents",
    "date": "dates",
    "time": "times",
    "duration": "durations",
    "number": "numbers",
}
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(DAYS)})\b")
_CLAUSES = re.compile(r"[;,]|\b(?:and|while|whereas|but)\b")
MOST_PARTS = 12
"""Parts of a sentence whose values are compared, each with each."""
MOSTLY = 0.6
"""So much of a clause's words a line must have to be what the clause is about."""
_CUTS = frozenset({"and", "while", "whereas", "but"})


@dataclass(frozen=True)
class _Part:
    """A part of a sentence that gives one value, and what it says of it."""

    atom: Atom
    words: frozenset[str]


def crossed(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why something in a text is said of the wrong one; empty if that can't be told."""
    return (
        _weekday(text, ledger)
        or _exchanged_values(text, inside, ledger)
        or (
            _all_of_them(text, inside, ledger)
            or _anothers_words(text, inside, ledger)
            or _another_weekday(text, inside)
            or of_another_subject(text, inside, ledger)
        )
    )


def _weekday(text: str, ledger: Ledger) -> str:
    """A date with another day of the week than it has, in this year or in one that was delivered."""
    tokens = tokenize(text)
    for at, token in enumerate(tokens):
        if token.kind != "date":
            continue
        day = next((a.value for a in atoms_of(text, ledger.now) if a.kind == "date" and a.start == token.start), None)
        before = [t.value for t in tokens[max(0, at - 2) : at] if t.kind != "comma"][-1:]
        after = [t.value for t in tokens[at + 1 : at + 3] if t.kind not in ("comma", "dash")][:1]
        said = next((str(word) for word in (*before, *after) if word in DAYS), "")
        if said and isinstance(day, date) and not _falls(day, said, isinstance(token.value, date), ledger):
            return f"{day} is no {said}"
    return ""


def _falls(day: date, weekday: str, whole: bool, ledger: Ledger) -> bool:
    alike = {d for e in ledger.entries for line in e.page.timed for d in line.dates if d.day == day.day}
    ahead = coming(day, ledger.now.date()) or day
    days = {day} if whole else {day, ahead, *(d for d in alike if d.month == day.month)}
    return any(DAYS[each.weekday()] == weekday for each in days)


def _parts(text: str, ledger: Ledger) -> Iterator[_Part]:
    """The parts of a sentence with just one value of the commonest kind in it."""
    tokens, atoms = tokenize(text), atoms_of(without(handles(text, ledger), text), ledger.now)
    cuts = [
        t.start for t in tokens if t.kind in ("comma", "stop", "colon", "dash") or t.value in _CUTS or t.value == ";"
    ]
    cuts += [at for at, char in enumerate(text) if char == ";"]
    edges = [0, *sorted(cuts), len(text)]
    lone: Atom | None = None
    label: frozenset[str] = frozenset()
    for start, end in pairwise(edges):
        held = [atom for atom in atoms if start <= atom.start < end and atom.kind in _FIELDS]
        who = handles(text[start:end], ledger)
        said = vocabulary(who[0] if len(who) == 1 else text[start:end])
        if lone and not held:  # "on 15 March, in the other forum"
            yield _Part(lone, said)
        if len(held) == 1 and not said and label and text[start : start + 1] == ":":
            said = label  # "Gloves, size S: $31.00"
        label = frozenset() if held else label | said
        lone = held[0] if len(held) == 1 and not said else None
        if len(held) == 1 and said:
            yield _Part(held[0], said)


def _exchanged_values(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Two values of a kind, each of which only stands with what the text says of the other one."""
    pairs = [
        (one, other)
        for one, other in combinations(islice(_parts(text, ledger), MOST_PARTS), 2)
        if one.atom.kind == other.atom.kind and one.atom.value != other.atom.value
    ]
    pages = [(entry, _owner(entry)) for entry in inside if pairs and not entry.policy and not entry.page.open_grid]
    for one, other in pairs:
        mine, theirs = one.words - other.words, other.words - one.words
        swapped = _stand(mine, other.atom, pages) and _stand(theirs, one.atom, pages)
        if swapped and not _stand(mine, one.atom, pages) and not _stand(theirs, other.atom, pages):
            return f"{one.atom} and {other.atom} changed places"
    return ""


def _owner(entry: Entry) -> frozenset[str]:
    """The words of the member whose page it is: lines that nobody wrote tell of them."""
    names = (key.split("/")[1] for key in entry.keys if key.startswith("forum:user/"))
    return frozenset().union(*map(vocabulary, names))


def _stand(words: frozenset[str], atom: Atom, pages: Sequence[tuple[Entry, frozenset[str]]]) -> bool:
    """Whether a value stands in a line with one of these words; a page's owner is in all lines that nobody wrote."""
    value = float(atom.value) if atom.kind == "duration" and isinstance(atom.value, int | float) else atom.value
    return any(
        value in getattr(line, _FIELDS[atom.kind]) and (line.words & words or (not line.speaker and owner & words))
        for entry, owner in pages
        for line in entry.page.lines
    )


def _all_of_them(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Several members are said to have written the same words, and one of them did not."""
    who = handles(text, ledger)
    if len(who) < 2 or not re.search(r"\b(?:all|both|each|every one)\b", fold(text)):
        return ""
    wanted = vocabulary(text) - frozenset().union(*(vocabulary(name) for name in who))
    lines = [line for line in lines_of(inside) if line.speaker and not line.heads]
    said = {name: [len(wanted & line.words) for line in lines if line.speaker == name] for name in who}
    if any(max(counts, default=0) >= 2 for counts in said.values()):
        return next((f"{name} did not" for name, counts in said.items() if counts and max(counts) == 0), "")
    return ""


def _anothers_words(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """A part of a sentence that names one member and has another one's words, and hardly any of that one's."""
    lines = [line for line in lines_of(inside) if line.speaker and not line.heads]
    for clause in _CLAUSES.split(text):
        who = handles(clause, ledger)
        if len(who) != 1 or not any(line.speaker == who[0] for line in lines):
            continue
        wanted = vocabulary(clause) - vocabulary(who[0])
        own = max((len(wanted & x.words) for x in lines if x.speaker == who[0] or named(who[0], x)), default=0)
        best, speaker = max(((len(wanted & x.words), x.speaker) for x in lines), default=(0, ""))
        if len(wanted) >= 3 and best >= MOSTLY * len(wanted) and 3 * own < best:
            return f"so wrote {speaker}, not {who[0]}"
    return ""


def _another_weekday(text: str, inside: Sequence[Entry]) -> str:
    """A day of the week that no line with most of a clause's words has, where such a line has another one."""
    for clause in _CLAUSES.split(text):
        days = set(_WEEKDAY.findall(fold(clause)))
        wanted = vocabulary(clause) - days
        if len(days) != 1 or len(wanted) < 3:
            continue
        lines = [x.folded for x in lines_of(inside) if len(x.words & wanted) >= MOSTLY * len(wanted)]
        told = {day for line in lines for day in _WEEKDAY.findall(line)}
        if told and not told & days:
            return f"it was {min(told)}"
    return ""
