"""Invented: what no record tells at all, where one would have to: who took a parcel in, a ban, how many orders."""

import re
from decimal import Decimal

from longtrail.scoring.grounding.ledger import PROMPT, Entry, Ledger
from longtrail.scoring.grounding.passages import sharing
from longtrail.scoring.grounding.people import handles, named, person_names
from longtrail.scoring.grounding.values import atoms_of
from longtrail.scoring.grounding.wording import quotes
from longtrail.scoring.grounding.words import listed, stem, vocabulary
from longtrail.text.folding import fold

_TAKEN = re.compile(
    r"\b(?:left|hand(?:ed|s)|gave|deliver(?:ed|s)|signed|set down|drop(?:ped|s)|placed|accepted|parcel|package|box)\b"
)
_WHERE = re.compile(rf"\b(?:{'|'.join(sorted(listed('takers')))})")
_VERBS = (
    r"(?:wrote|writes|said|says|answered|answers|asked|asks|told|tells|added|adds|admit(?:s|ted)|confirm(?:s|ed)"
    r"|claim(?:s|ed)|advise[sd]|report(?:s|ed)|replied|replies|mention(?:s|ed)|explain(?:s|ed)|promise[sd]|suggest(?:s|ed)"
    r"|recommend(?:s|ed)|warn(?:s|ed)|note[sd]|announce[sd]|state[sd]|complain(?:s|ed)|thinks|thought|counsel(?:s|ed)|remark(?:s|ed)|argue[sd]"
    r"|insist(?:s|ed)|demand(?:s|ed)|propose[sd]|offer(?:s|ed)|compare[sd])"
)
_VERB = re.compile(rf"{_VERBS}\b")
_SAID = re.compile(rf"\W*(?:/?u/|@|user )?(?P<who>\w[\w-]+)(?: \w+)? (?:had |has |have )?{_VERBS}\b")
_IT_WAS = re.compile(r"\bit was (?:/?u/|@|user )?(?P<who>\w[\w-]+) (?:who|by whom)\b")
_HEARD = re.compile(r"\b(?:told|asked|answered|reminded|to|by|with|under|of|for|from)\s+(?:/?u/|@)?$")
"""Ahead of a member's name: something was said to them, or is only theirs."""
_QUOTED = re.compile(r"[\"“”]|(?<!\w)[‘']")
_CLAUSE = re.compile(r"[,;]|\bwhereas\b")
_DID = r" (?:has |had |also |already )?(?:\w+ed|told|said|wrote|gave|found|put|took)\b"
NEARLY = 0.75
FEW_WORDS = 3
"""With fewer words than this one may have told it in other words."""
_HAS = re.compile(r"\b(?:has|have|had|with|placed|made) (?:\w+ )?$")


def invented(text: str, ledger: Ledger) -> str:
    """Why a text can't be from the records; empty if that can't be told."""
    if ledger.suite == "reddit":
        return _banned(text, ledger) or _put_into_mouth(text, ledger) or _anothers_sentence(text, ledger)
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


def _anothers_sentence(text: str, ledger: Ledger) -> str:
    """A member is said to have said what is a sentence of another one: `Ann advised Ben to ...` what Ben wrote."""
    said, who = fold(text), handles(text, ledger)
    for name in who if _VERB.search(said) and not quotes(text) else ():
        match = re.search(
            rf"(?<![\w/])(?:/?u/|@)?{re.escape(name)}(?: who)?(?: \w+ly| also)?(?: had| has)? {_VERBS}\b", said
        )
        if match is None or _HEARD.search(said[: match.start()]):
            continue
        wanted = vocabulary(said[match.end() :]).difference(*map(vocabulary, who))
        own, best, speaker = 0, FEW_WORDS - 1, ""
        for shared, passage in sharing(wanted, ledger.entries, 1):
            if not passage.line.speaker or named(name, passage.line):
                own = max(own, shared)
            elif shared > best and shared >= NEARLY * len(passage.words):
                best, speaker = shared, passage.line.speaker
        if speaker and own < best:
            return f"so wrote {speaker}, not {name}"
    return ""


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
