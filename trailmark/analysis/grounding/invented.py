"""Invented: what no record tells at all, where one would have to: who took a parcel in, a ban, how many orders."""

import re
from decimal import Decimal

from trailmark.analysis.grounding.ledger import PROMPT, Entry, Ledger
from trailmark.analysis.grounding.people import handles
from trailmark.analysis.grounding.values import atoms_of
from trailmark.analysis.grounding.words import listed, stem
from trailmark.checks.folding import fold

_TAKEN = re.compile(
    r"\b(?:left|hand(?:ed|s)|gave|deliver(?:ed|s)|signed|set down|drop(?:ped|s)|placed|accepted|parcel|package|box)\b"
)
_WHERE = re.compile(rf"\b(?:{'|'.join(sorted(listed('takers')))})")
_HAS = re.compile(r"\b(?:has|have|had|with|placed|made) (?:\w+ )?$")


def invented(text: str, ledger: Ledger) -> str:
    """Why a text can't be from the records; empty if that can't be told."""
    if ledger.suite == "reddit":
        return _banned(text, ledger)
    return _taken_in(text, ledger) or _orders(text, ledger)


def _records(ledger: Ledger) -> list[Entry]:
    return [entry for entry in ledger.entries if PROMPT not in entry.keys and not entry.policy]


def _taken_in(text: str, ledger: Ledger) -> str:
    """A parcel is said to be with somebody, or somewhere, that no record has a word of."""
    said = fold(text).replace("neighbour", "neighbor")
    if not _TAKEN.search(said):
        return ""
    known = [entry.page.folded.replace("neighbour", "neighbor") for entry in _records(ledger)]
    words = (match[0] for match in _WHERE.finditer(said))
    return next((f"no record has a {word}" for word in words if not any(word in page for page in known)), "")


def _banned(text: str, ledger: Ledger) -> str:
    """A member is said to be banned, and no line that tells of a ban names them, nor one of their own."""
    for who in handles(text, ledger):
        if not re.search(
            rf"(?<!\w){re.escape(who)} (?:was|is|has been|had been|got|were) (?:\w+ )?banned\b", fold(text)
        ):
            continue
        lines = [line for entry in _records(ledger) for line in entry.page.lines if "ban" in fold(line.text)]
        if not any(line.speaker == who or who in fold(line.text) for line in lines):
            return f"no ban of {who} was delivered"
    return ""


def _orders(text: str, ledger: Ledger) -> str:
    """An account is said to have so many orders, and the list of its orders holds another number."""
    lists = [entry for entry in ledger.entries if any(key.endswith("/orders") for key in entry.keys)]
    counts = {Decimal(count) for entry in lists for count in entry.page.records}
    for atom in atoms_of(text, ledger.now) if counts else ():
        of_orders = atom.kind == "number" and atom.nouns[:1] == (stem("order"),) and not atom.about
        if of_orders and atom.value not in counts and _HAS.search(text[: atom.start]):
            return f"{min(counts)} orders are listed"
    return ""
