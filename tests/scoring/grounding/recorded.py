"""Recorded: what each reference solution had been shown when it decided, and what it gave as evidence.

`python -m tests.scoring.grounding.recorded RUN` writes data/references.json.xz from a finished run of the oracle
(`pytest -m "(pathways or hard_tier) and raw and not appeal"`). Do so when pages or paths of references have changed.
The justifications are not recorded: they are those of the current tasks.
"""

import json
import lzma
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from longtrail.records.action import Decide, Evidence
from longtrail.runs.store import Run
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.grounding.ledger import Ledger, Reading
from longtrail.scoring.hallucination import delivered
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

FILE = Path(__file__).parent / "data" / "references.json.xz"


class Played(NamedTuple):
    """A reference solution as it was played."""

    task: DecisionTask
    ledger: Ledger
    decision: Decide


@cache
def played() -> dict[str, Played]:
    """Every recorded reference by task."""
    data = json.loads(lzma.decompress(FILE.read_bytes()))
    tasks, lines = load_tasks(), data["lines"]
    found: dict[str, Played] = {}
    for name, case in data["cases"].items():
        task = tasks[name]
        if not isinstance(task, DecisionTask):
            continue
        readings = tuple(
            Reading(step, url, title, frozenset(keys), "\n".join(lines[line] for line in text), asked)
            for step, url, title, keys, text, asked in case["readings"]
        )
        entered = tuple((step, text) for step, text in case["entered"])
        decision = Decide(
            decision=task.truth.optimal,
            justification=task.reference.justification,
            response=task.reference.response,
            evidence=tuple(Evidence(source=source, quote=quote) for source, quote in case["evidence"]),
        )
        found[name] = Played(task, Ledger(readings, entered, case["sees"]), decision)
    return found


def record(run: Run) -> dict[str, Any]:
    """The content of the file: the lines of all pages, each once, and the cases."""
    lines: dict[str, int] = {}
    cases: dict[str, Any] = {}
    tasks = load_tasks()
    for trajectory in run.episodes():
        task = tasks[trajectory.case.task]
        if not isinstance(task, DecisionTask):
            continue  # the run may hold long-context cases, too
        view = DecisionView.of(task, trajectory)
        assert view.decision is not None
        ledger = delivered(view)
        cases[task.id] = {
            "readings": [
                [r.step, r.url, r.title, sorted(r.keys), _numbered(r.text, lines), r.asked] for r in ledger.readings
            ],
            "entered": ledger.entered,
            "sees": ledger.sees,
            "evidence": [[piece.source, piece.quote] for piece in view.decision.evidence],
        }
    return {"cases": dict(sorted(cases.items())), "lines": list(lines)}


def _numbered(text: str, lines: dict[str, int]) -> list[int]:
    return [lines.setdefault(line, len(lines)) for line in text.split("\n")]


if __name__ == "__main__":
    written = json.dumps(record(Run.open(Path(sys.argv[1]))), ensure_ascii=False, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(written.encode(), preset=9))
