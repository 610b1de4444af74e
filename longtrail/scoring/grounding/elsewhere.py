"""Elsewhere: is what a page is made to say told by another page, or a paper of no page by some page?"""

from collections.abc import Sequence

from longtrail.scoring.grounding.addresses import Source
from longtrail.scoring.grounding.checks import Check, blanked, checks_of
from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.ledger import PROMPT, Entry, Ledger, in_key, lines_of
from longtrail.scoring.grounding.lexicon import stems
from longtrail.scoring.grounding.wording import coverage, plain, verbatim
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.atoms import tokenize

SAID_THERE = 0.7
"""A paraphrase is on a page if one line has this share of its words."""
MOSTLY, GAP = 0.6, 0.45
"""What a page is made to say is another's if a line there has most of its words, and far more than any line here."""
STRANGE, LEAD = 2, 0.15
"""So it is if a line there has so many words that the page named has nowhere, and leads by so much."""
_COMMON = frozenset({"number", "date", "duration", "time", "percent", "year"})
"""Values that stand on many pages by chance; an amount to the cent, an id or a name hardly does."""
_LOOSE = frozenset({"id", "section", "year", "month"})
_TOLD = frozenset({"money", "date", "time", "duration", "percent"})
"""Values that are told of something; ids and names may only name it."""


def retold(text: str, ledger: Ledger) -> bool:
    """Whether some page tells what a paper from outside is said to hold."""
    wanted = vocabulary(text)
    return len(wanted) >= 2 and coverage(wanted, ledger.entries)[0] >= SAID_THERE


def listed(source: Source, claim: Claim, ledger: Ledger) -> bool:
    """Whether a listing showed a row of a thing whose own pages were not opened, and that row holds what is claimed."""
    rows = [line for line in lines_of(ledger.entries) if any(str(n) == source.bare for n in line.numbers)]
    checks = checks_of(claim.text, ledger)
    wanted = vocabulary(claim.text)
    told = checks or any(wanted and len(wanted & row.words) >= SAID_THERE * len(wanted) for row in rows)
    return bool(rows and told) and all(any(check.direct and check.direct(row) for row in rows) for check in checks)


def told_of(source: Source, ledger: Ledger) -> bool:
    """Whether a delivered page itself speaks of a source that is no page of the site: "Mail log: password reset"."""
    wanted = _forms(source.says)
    if not source.foreign or not 1 <= len(wanted) <= 4:
        return False
    if len(wanted) == 1:  # "recording" is not told of by "15 records found"
        named = f" {plain(source.says).strip()}"
        return any(named in plain(line.text) for line in lines_of(ledger.entries))
    lines = (line for line in lines_of(ledger.entries) if len(line.words) >= 4)
    return any(_adjacent(wanted, _forms(line.text)) for line in lines)


def _forms(text: str) -> list[str]:
    return [form for _, form in stems(tokenize(text))]


def _adjacent(wanted: Sequence[str], held: Sequence[str]) -> bool:
    size = len(wanted)
    return any(tuple(held[at : at + size]) == tuple(wanted) for at in range(len(held) - size + 1))


def from_anywhere(check: Check, ledger: Ledger) -> bool:
    """Whether a value in prose may come from anywhere, whichever page is said to speak; in a quotation it may not."""
    return check.kind in _LOOSE and not _particular(check, ledger)


def _particular(check: Check, ledger: Ledger) -> bool:
    """Whether an id is one that only its own page tells, like a parcel's: no number of a page, and long."""
    value = check.says.removeprefix("id ")
    paged = any(in_key(value, key) for key in ledger.keys)
    return check.kind == "id" and len(value) >= 8 and not paged


def said(claim: Claim, sources: Sequence[Source]) -> frozenset[str]:
    """The words of a sentence without those that only name the page which is made to speak."""
    spans = [(0 if source.start < 30 else source.start, source.end) for source in sources if source.end]
    return vocabulary(blanked(claim.text, spans))


def said_elsewhere(said: frozenset[str], checks: Sequence[Check], inside: Sequence[Entry], ledger: Ledger) -> str:
    """The line of another page that has what a page is made to say, where that page has little of it."""
    said = frozenset(word for word in said if not any(word in vocabulary(entry.title) for entry in inside))
    others = [e for e in ledger.entries if PROMPT not in e.keys and not e.policy and e not in inside]
    elsewhere, other = coverage(said, others)
    here = coverage(said, inside)[0]
    if len(said) >= (2 if elsewhere == 1 and not here else 3) and elsewhere >= MOSTLY and elsewhere - here >= GAP:
        return other
    if other := _strange(said, inside, others) or _strange(said - _known(inside), inside, others):
        return other
    direct = [check.direct for check in checks if check.direct and check.kind in _TOLD]
    if len(said) < 2 or here > 0.5 or elsewhere < 1 or not direct:
        return ""
    held = (line.text for line in lines_of(others) if said <= line.words and all(d(line) for d in direct))
    near = (line for line in lines_of(inside) if len(said & line.words) >= 0.5 * len(said))
    return "" if any(all(d(line) for d in direct) for line in near) else next(held, "")


def _known(inside: Sequence[Entry]) -> frozenset[str]:
    """The words of the names of those who wrote on these pages: they stand above all that they wrote."""
    return frozenset().union(*(vocabulary(name) for entry in inside for name in sorted(entry.page.speakers)))


def _strange(said: frozenset[str], inside: Sequence[Entry], others: Sequence[Entry]) -> str:
    """The line of another page that has several words which the page named has nowhere, and more of what is said."""
    strange = said.difference(*(entry.page.words for entry in inside))
    if len(strange) < STRANGE:
        return ""
    lines = [line for line in lines_of(others) if len(strange & line.words) >= STRANGE]
    best = max(lines, key=lambda line: len(said & line.words), default=None)
    if best is None or len(said & best.words) < len(said) * (coverage(said, inside)[0] + LEAD):
        return ""
    return best.text


def passage_elsewhere(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """A part of a claim that another page has word for word, and none of the pages that it is said to stand on."""
    for part in text.split(";"):
        if len(part.split()) < 6 or any(verbatim(part, entry) for entry in inside):
            continue
        if any(verbatim(part, entry) for entry in ledger.entries):
            return part.strip()
    return ""


def by_chance(check: Check, text: str, ledger: Ledger, least: float) -> bool:
    """Whether a value is met on other pages, but nowhere with what is said of it: it was not taken from there."""
    if check.kind not in _COMMON:
        return False
    wanted = vocabulary(text)
    lines = [line for line in lines_of(ledger.entries) if check.direct and check.direct(line)]
    return len(wanted) >= 2 and all(len(wanted & line.words) < least * len(wanted) for line in lines)
