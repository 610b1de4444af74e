"""Turned: what a page says of the same thing the other way: another number of votes, none of it."""

import re
from collections.abc import Sequence
from decimal import Decimal

from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.people import handles
from longtrail.scoring.grounding.values import atoms_of
from longtrail.scoring.grounding.words import stem, vocabulary
from longtrail.text.folding import fold, stands_in

_VOTES = re.compile(r"\| (-?\d+)$")
"""A line that is a comment's votes and nothing else."""
_VOTED = frozenset(map(stem, ("points", "votes")))
_SELDOM_DENIED = frozenset({"longer", "matter", "reason", "problem", "trouble"})
"""`No longer`, `no matter`, `no trouble` deny nothing."""
_LONG = re.compile(r"[a-z]{6,}")
FEW_LINES = 3
"""What stands in more lines is not told of in one way."""


def turned_round(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why the pages say otherwise; empty if that can't be told."""
    return _votes_of_another(text, inside, ledger) or _none_of_it(text, inside)


def _votes_of_another(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """`Ann got eleven points`, where her comments have four and the like."""
    for atom in atoms_of(text, ledger.now):
        if atom.kind != "number" or not _VOTED & set(atom.nouns[:1]):
            continue
        before = fold(text[: atom.start])
        for who in handles(text, ledger):
            if not re.search(rf"\b{re.escape(who)}(?: \w+)? $", before):
                continue
            lines = [line for line in lines_of(inside) if line.speaker == who]
            votes = {Decimal(found[1]) for line in lines if (found := _VOTES.search(line.text))}
            if votes and atom.value not in votes and not any(f"{atom.value} points" in x.folded for x in lines):
                return f"{who} has {max(votes)}"
    return ""


def _none_of_it(text: str, inside: Sequence[Entry]) -> str:
    """`It was met with applause` of what was read out `to no applause`, and nowhere else."""
    said, wanted = fold(text), vocabulary(text)
    pages = [entry.page for entry in inside if not entry.policy]
    for word in dict.fromkeys(_LONG.findall(said)):
        if word in _SELDOM_DENIED or not any(word in page.denied for page in pages):
            continue
        if re.search(rf"\b(?:no|not|nor|nothing|without|never|neither)\b(?: \w+){{0,3}} {word}\b", said):
            continue
        near = {x.folded: x for page in pages for x in page.lines if stands_in(word, x.folded)}
        denied = re.compile(rf"\b(?:no|nothing|without(?: any)?) {word}\b")
        if 0 < len(near) <= FEW_LINES and all(denied.search(x) and len(near[x].words & wanted) > 1 for x in near):
            return f"the page denies {word!r}: {next(iter(near.values())).text.strip()[:60]}"
    return ""
