"""Invented: what no record tells at all, where one would have to: who took a parcel in, a ban, how many orders."""

import re
from decimal import Decimal

from trailmark.analysis.grounding.ledger import PROMPT, Entry, Ledger
from trailmark.analysis.grounding.people import handles, named, person_names
from trailmark.analysis.grounding.values import atoms_of
from trailmark.analysis.grounding.words import listed, stem, vocabulary
from trailmark.checks.folding import fold

_TAKEN = re.compile(
    r"\b(?:left|hand(?:ed|s)|gave|deliver(?:ed|s)|signed|set down|drop(?:ped|s)|placed|accepted|parcel|package|box)\b"
)
_WHERE = re.compile(rf"\b(?:{'|'.join(sorted(listed('takers')))})")
_VERBS = (
    r"(?:wrote|writes|said|says|answered|answers|asked|asks|told|tells|added|adds|admit(?:s|ted)|confirm(?:s|ed)"
    r"|claim(?:s|ed)|advise[sd]|report(?:s|ed)|replied|replies|mention(?:s|ed)|explain(?:s|ed)|promise[sd]|suggest(?:s|ed)"
    r"|recommend(?:s|ed)|warn(?:s|ed)|note[sd]|announce[sd]|state[sd]|complain(?:s|ed)|thinks|thought)"
)
_SAID = re.compile(rf"\W*(?:/?u/|@|user )?(?P<who>\w[\w-]+)(?: \w+)? (?:had |has |have )?{_VERBS}\b")
_IT_WAS = re.compile(r"\bit was (?:/?u/|@|user )?(?P<who>\w[\w-]+) (?:who|by whom)\b")
_QUOTED = re.compile(r"[\"“”]|(?<!\w)[‘']")
_CLAUSE = re.compile(r"[,;]|\bwhereas\b")
_DID = r" (?:has |had |also |already )?(?:\w+ed|told|said|wrote|gave|found|put|took)\b"
FEW_WORDS = 3
"""With fewer words than this one may have told it in other words."""
_HAS = re.compile(r"\b(?:has|have|had|with|placed|made) (?:\w+ )?$")


def invented(text: str, ledger: Ledger) -> str:
    """Why a text can't be from the records; empty if that can't be told."""
    if ledger.suite == "reddit":
        return _banned(text, ledger) or _put_into_mouth(text, ledger)
    return _taken_in(text, ledger) or _orders(text, ledger) or _acted(text, ledger)


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
    for name in handles(text, ledger) if "banned" in fold(text) else ():
        banned = rf"(?<!\w){re.escape(name)} (?:was|is|has been|had been|got|were) (?:\w+ )?banned\b"
        if not re.search(banned, fold(text)):
            continue
        lines = [line for entry in _records(ledger) for line in entry.page.lines if "ban" in line.folded]
        if not any(line.speaker == name or name in line.folded for line in lines):
            return f"no ban of {name} was delivered"
    return ""


def _put_into_mouth(text: str, ledger: Ledger) -> str:
    """A member is said to have written something, and has not used one word of it: `Ann answered that ...`."""
    said = fold(text)
    match = _SAID.match(said) or _IT_WAS.search(said)
    who = handles(text, ledger) if match else []
    if match is None or not who or match["who"] != who[0]:
        return ""
    own = [
        line for e in ledger.entries for line in e.page.lines if named(who[0], line) or f"forum:user/{who[0]}" in e.keys
    ]
    names = frozenset().union(*map(vocabulary, who))
    wanted = vocabulary(_CLAUSE.split(said[match.end() :])[0]) - names
    if len(wanted) < FEW_WORDS or _QUOTED.search(text):
        return ""
    return f"{who[0]} wrote nothing of that" if all(wanted.isdisjoint(line.words) for line in own) else ""


def _acted(text: str, ledger: Ledger) -> str:
    """Somebody whom only rules name is said to have done something."""
    for name in person_names(text):
        there = [entry for entry in ledger.entries if fold(name) in entry.page.folded]
        if there and all(entry.policy for entry in there) and re.search(rf"{re.escape(name)}{_DID}", text):
            return f"only rules name {name}"
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
