"""Binding: is a value said of the one it belongs to? What stands under somebody else's name is no evidence for it."""

import re
from collections.abc import Sequence
from typing import Literal

from longtrail.scoring.grounding.checks import Check
from longtrail.scoring.grounding.combined import FEW
from longtrail.scoring.grounding.lasted import moments
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.people import handles, named
from longtrail.scoring.grounding.values import Atom, atoms_of
from longtrail.scoring.grounding.wording import quotes, verbatim
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.folding import fold

_TO = "to|told|tells|telling|asked|asks|answered|answering|answers|reminded|assured|advised|warned|with|for|at"
"""Ahead of a member's name: they heard it."""
_UNDER = r"(?:under|below|beneath|on|in) (?:\w+ ){0,2}(?:post|thread|submission|comment|question)s? (?:by|of|from)"
"""Ahead of a member's name: somebody else wrote beneath it."""
_SAYS = "said|says|wrote|writes|mentioned|mentions|admitted|admits|stated|states|claimed|claims|noted|notes|confirmed"
_WHO = r"(?:/?u/|@|user )?(?P<who>[\w-]+)"
_SAYING = re.compile(rf"(?<!\w)(?=(?P<who>[\w-]+) (?:\w+ )?(?:{_SAYS})\b)")
_SAID_FIRST = re.compile(rf"\W*{_WHO}\W+(?:{_SAYS})\b")
_HEARING = re.compile(rf"\b(?=(?:{_TO}|{_UNDER})\s+{_WHO})")
_ANSWER = re.compile(r"\b(?:answer|reply|response|replies|answers)(?: \w+){0,3}\W*$", re.IGNORECASE)
_LATER = re.compile(r"\b(?:hours?|minutes?|days?|weeks?|months?|years?) (?:after|later|before|earlier)\b")
_BOUND = frozenset({"money", "percent", "duration", "number"})
"""Values that are somebody's own; days and times of others are told to say when something was ..."""
_JOINED = re.compile(r"\b(?:joined|signed up|registered|(?:opened|created) (?:the|an|his|her|their) account)\b")
"""... but for the day on which somebody joined."""


Wrong = Literal["misattribution", "synthetic"]


def misbound(
    text: str, checks: Sequence[Check], inside: Sequence[Entry], ledger: Ledger, *, named_source: bool
) -> tuple[Wrong, str] | None:
    """Why a value or a quotation belongs to somebody or something else than the text says; None if it doesn't.

    A value that stands with another order or member of the case is misattributed; one that is met only by chance, in
    somebody else's row of a listing, is made up.
    """
    if ledger.suite == "reddit":
        who = [name for name in handles(text, ledger) if not _spoken_to(name, text)]
        if len(who) != 1:
            return None
        reason = _members(who[0], text, checks, inside)
        told = named_source or quotes(text) or who[0] in (match["who"] for match in _SAYING.finditer(fold(text)))
        return ("misattribution" if told else "synthetic", reason) if reason else None
    return _orders(text, ledger)


def _members(who: str, text: str, checks: Sequence[Check], inside: Sequence[Entry]) -> str:
    """One member is named: every value and quotation must stand in something that they wrote or that names them."""
    lines = [(entry, line) for entry in inside for line in entry.page.lines]
    for quote in quotes(text):
        if _ANSWER.search(text[: quote.start]):
            continue  # "Ann asked, and the answer was ...": that is somebody else's
        spoken = [(e, line) for e, line in lines if fold(quote.text) in line.folded]
        if _others(who, spoken) and any(verbatim(quote.text, e) for e in inside):
            return f"what is quoted was written by {spoken[0][1].speaker}"
    if other := _said_by_another(who, text, [line for _, line in lines]):
        return f"so wrote {other}"
    bound = _BOUND | {"date"} if _JOINED.search(text) else _BOUND
    for check in checks:
        if check.direct is None or check.kind not in bound or (check.kind == "number" and _few(check)):
            continue
        if check.kind == "duration" and _since(who, text, check, [line for _, line in lines]):
            continue
        spoken = [(e, line) for e, line in lines if check.direct(line)]
        if _others(who, spoken):
            return f"{check.says} stands in what {spoken[0][1].speaker} wrote"
    return ""


