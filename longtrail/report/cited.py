"""Cited: each piece of a decision's evidence next to the passage that it cites, if that was delivered."""

from collections.abc import Sequence
from dataclasses import dataclass

from longtrail.records.action import MAX_QUOTE, Decide, Evidence
from longtrail.records.result import ClaimResult
from longtrail.report.page_titles import page_in_words
from longtrail.scoring.citations import passages_with
from longtrail.scoring.hallucination import claims_of
from longtrail.scoring.shown_pages import ShownPage


@dataclass(frozen=True, slots=True)
class CitedPiece:
    """A piece of evidence, and where its quote was delivered."""

    piece: Evidence
    step: int | None
    """Number of the first step in the episode that was shown the quote; None: none was."""
    page: str
    """That page's name in words."""
    passage: str
    """The page's lines that contain the quotation."""
    claim: ClaimResult | None
    """The score's verdict on the piece."""

    @property
    def flagged(self) -> bool:
        """Whether it counts as a hallucination."""
        return self.claim is not None and self.claim.flagged


def cited(decision: Decide, pages: Sequence[ShownPage], claims: Sequence[ClaimResult]) -> tuple[CitedPiece, ...]:
    """The pieces that count, in order. `pages`: all delivered pages, from the episode's first step on."""
    by_text = {claim.text: claim for claim in claims}
    evidence = [claim for claim in claims_of(decision) if claim.part == "evidence"]
    return tuple(
        _cited(piece, pages, by_text.get(claim.statement))
        for piece, claim in zip(decision.evidence[: len(evidence)], evidence, strict=True)
    )


def _cited(piece: Evidence, pages: Sequence[ShownPage], claim: ClaimResult | None) -> CitedPiece:
    quote = piece.quote[:MAX_QUOTE]
    for place, page in enumerate(pages, 1):
        if (passage := next(passages_with(quote, page), None)) is not None:
            name = page_in_words(page.name) if page.keys else ""
            return CitedPiece(piece, place, name, " ".join(passage.split()), claim)
    return CitedPiece(piece, None, "", "", claim)


def loose(claims: Sequence[ClaimResult], pieces: Sequence[CitedPiece]) -> tuple[ClaimResult, ...]:
    """The claims that are not pieces of evidence: sentences of the justification and the message."""
    shown = {id(piece.claim) for piece in pieces}
    return tuple(claim for claim in claims if id(claim) not in shown)
