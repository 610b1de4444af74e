"""Claim: of what kind a claim of a decision is, and what a model says of it."""

from typing import Literal

from longtrail.records.record import Record

ClaimKind = Literal["fabricated_source", "misattribution", "synthetic", "traced", "unverifiable"]
"""Of what kind a claim of a decision is. The first three are hallucinations (PATHWAYS, section 5)."""


class ClaimOpinion(Record):
    """What a model says of one claim of a decision."""

    claim: str
    kind: ClaimKind
    reason: str = ""
