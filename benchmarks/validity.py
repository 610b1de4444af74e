"""Scores of agents that cheat or do nothing: the tables of docs/guessing.md. Real runs of decision tasks, raw prompts.

    python -m benchmarks.validity [WORKERS] [SAMPLE]

Prints a Markdown table: investigation, reasoning, decision, proven (means, in per cent) per suite and agent. The best
constant and the classifier are chosen with knowledge of the answers, which no agent has: they are upper bounds.
"""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from longtrail.checks.decisions import decision_score, decision_table
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite
from longtrail.runs.store import Run
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from workshop.sets import surface

ROOT = Path(__file__).resolve().parent.parent
SUITES: tuple[Suite, ...] = ("shopping_admin", "reddit")
AGENTS = {
    "oracle": "oracle (the reference solution)",
    "nothing": "nothing",
    "surface": "surface (cue words of the prompt)",
    "random": "random actions",
    "stuffer": "stuffer (says every word there is)",
    "visitor": "visitor (opens pages, pastes them all back)",
    "paster": "paster (pastes pages in disguise, always the same decision)",
    "quoter": "quoter (quotes twelve passages at random)",
    "word_list": "word_list (quotes twelve common words, always the same decision)",
    "packed_notes": "packed_notes (packs all that pages say into twelve quotations)",
    "lookup": "lookup (knows the published decisions by the request's wording)",
}
MEASURES = ("investigation", "reasoning", "decision", "proven")


def main(workers: str = "2", sample: str = "") -> None:
    """One pytest run per agent and suite."""
    print("| suite | agent | investigation | reasoning | decision | proven |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for suite in SUITES:
            tasks = {n: t for n, t in load_tasks().items() if isinstance(t, DecisionTask) and t.suite == suite}
            for agent, title in AGENTS.items():
                _row(suite, title, _play(suite, agent, (), folder, workers, sample))
            best = _best_constant(suite, tasks)
            given = ("--agent-arg", f"decision={best}")
            _row(suite, f"best constant ({best})", _play(suite, "constant", given, folder, workers, sample))
            print(
                f"| {suite} | best classifier on the surface | 0 | 0 | {100 * _best_classifier(suite, tasks):.0f} | 0 |"
            )


def _play(suite: Suite, agent: str, more: Sequence[str], folder: str, workers: str, sample: str) -> tuple[Result, ...]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        workers,
        "--tb=no",
        "-rN",
        f"--reports={folder}",
        "--no-shots",
    ]
    command += ["-m", f"{suite} and raw and not appeal", "--agent", agent, "--run", f"{suite}-{agent}", *more]
    command += ["--sample", sample] if sample else []
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return Run.open(Path(folder) / "runs" / f"{suite}-{agent}").results()


def _row(suite: Suite, title: str, results: Sequence[Result]) -> None:
    valid = [result for result in results if result.outcome != "invalid"]
    means = [f"{100 * fmean(result.number(name) or 0.0 for result in valid):.0f}" for name in MEASURES]
    invalid = f" ({len(results) - len(valid)} invalid)" if len(valid) < len(results) else ""
    print(f"| {suite} | {title}{invalid} | {' | '.join(means)} |", flush=True)


def _worth(answers: Sequence[str], tasks: dict[str, DecisionTask], suite: Suite) -> float:
    table = decision_table(suite)
    pairs = zip(answers, tasks.values(), strict=True)
    return fmean(decision_score(answer, task.truth, table)[0] for answer, task in pairs)


def _best_constant(suite: Suite, tasks: dict[str, DecisionTask]) -> str:
    return max(decision_table(suite).words, key=lambda word: _worth([word] * len(tasks), tasks, suite))


def _best_classifier(suite: Suite, tasks: dict[str, DecisionTask]) -> float:
    """The best decision score of all learners and features, leave one out."""
    labels = [task.truth.optimal for task in tasks.values()]
    guesses = (surface.guesses(features, tasks, labels) for features in surface.FEATURES.values())
    return max(_worth(predicted, tasks, suite) for guesse in guesses for predicted in guesse.values())


if __name__ == "__main__":
    main(*sys.argv[1:3])
