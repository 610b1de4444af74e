"""Hallucination: which claims of a decision are hallucinated, as measures and claim by claim (PATHWAYS, section 5)."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from longtrail.records.claim import ClaimOpinion
from longtrail.records.result import FLAGGED, ClaimResult, Metric
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.grounding.claims import Claim, claims_of
from longtrail.scoring.grounding.judging import Finding, findings
from longtrail.scoring.grounding.ledger import Ledger, ledger

_NAMES = {"fabricated_source": "fabricated_sources", "misattribution": "misattributions", "synthetic": "synthetics"}


def grounding(case: DecisionView) -> tuple[dict[str, Metric], tuple[ClaimResult, ...]]:
    """`hallucinates`, the counts of each class, and every claim; not defined without a decision."""
    if case.decision is None:
        none = Metric(value=None, reason="no decision")
        return {"hallucinates": none, **dict.fromkeys(_NAMES.values(), none)}, ()
    found = findings(case.decision, delivered(case))
    counts = Counter(finding.kind for finding in found)
    flagged = [finding for finding in found if finding.flagged]
    metrics = {"hallucinates": Metric(value=bool(flagged), reason=_told(found, flagged))}
    for kind in FLAGGED:
        reason = next((finding.reason for finding in flagged if finding.kind == kind), "none")
        metrics[_NAMES[kind]] = Metric(value=counts[kind], reason=reason)
    return metrics, _results(case, found)


def delivered(case: DecisionView) -> Ledger:
    """What the agent had been shown by its decision (or by the end)."""
    sees = case.trajectory.contender.vision
    steps, trail = (*case.noted, *case.steps), (*case.noted_trail, *case.trail)
    return ledger(case.trajectory.prompt, steps, trail, _pictured(case), sees=sees)


def _pictured(case: DecisionView) -> dict[int, list[str]]:
    """The content of the pictures that the agent had seen, by step: facts in words, and their lettering."""
    delivered = {result.id: result.delivered for result in case.facts}
    told: dict[int, list[str]] = defaultdict(list)
    for fact in case.task.required:
        step = delivered[fact.id]
        if fact.pictured and step is not None:
            told[step] += [fact.says, *fact.lettering.splitlines()]
    return told


def _told(found: tuple[Finding, ...], flagged: list[Finding]) -> str:
    if not flagged:
        return f"none of {len(found)} pieces is a hallucination"
    return f"{len(flagged)} of {len(found)} pieces not found: {'; '.join(finding.reason for finding in flagged[:3])}"


def _results(case: DecisionView, found: Sequence[Finding]) -> tuple[ClaimResult, ...]:
    """The claims in order; with a second opinion, also those in which the rules find nothing to check."""
    opinion = case.trajectory.opinion
    if opinion is None or case.decision is None:
        return tuple(_result(finding.claim, finding) for finding in found)
    ruled = {finding.claim: finding for finding in found}
    judged = {one.claim: one for one in opinion.claims}
    claims = [claim for claim in claims_of(case.decision) if claim in ruled or claim.told in judged]
    return tuple(_result(claim, ruled.get(claim), judged.get(claim.told)) for claim in claims)


def _result(claim: Claim, ruled: Finding | None, judged: ClaimOpinion | None = None) -> ClaimResult:
    return ClaimResult(
        text=claim.told,
        source=claim.source,
        kind=ruled.kind if ruled else "unverifiable",
        reason=ruled.reason if ruled else "nothing in it can be checked",
        judged=judged.kind if judged else None,
        judge_reason=judged.reason if judged else "",
    )
