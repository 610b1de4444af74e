"""Judging: is each claim of a decision supported by what was delivered? Gives each claim a class and a reason.

The first of `fabricated_source`, `misattribution` and `synthetic` that applies; otherwise `traced`, or `unverifiable`
if it can't be checked with certainty (PATHWAYS, section 5). In doubt, a claim is not flagged.
"""

import re
from collections.abc import Iterator

from longtrail.records.action import Decide
from longtrail.records.claim import ClaimKind
from longtrail.records.record import Record
from longtrail.records.result import FLAGGED
from longtrail.scoring.grounding.claims import Claim, claims_of
from longtrail.scoring.grounding.derived import Grounds
from longtrail.scoring.grounding.ledger import PROMPT, Ledger
from longtrail.scoring.grounding.names import names_in, unknown
from longtrail.scoring.grounding.page_text import joined, words
from longtrail.scoring.grounding.quotations import nearly, question, quoted_in, stands
from longtrail.scoring.grounding.sources import Source, resolve
from longtrail.scoring.grounding.values import Value, stand_among, values_of

_LEAST_QUOTED = 4
"""Minimum number of words in quotation marks to count as a quotation of a page: fewer are a label or a term."""
_COMPARES = re.compile(
    r"\b(?:before|after|since|until|till|between|from|of|to|than|by|against|and|earlier|later)"
    r"(?:\s+(?:the|her|his|their|its|that|this|an?|on|in|at|of|about|[a-z]+'s))*\s*(?:\w+day,?\s+)?$",
    re.IGNORECASE,
)
"""Words before a date that something is compared with: "14 days since", "her letter of", "the post of"."""
Verdict = tuple[ClaimKind, str]


class Finding(Record):
    """The verdict on one claim."""

    claim: Claim
    kind: ClaimKind
    reason: str

    @property
    def flagged(self) -> bool:
        """Whether it is a hallucination."""
        return self.kind in FLAGGED


def findings(decision: Decide, ledger: Ledger) -> tuple[Finding, ...]:
    """Every claim of a decision, judged. Sentences with nothing to check are left out."""
    claims = claims_of(decision)
    grounds = Grounds(ledger, "\n".join(text for claim in claims for text in (claim.text, claim.quote) if text))
    found: list[Finding] = []
    for claim in claims:
        verdict = _evidence(claim, grounds) if claim.part == "evidence" else _prose(claim, grounds)
        if verdict:
            found.append(Finding(claim=claim, kind=verdict[0], reason=verdict[1]))
    return tuple(found)


def _evidence(claim: Claim, grounds: Grounds) -> Verdict:
    """Judge a piece of evidence: its page, its quotation there, and the values in its `shows`."""
    ledger = grounds.ledger
    source = resolve(claim.source, ledger)
    quoted = _quotation(claim.quote, source, ledger) if words(claim.quote) else None
    if source.certain and not source.readings and (quoted is None or quoted[0] != "traced"):
        return "fabricated_source", f"{source.named} was never delivered"
    if quoted and quoted[0] in FLAGGED:
        return quoted
    shown = _shown(claim, source, grounds) if claim.text else None
    return shown or quoted or ("unverifiable", "nothing in it can be checked")


def _quotation(quote: str, source: Source, ledger: Ledger) -> Verdict:
    """Whether quoted words are on the named page, on another one, or nowhere."""
    if here := stands(quote, source.readings):
        if _own_words(quote, ledger):
            return "unverifiable", "the agent's own words"
        return "traced", f"stands on {here.name}"
    other = stands(quote, ledger.readings)
    if other and source.certain and not source.readings:
        listed = joined(source.named.split()[-1]) in other.joined and not source.named.startswith(("http", "/"))
        return ("traced" if listed else "unverifiable"), f"stands on {other.name}"
    if other and source.certain and PROMPT not in other.keys:
        return "misattribution", f"stands on {other.name}, not on {source.readings[0].name}"
    if other:
        return "traced", f"stands on {other.name}"
    if _pictured(source, ledger):
        return "unverifiable", "may stand in a picture"
    if line := nearly(quote, source.readings or ledger.readings):
        return "unverifiable", f"nearly: {line[:80]}"
    return "synthetic", f"no page has the words {_short(quote)}"


