"""Standing: does a line hold a value, as it is given or rounded?"""

import re
from datetime import date
from decimal import Decimal

from longtrail.scoring.grounding.derived import rounded
from longtrail.scoring.grounding.elapsed import ago
from longtrail.scoring.grounding.ledger import Ledger
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.values import Atom, atoms_of
from longtrail.text.folding import stands_in


def stands(atom: Atom, line: Line, ledger: Ledger) -> bool:
    """Whether a line holds an atom's value."""
    value = atom.value
    if atom.kind == "money" and isinstance(value, Decimal):
        return any(rounded(atom, held) for held in line.money) or (value in line.numbers and value > 20)
    if atom.kind == "percent" and isinstance(value, Decimal):
        return any(rounded(atom, held) for held in line.percents)
    if atom.kind == "number":
        return value in line.numbers or (atom.digits > 0 and line.text.startswith(f"{value:f} "))
    if atom.kind == "date":
        return value in line.dates
    if atom.kind == "month":
        return any((day.year, day.month) == value for day in line.dates) or _month(atom, line, ledger)
    if atom.kind == "year":
        return any(day.year == value for day in line.dates) or Decimal(str(value)) in line.numbers
    if atom.kind == "time":
        return value in line.times
    if atom.kind == "duration":
        return _lasts(atom, line, ledger)
    if atom.kind == "id":
        text = str(value)
        if text not in line.text.lower():
            return False
        if text.isdigit():
            return Decimal(text) in line.numbers or re.search(rf"(?<!\d)0*{text}(?!\d)", line.text) is not None
        return stands_in(text, line.folded)
    return False


def _month(atom: Atom, line: Line, ledger: Ledger) -> bool:
    return " 20" in line.text and any(
        a.kind == "month" and a.value == atom.value for a in atoms_of(line.text, ledger.now)
    )


def _lasts(atom: Atom, line: Line, ledger: Ledger) -> bool:
    said = float(str(atom.value))
    for held in line.durations:
        if abs(held - said) <= 0.011 * held:
            return True
        if atom.about and abs(held - said) <= 0.15 * held:
            return True
    day: date | None = ago(atom, ledger.now.date())
    return day is not None and day in line.dates
