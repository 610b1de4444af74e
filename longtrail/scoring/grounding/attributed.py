"""Attributed: is what stands on a page given to the one who said it, to its own row, to the rule's own lead?"""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.ledger import Entry, Ledger, lines_of
from longtrail.scoring.grounding.paired import mispaired
from longtrail.scoring.grounding.people import person_names
from longtrail.scoring.grounding.wording import parity, plain
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.folding import fold

_SPOKEN = re.compile(r"\W*(?:/?u/|@)?(?P<who>\w[\w-]+)\s*(?:\([^)]*\))?:\s+(?P<words>.{12,})", re.DOTALL)
_COMMENT_BY = re.compile(
    r"\b(?:comment|reply|answer|post)s? (?:by|from|of) (?:/?u/|@)?(?P<by>[\w-]+)"
    r"|(?:/?u/|@)?(?P<whose>\w[\w-]+)['’]s? (?:first |last |own )?(?:comment|reply|answer)s?\b"
    r"(?! (?:history|page|list))"
)
_ROW = re.compile(
    r"\b(?:ID|[Cc]ustomer|[Oo]rder|[Nn]o\.|#) ?#?0*(?P<id>\d{2,9})\b(?: (?:is|belongs to|is for))?[ :=(]{1,2}"
    r"(?P<name>[A-Z][a-z]+ [A-Z][a-z]+)\b"
)
_SECTION = re.compile(r"\bsections? (?P<number>\d{1,2})\b(?!\.\d)(?! (?:to|and|or)\b)")
_RANGES = re.compile(r"\bsections? ((?:\d{1,2}(?:, | to | and | or |-|–)?)+)")
_WEEKDAYS = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days\b")
_MOSTLY = 0.6


def unlike(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why something that stands on these pages is given to another than theirs; empty if it isn't."""
    return (
        _spoken(text, inside, ledger)
        or _another_row(text, ledger)
        or _another_lead(text, ledger)
        or _undone(text, inside)
        or _other_weekdays(text, inside)
        or _above_zero(text, inside)
        or _there_is(text, inside)
        or mispaired(text, inside, lines_of(ledger.entries))
    )


def _spoken(text: str, inside: Sequence[Entry], ledger: Ledger) -> str:
    """`Ann: words that only Ben wrote`."""
    match = _SPOKEN.fullmatch(text)
    who = fold(match["who"]) if match else ""
    if match is None or who not in ledger.members:
        return ""
    return _other_writer(match["words"], who, inside)


def of_another(claim: Claim, inside: Sequence[Entry], ledger: Ledger) -> str:
    """The same of a piece of evidence that is given as from `the comment by Ann`."""
    written = [fold(m["by"] or m["whose"]) for m in _COMMENT_BY.finditer(claim.source)]
    return _other_writer(claim.text, written[0], inside) if len(written) == 1 and written[0] in ledger.members else ""


def _other_writer(text: str, who: str, inside: Sequence[Entry]) -> str:
    """Who else wrote these words, where this member did not."""
    words = plain(text)
    if len(words.split()) < 4:
        return ""
    said = {line.speaker for line in lines_of(inside) if line.speaker and words in plain(line.text)}
    return f"so wrote {min(said)}" if said and who not in said else ""


def _another_row(text: str, ledger: Ledger) -> str:
    """`ID 386 is Ann Bell`, where the row of 386 has another name, and the row of another id this one."""
    rows = [line for entry in ledger.entries for line in entry.page.rows]
    for match in _ROW.finditer(text):
        own = [row.folded for row in rows if re.match(rf"row: 0*{match['id']} \|", row.text)]
        name = fold(match["name"])
        named = any(name in row.folded for row in rows)
        if own and named and not any(name in row for row in own):
            return f"the row of {match['id']} has another name"
    return ""


def _another_lead(text: str, ledger: Ledger) -> str:
    """A person and the sections that a rule gives to another one: `A (role) for sections 4 to 6, B for section 7`."""
    people, number = person_names(text), _SECTION.search(fold(text))
    if len(people) != 1 or number is None:
        return ""
    for line in lines_of(entry for entry in ledger.entries if entry.policy):
        names = person_names(line.text)
        if len(names) < 2 or people[0] not in names:
            continue
        starts = sorted((line.text.find(name), name) for name in names)
        ends = [*(at for at, _ in starts[1:]), len(line.text)]
        theirs = {name: _sections(line.text[at:end]) for (at, name), end in zip(starts, ends, strict=True)}
        wanted, own = int(number["number"]), theirs[people[0]]
        other = next((name for name, held in theirs.items() if wanted in held), "")
        if own and wanted not in own and other:
            return f"section {wanted} is given to {other}"
    return ""


def _sections(text: str) -> set[int]:
    found: set[int] = set()
    for match in _RANGES.finditer(fold(text)):
        for first, last in re.findall(r"(\d{1,2})(?: ?(?:to|-|–) ?(\d{1,2}))?", match[1]):
            found |= set(range(int(first), int(last or first) + 1))
    return found


def _undone(text: str, inside: Sequence[Entry]) -> str:
    """`The tag had been cut off` of what stands there as `tag uncut`."""
    said, wanted = set(plain(text).split()), vocabulary(text)
    if len(wanted) < 3 or parity(text):
        return ""
    least = _MOSTLY * (len(wanted) - 1)
    for line in lines_of(e for e in inside if not e.policy and len(wanted & e.page.words) >= least):
        if len(wanted & line.words) < least:
            continue
        held = set(plain(line.text).split())
        if turned := [word for word in said if f"un{word}" in held and word not in held and len(word) > 2]:
            return f"the page says un{turned[0]}"
    return ""


def _other_weekdays(text: str, inside: Sequence[Entry]) -> str:
    """`Mondays and Tuesdays` where the pages know Mondays and Thursdays."""
    said = set(_WEEKDAYS.findall(fold(text)))
    if len(said) < 2:
        return ""
    held = [set(_WEEKDAYS.findall(line.folded)) for line in lines_of(inside)]
    if any(said <= days for days in held):
        return ""
    return "the days are others" if any(len(said & days) == 1 and len(days) > 1 for days in held) else ""


def _above_zero(text: str, inside: Sequence[Entry]) -> str:
    """Points above zero where only as many below it stand."""
    match = re.search(r"\b(\d+) (?:points? )?above zero\b|(?<![\w,])\+(\d+) points\b", text)
    if match is None:
        return ""
    number = match[1] or match[2]
    lines = [line.text.rpartition(" | ")[2].strip() for line in lines_of(inside)]
    return "it is below zero" if {f"-{number}", f"−{number}"} & set(lines) and number not in lines else ""


def _there_is(text: str, inside: Sequence[Entry]) -> str:
    """`The book does have a line` of what has none: the sentence of a record with all its words, but persons' names."""
    match = re.search(r"\b(?:does|do|did) (?:have|show|hold|list|name|contain)\b", text)
    if match is None or parity(text):
        return ""
    named = frozenset().union(*(vocabulary(name) for name in person_names(text)))
    wanted = vocabulary(text) - named
    for line in lines_of(entry for entry in inside if not entry.policy):
        for part in re.split(r"(?<=[.!?])\s+", line.text):
            shared = wanted & vocabulary(part)
            if len(shared) >= 3 and 4 * len(shared) >= 3 * len(wanted) and parity(part):
                return "the page denies it"
    return ""
