"""Parties: who did something, whose address it is, which size: said of another than the pages have it of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.people import handles, person_names
from longtrail.scoring.grounding.values import atoms_of
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.folding import fold, squeeze

_QUOTED = re.compile(r'"(\w[\w-]+)"')
_WROTE = r"(?:wrote|posted|submitted|authored|started|opened|published)"
_POST = r"(?:the|this) (?:reported |original |opening |first )?(?:post|thread|submission)\b"
_SIZE = re.compile(r"\b[Ss]ize:? ([XSML]{1,4}|\d{1,2}(?:\.5)?)\b")
_ADDRESS = re.compile(r'heading "(Billing|Shipping) Address"\n\s*(?P<who>[^\n]+)\n(?P<rest>(?:[^\n]*\n){1,4})')
_CITY = re.compile(r"^\s*(?P<city>[A-Z][\w .'-]+), (?P<state>[A-Z][\w .]+), \d{5}", re.MULTILINE)
_CLAUSES = re.compile(r"[;,]|\b(?:and|while|whereas|but)\b")
_FIELDS = {"date": "dates", "time": "times", "duration": "durations"}


@dataclass(frozen=True)
class _Address:
    kind: str
    who: str
    city: str


def mistaken(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why something is said of the wrong party; empty if that can't be told."""
    if ledger.suite == "reddit":
        who = handles(text, ledger)
        return _not_the_author(text, who, ledger) or _not_in_the_log(text, who, inside, ledger) if who else ""
    return _another_address(text, ledger) or _another_size(text, inside) or _another_name(text, inside)


def _not_the_author(text: str, who: Sequence[str], ledger: Ledger) -> str:
    """A member is said to have written a post, and no post delivered is theirs."""
    authors = {
        line.speaker
        for entry in ledger.entries
        for line in entry.page.lines
        if line.heads and "submitted by" in line.folded
    }
    for name in who if authors else ():
        wrote = (
            rf"(?<!\w){re.escape(name)} (?:\w+ )?{_WROTE} {_POST}|{_POST} (?:was )?(?:\w+ )?by {re.escape(name)}(?!\w)"
        )
        if name not in authors and re.search(wrote, squeeze(text)):
            return f"no post of {name} was delivered"
    return ""


def _not_in_the_log(text: str, who: Sequence[str], inside: Sequence[Entry], ledger: Ledger) -> str:
    """What a log tells of some members at a time, or for a time, is said of another one."""
    if len(who) > 2:
        return ""
    lines = lines_of(entry for entry in inside if not entry.policy)
    for atom in atoms_of(text, ledger.now):
        name = _FIELDS.get(atom.kind)
        held = [line for line in lines if name and not _aged(line) and atom.value in getattr(line, name)]
        logged = [fold(" ".join(_QUOTED.findall(line.text))).split() for line in held if not line.speaker]
        if not held or len(logged) < len(held) or any(len(names) < 2 for names in logged):
            continue
        if not any(set(who) <= set(names) for names in logged):
            return f"{atom} is told of {', '.join(logged[0])}"
    return ""


def _aged(line: Line) -> bool:
    """Whether a line only says how long ago something was posted."""
    return line.heads or line.text.endswith(" ago")


def _addresses(ledger: Ledger) -> Iterator[_Address]:
    for entry in ledger.entries:
        for match in _ADDRESS.finditer(entry.page.text):
            if city := _CITY.search(match["rest"]):
                yield _Address(match[1], squeeze(match["who"]), squeeze(city["city"]))


def _another_address(text: str, ledger: Ledger) -> str:
    """A person and a town in one clause, or a town and the kind of its address, that stand together nowhere."""
    known = frozenset(_addresses(ledger))
    for clause in _CLAUSES.split(text) if len({each.city for each in known}) > 1 else ():
        said = squeeze(clause)
        people = {each.who for each in known if each.who in said}
        towns = {each.city for each in known if each.city in said}
        if len(people) == 1 and len(towns) == 1 and not any({a.who} == people and {a.city} == towns for a in known):
            return f"{min(people)} has no address in {min(towns)}"
        kind = "Billing" if re.search(r"\bbill(?:ed|ing)\b", said) else "Shipping" if "shipping address" in said else ""
        if kind and len(towns) == 1 and not any(a.kind == kind and {a.city} == towns for a in known):
            return f"no {kind} address is in {min(towns)}"
    return ""


def _another_size(text: str, inside: Sequence[Entry]) -> str:
    """A thing is said to be of a size, and the rows that name it have another."""
    said, wanted = set(_SIZE.findall(text)).difference(*(_sizes(entry.page.text) for entry in inside)), vocabulary(text)
    rows = [line.text for entry in inside for line in entry.page.rows if len(line.words & wanted) >= 2]
    held = {size for row in rows for size in _SIZE.findall(row)}
    return f"size {min(said)} is not what stands there" if held and said else ""


@lru_cache(maxsize=512)
def _sizes(page: str) -> frozenset[str]:
    return frozenset(_SIZE.findall(page))


def _another_name(text: str, inside: Sequence[Entry]) -> str:
    """A person's name between the same words as another name in a line that says the same otherwise."""
    for name in person_names(text):
        around = re.search(rf"(\w+) {re.escape(name)} (?:an? |the )?(\w+)", text)
        if around is None:
            continue
        pattern = re.compile(rf"\b{around[1]} ([A-Z][a-z]\w+(?: [A-Z]\w+)?) (?:an? |the )?{around[2]}\b")
        wanted = vocabulary(text.replace(name, " "))
        lines = [x for x in lines_of(e for e in inside if not e.policy) if len(wanted & x.words) >= 3]
        if any(_names(name, line) for line in lines):
            continue
        if other := next((m[1] for line in lines for m in pattern.finditer(line.text)), ""):
            return f"it was {other}, not {name}"
    return ""


def _names(name: str, line: Line) -> bool:
    return any(part in line.folded for part in fold(name).split() if len(part) > 2)
