"""Checks: everything in a claim that can be looked up (quotations, values, names, places), and where each stands."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from longtrail.scoring.grounding.calendar_dates import coming
from longtrail.scoring.grounding.combined import combined
from longtrail.scoring.grounding.counted import counted, paragraph
from longtrail.scoring.grounding.derived import derived
from longtrail.scoring.grounding.elapsed import day_named
from longtrail.scoring.grounding.ledger import Entry, Ledger, in_key, lines_of
from longtrail.scoring.grounding.ordinals import numbered
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.people import handles, initials, person_names, proper_names, without
from longtrail.scoring.grounding.standing import stands
from longtrail.scoring.grounding.values import Atom, atoms_of
from longtrail.scoring.grounding.wording import quoted, quotes
from longtrail.scoring.grounding.words import listed, stem, vocabulary
from longtrail.text.folding import fold, squeeze, stands_in
from longtrail.text.lexicon import STATES

_STATES = {name: code for code, name in STATES.items()}
_STATE = re.compile(rf"\b(?:{'|'.join(sorted(map(str.title, _STATES), key=len, reverse=True))})\b")
_NAMES = "|".join(sorted([*map(str.title, _STATES), *STATES], key=len, reverse=True))
_TOWN = re.compile(rf"\b(?P<town>[A-Z][a-z]+(?: [A-Z][a-z]+)?),? \(?(?P<state>{_NAMES})\b")
_BRANDS = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, listed('brands'))))})\b")

_RULES = frozenset(map(stem, listed("limits"))) | {"guide"}
_OF_KIND = {"money": "money", "percent": "percents", "date": "dates", "time": "times", "duration": "durations"}
FEW_PAGES = 31
"""A number above this that is a page's own is no count."""
MOST_VALUES, BESIDE = 48, 12
"""Values and names of a claim that are looked up, and how many values on either side of one it may follow from: people
give up to 13."""
Find = Callable[[Sequence[Entry]], str | None]
"""Where a check stands among entries: words about it; empty if nowhere; None where that can't be told."""


@dataclass(frozen=True)
class Check:
    """One thing to look up."""

    says: str
    find: Find
    direct: Callable[[Line], bool] | None = None
    """Whether a line itself holds it; None for what no single line holds."""
    kind: str = ""
    """The kind of value it is; empty for what is none."""
    reckoned: Callable[[], str] = str
    """How it follows from several pages or from what the claim itself names; empty if it doesn't."""

    def alike(self, line: Line) -> bool:
        """Whether a line holds a value of this kind, whichever."""
        return bool(getattr(line, _OF_KIND.get(self.kind, ""), None))


def checks_of(text: str, ledger: Ledger, *, evidence: bool = False) -> tuple[Check, ...]:
    """What can be looked up in a claim. `evidence`: it says what stands on a page, so that every name in it should."""
    found: list[Check] = []
    marked = quotes(text)
    for quote in marked:
        found.append(Check(f'"{quote.text}"', _quote(quote.text), kind="quote"))
    rest = blanked(text, [(quote.start, quote.end) for quote in marked])
    who = handles(rest, ledger)
    words, atoms = vocabulary(rest), atoms_of(without(who, rest), ledger.now)
    people = [*who, *map(squeeze, person_names(rest))]
    for at, atom in enumerate(_numbering(atom, ledger) for atom in atoms[:MOST_VALUES]):
        if atom.kind != "number" or atom.value != len(people) or len(people) < 2:  # "three critics, A, B and C"
            peers = atoms[max(0, at - BESIDE) : at + BESIDE + 1]
            found.append(_value(atom, rest, words, peers, ledger))
    found += [_name(person, known=_one_line(person, ledger)) for person in people[:MOST_VALUES]]
    found += [Check(says, find, kind="number") for says, find in numbered(rest, words)]
    for brand in _BRANDS.finditer(rest):
        found.append(_name(fold(brand[0])))
    if evidence:
        unsaid = [name for name in proper_names(rest) if not any(name in fold(one.says) for one in found)]
        found += [_name(name, plural=True) for name in unsaid[:MOST_VALUES]]
    found += [_initialled(*person) for person in initials(rest)]
    found += _places(rest, ledger)
    return tuple(found)


