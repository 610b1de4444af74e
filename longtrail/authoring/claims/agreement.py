"""Agreement: how well the detector's classes agree with labels: precision with its bound, recall, Cohen's kappa."""

from collections.abc import Sequence

from longtrail.records.record import Record
from longtrail.scoring.grounding.detector import FLAGGED, Kind
from longtrail.statistics.agreement import cohen_kappa
from longtrail.statistics.intervals import wilson


class ClassAgreement(Record):
    """One class."""

    kind: Kind
    labelled: int
    flagged: int
    right: int
    """Flagged and labelled alike."""
    precision: float
    low: float
    """Lower 95 % Wilson bound of the precision."""
    recall: float


class Agreement(Record):
    """Labels against verdicts."""

    classes: tuple[ClassAgreement, ...]
    kappa: float
    """Cohen's kappa over all five classes."""
    flagged_kappa: float
    """The same over hallucination or not."""
    claims: int


def agreement(pairs: Sequence[tuple[Kind, Kind]]) -> Agreement:
    """(label, verdict) of every claim -> agreement. Raises ValueError without claims."""
    if not pairs:
        raise ValueError("no claims")
    classes = tuple(_class(kind, pairs) for kind in FLAGGED)
    flags = [(label in FLAGGED, verdict in FLAGGED) for label, verdict in pairs]
    return Agreement(classes=classes, kappa=cohen_kappa(pairs), flagged_kappa=cohen_kappa(flags), claims=len(pairs))


def _class(kind: Kind, pairs: Sequence[tuple[Kind, Kind]]) -> ClassAgreement:
    labelled = sum(label == kind for label, _ in pairs)
    flagged = sum(verdict == kind for _, verdict in pairs)
    right = sum(label == verdict == kind for label, verdict in pairs)
    precision = right / flagged if flagged else 0.0
    return ClassAgreement(
        kind=kind,
        labelled=labelled,
        flagged=flagged,
        right=right,
        precision=precision,
        low=wilson(precision, flagged)[0],
        recall=right / labelled if labelled else 0.0,
    )


def shown(found: Agreement) -> str:
    """As a table in text."""
    lines = ["class              labelled flagged right precision  low   recall"]
    lines += [
        f"{c.kind:<18} {c.labelled:>8} {c.flagged:>7} {c.right:>5} {c.precision:>9.3f} {c.low:.3f} {c.recall:>6.3f}"
        for c in found.classes
    ]
    return "\n".join(
        [*lines, f"kappa {found.kappa:.3f} (hallucination or not: {found.flagged_kappa:.3f}), {found.claims} claims"]
    )
