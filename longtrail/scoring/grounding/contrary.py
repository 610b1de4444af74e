"""Contrary: what the pages have the other way round: denied, with the opposite word, of another one, on another way."""

from collections.abc import Sequence

from longtrail.scoring.grounding.attributed import of_another, unlike
from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.opposites import anothers_own, opposite_word
from longtrail.scoring.grounding.polarity import reversed_polarity
from longtrail.scoring.grounding.routes import other_way
from longtrail.scoring.grounding.rules import decided_otherwise, exchanged_paragraphs
from longtrail.scoring.grounding.stamped import misstamped


def misgiven(claim: Claim, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why words, marks or things of a page are another's than a claim says; empty if they aren't."""
    if wrong := of_another(claim, inside, ledger) or misstamped(claim.text, inside, ledger):
        return wrong
    line = anothers_own(claim.text, inside)
    return f"somebody else's own: {line[:80]}" if line else ""


def contrary(claim: Claim, inside: Sequence[Entry], ledger: Ledger) -> str:
    """Why the pages say otherwise than a claim; empty if that can't be told."""
    if wrong := unlike(claim.text, inside, ledger) or other_way(claim.text, inside):
        return wrong
    if wrong := exchanged_paragraphs(claim.text, ledger.entries) or decided_otherwise(claim.text, ledger.entries):
        return wrong
    if line := reversed_polarity(claim.text, claim.source, inside) or opposite_word(claim.text, claim.source, inside):
        return f"the page says the opposite: {line[:80]}"
    return ""
