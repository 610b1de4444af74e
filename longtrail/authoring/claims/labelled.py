"""Labelled: claims that people wrote about the episodes of a finished run, judged, and how well that agrees.

The file is YAML: task id (or case id) -> class -> claims, each a sentence of a justification, or a piece of evidence:

    PW-091:
      supported: ["The order was placed on a Sunday.", [order 614 page, "Grand Total $115.95"]]
      synthetic: [...]
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from longtrail.authoring.claims.agreement import agreement
from longtrail.authoring.claims.agreement import shown as agreed
from longtrail.errors import DataError
from longtrail.report.text import plain
from longtrail.runs.store import Run
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.grounding.claims import Claim, Words
from longtrail.scoring.grounding.detector import Finding, Kind, judge
from longtrail.scoring.grounding.ledger import Ledger
from longtrail.scoring.hallucination import delivered
from longtrail.tasks.task import DecisionTask, Task
from longtrail.yaml_file import read

_FILE = TypeAdapter(dict[str, dict[Kind, tuple[Words | tuple[str, Words], ...]]])


class LabelledClaim(NamedTuple):
    """A claim about a case, and the class that somebody gave it."""

    case: str
    label: Kind
    claim: Claim


class JudgedClaim(NamedTuple):
    """A labelled claim and the detector's verdict."""

    case: str
    label: Kind
    finding: Finding


def read_claims(path: Path) -> Iterator[LabelledClaim]:
    """The claims of a file, in its order. Raises DataError."""
    for case, classes in read(_FILE, path).items():
        for label, claims in classes.items():
            for given in claims:
                yield LabelledClaim(case, label, _claim(given))


def _claim(given: str | tuple[str, str]) -> Claim:
    if isinstance(given, str):
        return Claim(text=given)
    return Claim(source=given[0], text=given[1], part="evidence")


def judge_claims(run: Run, tasks: Mapping[str, Task], path: Path) -> list[JudgedClaim]:
    """Each claim against what was delivered in its case's episode (of a task's, the first valid one).

    Raises DataError for a case that the run does not hold, and where there is no claim.
    """
    labelled = list(read_claims(path))
    if not labelled:
        raise DataError(path, "", "holds no claim")
    ledgers = _ledgers(run, tasks, {one.case for one in labelled})
    for one in labelled:
        if one.case not in ledgers:
            raise DataError(path, one.case, f"{run.folder.name} holds no valid episode of such a decision task or case")
    return [JudgedClaim(case, label, judge(claim, ledgers[case])) for case, label, claim in labelled]


def _ledgers(run: Run, tasks: Mapping[str, Task], wanted: set[str]) -> dict[str, Ledger]:
    found: dict[str, Ledger] = {}
    for trajectory in run.episodes():
        task = tasks.get(trajectory.case.task)
        names = [name for name in (trajectory.case.task, trajectory.case.id) if name in wanted and name not in found]
        if names and trajectory.valid and isinstance(task, DecisionTask):
            found |= dict.fromkeys(names, delivered(DecisionView.of(task, trajectory)))
    return found


def shown(judged: list[JudgedClaim]) -> str:
    """Every claim that was judged otherwise than labelled, with the reason, and the table of agreement."""
    lines = []
    for case, label, finding in judged:
        if label != finding.kind:
            source = f"[{finding.claim.source}] " if finding.claim.source else ""
            lines.append(f"{case}: {label} judged {finding.kind} ({finding.reason}): {source}{finding.claim.text}")
    table = agreed(agreement([(label, finding.kind) for _, label, finding in judged]))
    return "\n".join([*map(plain, lines), table])