def _numbering(atom: Atom, ledger: Ledger) -> Atom:
    """An atom; what looks like a count, but is the number of a delivered page, as an id: `customer page 177`."""
    if atom.kind != "number" or atom.digits or not isinstance(atom.value, Decimal) or atom.value <= FEW_PAGES:
        return atom
    number = f"{atom.value:f}"
    paged = any(in_key(number, key) for key in ledger.keys)
    return replace(atom, kind="id", value=number) if paged else atom


def blanked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text with spaces in place of some of its parts."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _quote(said: str) -> Find:
    return lambda entries: next((f"stands on {entry.name}" for entry in entries if quoted(said, entry)), "")


def _one_line(name: str, ledger: Ledger) -> bool:
    """Whether some line has every word of what looks like a name, so that it may be none: `Order Complete`."""
    parts = name.split()
    if len(parts) < 2 or any(stands_in(name, e.page.folded) for e in ledger.entries):
        return False
    pages = (e for e in ledger.entries if all(stands_in(part, e.page.folded) for part in parts))
    return any(all(stands_in(part, line.folded) for part in parts) for line in lines_of(pages))


def _name(name: str, *, plural: bool = False, known: bool = False) -> Check:
    bare = name.removesuffix("s") if plural and len(name) > 3 else name
    forms = (bare, f"{bare}s") if plural else (bare,)

    def held(folded: str) -> bool:
        return any(stands_in(form, folded) for form in forms)

    def find(entries: Sequence[Entry]) -> str | None:
        there = (e for e in entries if held(e.page.folded) or any(name in key for key in e.keys))
        return next((f"stands on {e.name}" for e in there), None if known else "")

    return Check(f"the name {name}", find, lambda line: held(line.folded))


def _initialled(initial: str, surname: str) -> Check:
    """`M. Baker`: that, or a whole name that begins so."""
    pattern = re.compile(rf"(?<!\w){re.escape(initial)}(?:\.\s?|\w*\s){re.escape(surname)}(?!\w)")

    def find(entries: Sequence[Entry]) -> str:
        return next((f"stands on {entry.name}" for entry in entries if pattern.search(entry.page.folded)), "")

    says = f"the name {initial.upper()}. {surname.title()}"
    return Check(says, find, lambda line: pattern.search(line.folded) is not None)


def unnamed(text: str, entries: Sequence[Entry]) -> str:
    """A person in a text that stands on none of these pages: a quotation keeps every name and initial."""
    people = [*(_initialled(*person) for person in initials(text)), *(_name(squeeze(n)) for n in person_names(text))]
    return next((check.says for check in people if check.find(entries) == ""), "")


def _places(text: str, ledger: Ledger) -> list[Check]:
    """States of the USA, by name or code, and the towns that are said to lie in them."""
    towns = [_town(match["town"], _written_out(match["state"]), ledger) for match in _TOWN.finditer(text)]
    return [*(_place(match[0].lower()) for match in _STATE.finditer(text)), *towns]


def _written_out(state: str) -> str:
    return STATES[state] if state in STATES else state.lower()


def _town(town: str, state: str, ledger: Ledger) -> Check:
    """A town with its state; None where a page names it, and none says in which state it lies."""
    pattern = re.compile(rf"\b{re.escape(town)}, ({_NAMES})\b")

    def find(entries: Sequence[Entry]) -> str | None:
        told = [(_written_out(m[1]), entry) for entry in entries for m in pattern.finditer(entry.page.text)]
        if not told:
            known = any(town in entry.page.text for entry in ledger.entries)
            return None if known else ""
        return next((f"stands on {entry.name}" for name, entry in told if name == state), "")

    return Check(f"the place {town}, {state.title()}", find)


def _place(state: str) -> Check:
    code = _STATES[state]
    pattern = re.compile(rf"\b(?:{state.title()}|{state}|{code})\b")

    def find(entries: Sequence[Entry]) -> str:
        return next((f"stands on {entry.name}" for entry in entries if pattern.search(entry.page.text)), "")

    return Check(f"the place {state.title()}", find, lambda line: pattern.search(line.text) is not None)


