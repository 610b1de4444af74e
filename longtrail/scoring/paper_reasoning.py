"""Paper reasoning: what PATHWAYS makes of a decision's prose: keyword recall and evidence quality. Reported only: no
verdict depends on them."""

import re
from collections.abc import Sequence

from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.records.action import MAX_JUSTIFICATION, MAX_PIECES, Decide
from longtrail.records.trajectory import Step
from longtrail.text.matcher import find
from longtrail.text.tokens import tokenize

_TEMPORAL = re.compile(
    r"\b(?:(?:yester|to)day|ago|since|(?:last|previous|past|within|earlier)\s+(?:\w+\s+)?(?:hour|day|week|month|year)s?"
    r"|(?:hour|day|week|month|year)s?\s+(?:ago|old|earlier|later|before|after))\b",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"https?://|\b(?:order|customer|credit memo|shipment|invoice|comment|history|notes?|profile|submission|posts?|wiki|"
    r"moderation log|user page|address(?:es)?|review|handbook|image|picture)s?\b",
    re.IGNORECASE,
)
_LABELS = tuple(re.compile(rf"\b{word}\b", re.IGNORECASE) for word in ("what", "where", "why"))


def first_said(fact: Fact, steps: Sequence[Step]) -> int | None:
    """Number of the first step whose thought or decision has the words of a fact, as the task lists them; or None."""
    ways = (*fact.shown, *fact.said)
    for step in steps:
        texts = [step.thought]
        if isinstance(step.action, Decide):
            texts.append(reasons_text(step.action))
        if any(find(ways, text, NOW) for text in texts):
            return step.number
    return None


def reasons_text(decision: Decide) -> str:
    """A decision's justification and its evidence, one line per piece, as far as they count."""
    pieces = (f"{piece.source}: {piece.quote}\n{piece.shows}" for piece in decision.evidence[:MAX_PIECES])
    return "\n".join([decision.justification[:MAX_JUSTIFICATION], *pieces])


def evidence_quality(decision: Decide | None) -> tuple[int, str]:
    """Quantities +2, times +1, sources +2, WHAT / WHERE / WHY +2, with the names of those found. Bounds [0, 7]. A list
    of evidence with source and quote next to a justification also counts as structure.
    """
    if decision is None:
        return 0, "no decision"
    text = reasons_text(decision)
    kinds = {token.kind for token in tokenize(text)}
    listed = any(evidence.source.strip() and evidence.quote.strip() for evidence in decision.evidence)
    parts = {
        "quantities": 2 * bool(kinds & {"number", "money", "percent"}),
        "times": int(bool(kinds & {"date", "time"}) or bool(_TEMPORAL.search(text))),
        "sources": 2 * (listed or bool(_SOURCE.search(text))),
        "structure": 2 * (listed or all(label.search(text) for label in _LABELS)),
    }
    present = [name for name, points in parts.items() if points]
    return sum(parts.values()), ", ".join(present) or "neither quantities, times, sources nor structure"
