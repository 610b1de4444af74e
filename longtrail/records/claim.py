"""Claim: the classes of a decision's claims, and a model's opinion on one."""

from typing import Literal

from longtrail.records.record import Record

ClaimKind = Literal["fabricated_source", "misattribution", "synthetic", "traced", "unverifiable"]
"""The class of a claim. The first three are hallucinations (PATHWAYS, section 5)."""


class ClaimOpinion(Record):
    """A model's opinion on one claim of a decision."""

    claim: str
    kind: ClaimKind
    reason: str = ""
