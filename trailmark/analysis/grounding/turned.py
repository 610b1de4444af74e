"""Turned: what a page says of the same thing the other way: another number of votes, none of it."""

import re
from collections.abc import Iterator, Sequence

from trailmark.analysis.grounding.ledger import Entry, Ledger
from trailmark.analysis.grounding.page import Line
from trailmark.analysis.grounding.people import handles
from trailmark.analysis.grounding.words import vocabulary
from trailmark.checks.folding import fold
from trailmark.checks.lexicon import NUMBERS

_VOTES = re.compile(r"\| (-?\d+)$")
"""A line that is a comment's votes and nothing else."""
_NUMBER = rf"(?P<number>\d+|{'|'.join(NUMBERS)})"
FEW_LINES = 3
"""What stands in more lines is not told of in one way."""


def turned_round(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why the pages say otherwise; empty if that can't be told."""
    return _votes_of_another(text, inside, ledger) or _none_of_it(text, inside)


def _votes_of_another(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """`Ann got eleven points`, where her comments have four and the like."""
    said = fold(text)
    for who in handles(text, ledger) if "point" in said or "vote" in said else ():
        match = re.search(rf"\b{re.escape(who)}(?: \w+)? {_NUMBER} (?:points|votes)\b", said)
        if match is None:
            continue
        number = int(match["number"]) if match["number"].isdigit() else int(NUMBERS[match["number"]])
        lines = [line for entry in inside for line in entry.page.lines if line.speaker == who]
        votes = {int(found[1]) for line in lines if (found := _VOTES.search(line.text))}
        if votes and number not in votes and not any(f"{number} points" in line.folded for line in lines):
            return f"{who} has {max(votes)}"
    return ""


def _none_of_it(text: str, inside: Sequence[Entry]) -> str:
    """`It was met with applause` of what was read out `to no applause`, and nowhere else."""
    said, wanted = fold(text), vocabulary(text)
    for word in set(re.findall(r"[a-z]{6,}", said)) - {"longer", "matter", "reason", "problem", "trouble"}:
        if re.search(rf"\b(?:no|not|nor|without|never|neither)\b(?: \w+){{0,3}} {word}\b", said):
            continue
        near = [*_holding(word, inside)]
        if 1 <= len(near) <= FEW_LINES and all(
            re.search(rf"\b(?:no|without(?: any)?) {word}\b", line.folded) and len(line.words & wanted) > 1
            for line in near
        ):
            return f"there is no {word}: {near[0].text.strip()[:60]}"
    return ""


def _holding(word: str, entries: Sequence[Entry]) -> Iterator[Line]:
    seen: set[str] = set()
    for entry in entries:
        for line in entry.page.lines if not entry.policy and word in entry.page.folded else ():
            if re.search(rf"\b{word}\b", line.folded) and line.folded not in seen:
                seen.add(line.folded)
                yield line
