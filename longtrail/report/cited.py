"""Cited: each piece of a decision's evidence next to the passage that it cites, if that was delivered."""

from collections.abc import Sequence
from dataclasses import dataclass

from longtrail.records.action import MAX_QUOTE, Decide, Evidence
from longtrail.records.result import ClaimResult
from longtrail.report.page_titles import page_in_words
from longtrail.scoring.grounding.claims import claims_of
from longtrail.scoring.measures.delivery import ShownPage
from longtrail.scoring.measures.quotes import quoted_sentences, stands_on

MOST = 4
"""Number of sentences of a page that are shown next to a piece."""


@dataclass(frozen=True, slots=True)
class CitedPiece:
    """A piece of evidence, and where its quote was delivered."""

    piece: Evidence
    step: int | None
    """Number of the first step in the episode that was shown the quote; None: none was."""
    page: str
    """That page's name in words."""
    passage: str
    """The page's own sentences."""
    claim: ClaimResult | None
    """The score's verdict on the piece."""

    @property
    def flagged(self) -> bool:
        """Whether it counts as a hallucination."""
        return self.claim is not None and self.claim.flagged


def cited(decision: Decide, pages: Sequence[ShownPage], claims: Sequence[ClaimResult]) -> tuple[CitedPiece, ...]:
    """The pieces that count, in order. `pages`: all delivered pages, from the episode's first step on."""
    told = {claim.text: claim for claim in claims}
    evidence = [claim for claim in claims_of(decision) if claim.part == "evidence"]
    return tuple(
        _cited(piece, pages, told.get(claim.told))
        for piece, claim in zip(decision.evidence[: len(evidence)], evidence, strict=True)
    )


def _cited(piece: Evidence, pages: Sequence[ShownPage], claim: ClaimResult | None) -> CitedPiece:
    quote = piece.quote[:MAX_QUOTE]
    found = next(((place, page) for place, page in enumerate(pages, 1) if stands_on(quote, page.text)), None)
    if found is None:
        return CitedPiece(piece, None, "", "", claim)
    place, page = found
    name = min(page.keys, key=lambda key: (len(key), key), default="")
    passage = " ".join(quoted_sentences(quote, page.text)[:MOST])
    return CitedPiece(piece, place, page_in_words(name) if name else "", passage, claim)


def loose(claims: Sequence[ClaimResult], pieces: Sequence[CitedPiece]) -> tuple[ClaimResult, ...]:
    """The claims that are not pieces of evidence: sentences of the justification and the message."""
    shown = {id(piece.claim) for piece in pieces}
    return tuple(claim for claim in claims if id(claim) not in shown)