def _few(check: Check) -> bool:
    """Whether a count is so small that it stands in many things that people write."""
    figure = re.fullmatch(r"number (\d+)", check.says)
    return figure is None or int(figure[1]) <= FEW


def _since(who: str, text: str, check: Check, lines: Sequence[Line]) -> bool:
    """Whether a length of time is reckoned from something to what one wrote: `Ann, one hour after the post, ...`."""
    if not _LATER.search(fold(text)):
        return False
    own, every = [*moments(line for line in lines if line.heads and line.speaker == who)], [*moments(lines)]
    said = re.search(r"[\d.]+", check.says)
    return said is not None and any(
        abs(abs(a - b).total_seconds() / 86_400 - float(said[0])) < 0.01 * float(said[0]) for a in own for b in every
    )


def _said_by_another(who: str, text: str, lines: Sequence[Line]) -> str:
    """Whose words a text gives as somebody's: `Ann said that ...` what only Ben wrote. Empty if that can't be told."""
    said = _SAID_FIRST.match(fold(text))
    if said is None or said["who"] != who:
        return ""
    wanted = vocabulary(text) - vocabulary(who)
    shares = [(len(wanted & line.words) / len(wanted), line.speaker) for line in lines if line.speaker and wanted]
    best, speaker = max(shares, default=(0.0, ""))
    own = max((share for share, name in shares if name == who), default=0.0)
    return speaker if len(wanted) >= 2 and speaker != who and best >= 0.9 and own < 0.4 else ""


def _spoken_to(who: str, text: str) -> bool:
    """Whether a member is the one that something was said to: `told cubicle_cass`, `under a post by puckprep`."""
    return who in (match["who"] for match in _HEARING.finditer(fold(text)))


def _others(who: str, spoken: Sequence[tuple[Entry, Line]]) -> bool:
    """Whether all of these lines have an author, and none has to do with this one."""
    if not spoken or any(not line.speaker for _, line in spoken):
        return False
    return not any(named(who, line) or f"forum:user/{who}" in entry.keys for entry, line in spoken)


def _orders(text: str, ledger: Ledger) -> tuple[Wrong, str] | None:
    """One order is named: every amount and date with it must stand on its pages or in its row."""
    atoms = atoms_of(text, ledger.now)
    ids = [atom for atom in atoms if atom.kind == "id" and str(atom.value).isdigit() and _is_order(atom, ledger)]
    values = [atom for atom in atoms if atom.kind in ("money", "date")]
    if len(ids) != 1 or not 0 < len(values) <= 2 or len(atoms) > 2 + len(values):
        return None
    number = str(ids[0].value)
    for value in values:
        held = [(e, line) for e in ledger.entries for line in e.page.lines if value.value in line.money | line.dates]
        if not held or any(_about(number, entry, line) or not _of_one(entry, line) for entry, line in held):
            continue
        near = [entry for entry, _ in held if not entry.page.open_grid]
        wrong: Wrong = "misattribution" if near and len(values) == 1 else "synthetic"
        return wrong, f"{value} stands on {held[0][0].name}, not with order {number}"
    return None


def _is_order(atom: Atom, ledger: Ledger) -> bool:
    return any(f"order:{atom.value}" in key for entry in ledger.entries for key in entry.keys) or any(
        str(n) == atom.value for e in ledger.entries for row in e.page.rows for n in row.numbers
    )


def _about(number: str, entry: Entry, line: Line) -> bool:
    return any(f":{number}" in key for key in entry.keys) or any(str(n) == number for n in line.numbers)


def _of_one(entry: Entry, line: Line) -> bool:
    """Whether a line belongs to one order: it stands on an order's page, outside of notes, or in a listing's row."""
    if line.text.startswith("row: 000"):
        return True
    return any(key.startswith("order:") for key in entry.keys) and line.text.startswith("row:")