def _own_words(quote: str, ledger: Ledger) -> bool:
    """Whether words are on a page only because the agent entered them."""
    since = next((step for step, text in ledger.entered if joined(quote) in joined(text)), None)
    return since is not None and not stands(quote, [r for r in ledger.readings if r.step <= since])


def _pictured(source: Source, ledger: Ledger) -> bool:
    named = source.readings or ledger.readings
    return ledger.sees and any(key.startswith("image:") for reading in named for key in reading.keys)


def _shown(claim: Claim, source: Source, grounds: Grounds) -> Verdict | None:
    """A value or name in a piece's `shows` that was never delivered or belongs to another page, or None."""
    ledger = grounds.ledger
    for value in values_of(claim.text):
        if not ledger.pictures and not stand_among(value, ledger.joined) and not grounds.follow(value):
            return "synthetic", f"{value} was never delivered and follows from nothing that was"
    name = next((name for name in names_in(claim.text) if unknown(name, ledger.joined)), "")
    if name and not ledger.pictures:
        return "synthetic", f"the name {name} was never delivered"
    if source.certain and (moved := next(_exchanged(claim, source, grounds), None)):
        other = next(reading for reading in ledger.readings if stand_among(moved, reading.joined))
        told = f"{moved}, given as shown by the quotation, is on {other.name}"
        return "misattribution", f"{told}, not on {source.readings[0].name}"
    return None


def _exchanged(claim: Claim, source: Source, grounds: Grounds) -> Iterator[Value]:
    """Values that replace a value of the quotation: of the same kind, from another page's records, and not derivable.
    What a piece is compared with (a rule's limit, the prompt's date, "eight days before his letter of March 12") may
    come from any page."""
    quoted = [value for value in values_of(claim.quote) if value.kind in ("amount", "date", "identifier")]
    named = " ".join([*(reading.joined for reading in source.readings), joined(claim.source)])
    told = joined(claim.text)
    for value in values_of(claim.text):
        own = [one for one in quoted if one.kind == value.kind]
        beside = [one for one in values_of(claim.text) if one.kind == value.kind and stand_among(one, named)]
        if not own or beside or any(stand_among(one, told) for one in own) or _compared(value, claim.text):
            continue
        elsewhere = [r for r in grounds.ledger.readings if stand_among(value, r.joined)]
        if (
            elsewhere
            and not any(r.policy or PROMPT in r.keys for r in elsewhere)
            and not grounds.follow_on(value, source.readings)
        ):
            yield value


def _compared(value: Value, text: str) -> bool:
    """Whether something is compared with a date or counted from it, or the date belongs to another named thing."""
    return value.kind == "date" and _COMPARES.search(text[: value.start]) is not None


def _prose(claim: Claim, grounds: Grounds) -> Verdict | None:
    """Judge a sentence: its quotations, and amounts, identifiers and dates that were never delivered."""
    ledger = grounds.ledger
    rest, looked = claim.text, False
    for start, end, quote in quoted_in(claim.text):
        few = len(words(quote)) < _LEAST_QUOTED
        rest = rest if few else f"{rest[:start]}{' ' * (end - start)}{rest[end:]}"
        if few or question(quote):
            continue
        looked = True
        if not (stands(quote, ledger.readings) or joined(quote) in joined(ledger.typed)):
            if ledger.pictures or nearly(quote, ledger.readings):
                return "unverifiable", f"no page has exactly the words {_short(quote)}"
            return "synthetic", f"no page has the words {_short(quote)}"
    for value in values_of(rest):
        if value.kind == "number":
            continue
        looked = True
        if not stand_among(value, ledger.joined) and not grounds.follow(value):
            if ledger.pictures and value.kind != "identifier":
                return "unverifiable", f"{value} may stand in a picture"
            return "synthetic", f"{value} was never delivered and follows from nothing that was"
    return ("traced", "what it quotes and its values were delivered") if looked else None


def _short(quote: str) -> str:
    return f'"{quote}"' if len(quote) <= 80 else f'"{quote[:77]}..."'