def _value(atom: Atom, text: str, words: frozenset[str], peers: Sequence[Atom], ledger: Ledger) -> Check:
    others = [peer for peer in peers if peer is not atom]
    of_rules = bool(words & _RULES) or any(_of_rule(peer, ledger) for peer in peers)

    def find(entries: Sequence[Entry]) -> str | None:
        if atom.kind == "number":
            return counted(atom, words, entries, others)
        ruled = of_rules or all(entry.policy for entry in entries)
        for entry in entries:
            if _on(atom, entry, ledger, words, of_rules=ruled):
                return f"stands on {entry.name}"
        if atom.kind == "section":
            return _anywhere(str(atom.value), entries)
        return derived(atom, words, entries, ledger, others)

    def held(line: Line) -> bool:
        return stands(atom, line, ledger)

    def reckoned() -> str:
        found, ahead = combined(atom, words, ledger, others), _coming(atom, text, ledger)
        if found or ahead is None:
            return found
        near = [entry for entry in ledger.entries if not entry.policy and not entry.page.open_grid]
        return combined(replace(atom, value=ahead), words, ledger, others) or day_named(ahead, words, near)

    return Check(str(atom), find, held, atom.kind, reckoned)


def _coming(atom: Atom, text: str, ledger: Ledger) -> date | None:
    """The day that a date without a year means if it is not the last such day, but the next one, and soon."""
    if not isinstance(atom.value, date) or re.search(r"\b(?:19|20)\d\d\b", text[atom.start : atom.end]):
        return None
    return coming(atom.value, ledger.now.date())


def _of_rule(atom: Atom, ledger: Ledger) -> bool:
    """Whether a value is the number of a rule: `section 9`, `11.4`."""
    written = atom.kind == "number" and atom.digits > 0 and isinstance(atom.value, Decimal)
    return atom.kind == "section" or (written and bool(paragraph(Decimal(str(atom.value)), ledger.entries)))


def _anywhere(value: str, entries: Sequence[Entry]) -> str:
    """What looked like a paragraph's number may be one of a page after all."""
    held = (e for e in entries if any(Decimal(value) in line.numbers for line in e.page.lines))
    return next((f"stands on {entry.name}" for entry in held), "")


def _in_common(atom: Atom, entry: Entry, *, of_rules: bool) -> int:
    """How many words of the claim a line must have, so that a value in it stands there not just by chance."""
    if atom.kind == "id":
        return 0
    if "cms" in entry.keys:
        return 2
    return int(not of_rules) if entry.policy else int(entry.page.open_grid or "dashboard" in entry.keys)


def _on(atom: Atom, entry: Entry, ledger: Ledger, words: frozenset[str], *, of_rules: bool) -> bool:
    """Whether an atom's value stands on an entry. `of_rules`: the claim speaks of rules: their figures count."""
    if atom.kind == "section":
        text, number = entry.page.text, str(atom.value)
        return number in text and re.search(rf"(?<![\d.])0*{re.escape(number)}(?!\d)", text) is not None
    if atom.kind == "id" and any(in_key(str(atom.value), key) for key in entry.keys):
        return True
    if atom.kind == "id" and not str(atom.value).isdigit():
        return stands_in(str(atom.value), entry.page.folded) or str(atom.value) in fold(entry.url)
    shared = _in_common(atom, entry, of_rules=of_rules)
    if atom.kind == "id" and str(atom.value) not in entry.page.folded:
        return False
    every = entry.page.timed if atom.kind in ("date", "duration") else entry.page.lines
    lines = (line for line in every if not shared or len(line.words & words) >= shared)
    if atom.kind == "money":
        return any(
            stands(atom, line, ledger) and (_exact(atom, line) or atom.about or line.words & words) for line in lines
        )
    return any(stands(atom, line, ledger) for line in lines)


def _exact(atom: Atom, line: Line) -> bool:
    """Whether a line holds an amount to the cent; one that is only near it must be spoken of in the same words."""
    return atom.value in line.money or atom.value in line.numbers
