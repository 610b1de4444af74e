"""Recorded: what each reference solution had been shown when it decided, and what it gave as evidence.

`python -m tests.scoring.recorded RUN` writes data/references.json.xz from a finished run of the oracle
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
from longtrail.scoring.hallucination import Ledger
from longtrail.scoring.shown_pages import ShownPage, written_texts
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.folding import squeeze

FILE = Path(__file__).parent / "data" / "references.json.xz"


class Played(NamedTuple):
    """A reference solution as it was played."""

    task: DecisionTask
    pages: tuple[ShownPage, ...]
    decision: Decide
    prompt: str
    sees: bool

    @property
    def ledger(self) -> Ledger:
        """What it had been shown."""
        pictured = tuple(fact for fact in self.task.required if fact.pictured) if self.sees else ()
        return Ledger(self.pages, self.prompt, pictured, bool(pictured))


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
        entered = [(step, squeeze(text)) for step, text in case["entered"]]
        (_, _, _, _, prompt, _), *shown = case["readings"]
        pages = tuple(
            ShownPage(
                step,
                frozenset(keys),
                "\n".join(lines[line] for line in text),
                tuple(dict.fromkeys(typed for at, typed in entered if at < step)),
                url,
                asked,
            )
            for step, url, _, keys, text, asked in shown
        )
        decision = Decide(
            decision=task.truth.optimal,
            justification=task.reference.justification,
            response=task.reference.response,
            evidence=tuple(Evidence(source=source, quote=quote) for source, quote in case["evidence"]),
        )
        found[name] = Played(task, pages, decision, "\n".join(lines[line] for line in prompt), case["sees"])
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
        view = DecisionView(task, trajectory)
        assert view.decision is not None
        prompt = [0, "", "", ["prompt"], _numbered(trajectory.prompt, lines), ""]
        cases[task.id] = {
            "readings": [
                prompt,
                *([p.step, p.url, "", sorted(p.keys), _numbered(p.text, lines), p.asked] for p in view.known_pages),
            ],
            "entered": [[step.number, text] for step in view.steps for text in written_texts(step) if text],
            "sees": trajectory.contender.vision,
            "evidence": [[piece.source, piece.quote] for piece in view.decision.evidence],
        }
    return {"cases": dict(sorted(cases.items())), "lines": list(lines)}


def _numbered(text: str, lines: dict[str, int]) -> list[int]:
    return [lines.setdefault(line, len(lines)) for line in text.split("\n")]


if __name__ == "__main__":
    written = json.dumps(record(Run.open(Path(sys.argv[1]))), ensure_ascii=False, separators=(",", ":"))
    FILE.write_bytes(lzma.compress(written.encode(), preset=9))
