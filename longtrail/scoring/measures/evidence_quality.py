"""Evidence quality: the form of a justification, 0 to 7 (PATHWAYS, section 4). It says nothing about its truth."""

import re

from longtrail.records.action import Decide
from longtrail.scoring.measures.evidence import reasons_text
from longtrail.text.atoms import tokenize

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


def evidence_quality(decision: Decide | None) -> tuple[int, str]:
    """Quantities +2, times +1, sources +2, WHAT / WHERE / WHY +2, with the names of those found. Bounds [0, 7]. A list
    of evidence with source and quote next to a justification also counts as structure.
    """
    if decision is None:
        return 0, "no decision"
    text = reasons_text(decision)
    tokens = [token for line in text.splitlines() for token in tokenize(line)]
    listed = any(evidence.source.strip() and evidence.quote.strip() for evidence in decision.evidence)
    parts = {
        "quantities": 2 * any(token.kind in ("number", "money", "percent") for token in tokens),
        "times": int(any(token.kind in ("date", "time") for token in tokens) or bool(_TEMPORAL.search(text))),
        "sources": 2 * (listed or bool(_SOURCE.search(text))),
        "structure": 2 * (listed or all(label.search(text) for label in _LABELS)),
    }
    found = [name for name, points in parts.items() if points]
    return sum(parts.values()), ", ".join(found) or "neither quantities, times, sources nor structure"
