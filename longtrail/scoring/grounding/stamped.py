"""Stamped: what a page says of itself: its votes, who edited it last, on which day something was written."""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.crossed import DAYS
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.people import handles
from longtrail.text.folding import fold

_VOTES = re.compile(r"\(\s*\+ ?(?P<up>\d+) ?[,/;]? ?(?:and )?[-−–] ?(?P<down>\d+)\s*\)")
_AT = re.compile(
    rf"\b(?P<day>{'|'.join(DAYS)})(?: (?:morning|noon|afternoon|evening|night))?,?(?: at)?"
    r" (?P<hour>\d\d?)[:.](?P<minute>\d\d)\b"
)
_EDITED = re.compile(
    r"\blast edited by\W+(?:/?u/)?(?P<by>[\w-]+)|(?<![\w-])(?P<who>[\w-]+) (?:(?:is|was) )?(?:merely |only |just )?"
    r"(?:the (?:person |one |user |member )?who |the last (?:person |one |user |member )?to (?=edit))?"
    r"(?:has )?(?:last edited(?! by)|edited it last|edit)\b"
)
_STAMP = re.compile(r"last edited by\s+\"(?P<by>[\w-]+)\"")


def misstamped(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why a page's own marks are others than a text says; empty if that can't be told."""
    if ledger.suite != "reddit":
        return ""
    return _other_votes(text, ledger) or _other_editor(text, inside, ledger) or _other_day(text, ledger)


def _other_votes(text: str, ledger: Ledger) -> str:
    """`(+47, −10)`, where a page has `(+44, −7)`, and none has that."""
    said = [(match["up"], match["down"]) for match in _VOTES.finditer(text)]
    held = [(m["up"], m["down"]) for e in ledger.entries for m in _VOTES.finditer(e.page.text)] if said else []
    wrong = next((pair for pair in said if held and pair not in held), None)
    return f"no page has the votes +{wrong[0]} and -{wrong[1]}" if wrong else ""


def _other_editor(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """A member is said to have edited a page last, and the pages name others."""
    said = {match["by"] or match["who"] for match in _EDITED.finditer(fold(text))} & set(handles(text, ledger))
    if len(said) != 1:
        return ""
    held = [match["by"] for entry in inside for match in _STAMP.finditer(entry.page.folded)]
    return f"it was last edited by {held[0]}" if held and not said & set(held) else ""


def _other_day(text: str, ledger: Ledger) -> str:
    """`On Saturday at 21:40`, where all that has this time has a date, and none is a Saturday."""
    for match in _AT.finditer(fold(text)):
        time = int(match["hour"]) * 60 + int(match["minute"])
        days = [line.dates for e in ledger.entries for line in e.page.timed if time in line.times]
        fallen = {DAYS[day.weekday()] for dates in days for day in dates}
        if days and all(days) and match["day"] not in fallen:
            return f"that was on a {min(fallen)}"
    return ""
