"""Scores of agents that cheat or do nothing: the tables of docs/guessing.md. Real runs of decision tasks, raw prompts.

    python -m benchmarks.validity [AGENT ...] [--workers N] [--sample TASKS] [--reports FOLDER]

Prints a Markdown table: investigation, reasoning, decision, proven (means, in per cent) per suite and agent. The best
constant and the classifier are chosen with knowledge of the answers, which no agent has: they are upper bounds.

Agents that walk through the same pages and differ in the decision alone are played once: the others decide on the
pages that this run recorded. With `--reports`, a run that was interrupted goes on, and a finished one is read again.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from longtrail.agents.agent import Assignment, Equipment
from longtrail.agents.spec import AgentSpec
from longtrail.browser.view import View
from longtrail.checks.decisions import decision_score, decision_table, decision_words
from longtrail.records.action import Decide
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite, Trajectory
from longtrail.runs.store import Run
from longtrail.scoring.score import score
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from workshop.sets import surface

ROOT = Path(__file__).resolve().parent.parent
SUITES: tuple[Suite, ...] = ("shopping_admin", "reddit", "hard_shop", "hard_forum")
AGENTS = {
    "oracle": "oracle (the reference solution)",
    "nothing": "nothing",
    "surface": "surface (cue words of the prompt)",
    "random": "random actions",
    "stuffer": "stuffer (says every word there is)",
    "visitor": "visitor (opens pages, pastes them all back)",
    "quoter": "quoter (quotes twelve passages at random)",
    "paster": "paster (pastes pages in disguise, always the same decision)",
    "word_list": "word_list (quotes twelve common words, always the same decision)",
    "packed_notes": "packed_notes (packs all that pages say into twelve quotations)",
    "lookup": "lookup (knows the published decisions by the request's wording)",
}
WALKS = dict.fromkeys(("paster", "word_list", "packed_notes", "lookup"), "quoter")
"""Agents that open the same pages as another one, in the same order."""
MEASURES = ("investigation", "reasoning", "decision", "proven")
TASKS = {name: task for name, task in load_tasks().items() if isinstance(task, DecisionTask)}


def main() -> None:
    """One pytest run per agent that walks its own way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agents", nargs="*", default=list(AGENTS), metavar="AGENT", help="default: all")
    parser.add_argument("--workers", default="2")
    parser.add_argument("--sample", default="", help="so many tasks; default: all 290")
    parser.add_argument("--reports", type=Path, help="keep the runs in this folder")
    given = parser.parse_args()
    print(f"| suite | agent | n | {' | '.join(MEASURES)} |\n|{'---|' * (3 + len(MEASURES))}")
    with tempfile.TemporaryDirectory() as folder:
        reports, played = given.reports or Path(folder), dict[str, Run]()
        for agent in given.agents:
            player = WALKS.get(agent, agent)
            played[player] = played.get(player) or _play(player, reports, given.workers, given.sample)
            results = played[player].results() if player == agent else _on_its_pages(agent, played[player])
            for suite in SUITES:
                _row(suite, AGENTS[agent], [result for result in results if result.case.suite == suite])
    for suite in SUITES:
        tasks = {name: task for name, task in TASKS.items() if task.suite == suite}
        print(f"{suite}: best constant {_best_constant(suite, tasks)}, best classifier on the surface ", end="")
        print(f"{100 * _best_classifier(suite, tasks):.0f}")


def _play(agent: str, reports: Path, workers: str, sample: str) -> Run:
    command = [sys.executable, "-m", "pytest", "-q", "-n", workers, "--tb=no", "-rN", f"--reports={reports}"]
    command += ["-m", "(pathways or hard_tier) and raw and not appeal", "--agent", agent, "--no-shots"]
    command += ["--sample", sample] if sample else []
    known = (reports / "runs" / agent).exists()
    command += [f"--resume={agent}"] if known else ["--run", agent]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return Run.open(reports / "runs" / agent)


def _on_its_pages(agent: str, run: Run) -> tuple[Result, ...]:
    """The results of an agent that opens the pages of this run's agent, and decides by itself."""
    episodes = (episode for episode in run.episodes() if episode.valid)
    return tuple(score(TASKS[episode.case.task], _decided_by(agent, episode)) for episode in episodes)


def _decided_by(name: str, episode: Trajectory) -> Trajectory:
    """The episode with this agent's decision. Raises SystemExit if it would have opened other pages."""
    *walked, last = episode.steps
    assignment = Assignment(
        suite=episode.case.suite,
        phase="main",
        prompt=episode.prompt,
        actions={},
        decisions=tuple(decision_words(episode.case.suite)),
        step_limit=len(episode.steps),
    )
    agent = AgentSpec.parse(name).factory(assignment, Equipment(options={}))
    for step in walked:
        if agent.act(View(step.observation)) != step.action:
            raise SystemExit(f"{name} leaves the recorded way in {episode.case.id}, step {step.number}")
        agent.observe(step.outcome, View(step.observation))
    decision = agent.act(View(last.observation))
    assert isinstance(decision, Decide)
    return episode.model_copy(update={"steps": (*walked, last.model_copy(update={"action": decision}))})


def _row(suite: Suite, title: str, results: Sequence[Result]) -> None:
    valid = [result for result in results if result.outcome != "invalid"]
    if not valid:
        return
    means = [f"{100 * fmean(result.number(name) or 0.0 for result in valid):.1f}" for name in MEASURES]
    invalid = f" ({len(results) - len(valid)} invalid)" if len(valid) < len(results) else ""
    print(f"| {suite} | {title}{invalid} | {len(valid)} | {' | '.join(means)} |", flush=True)


def _worth(answers: Iterable[str], tasks: Mapping[str, DecisionTask], suite: Suite) -> float:
    table = decision_table(suite)
    pairs = zip(answers, tasks.values(), strict=True)
    return fmean(decision_score(answer, task.truth, table)[0] for answer, task in pairs)


def _best_constant(suite: Suite, tasks: Mapping[str, DecisionTask]) -> str:
    worth = {word: _worth([word] * len(tasks), tasks, suite) for word in decision_table(suite).words}
    best = max(worth, key=lambda word: worth[word])
    return f"{best} {100 * worth[best]:.0f}"


def _best_classifier(suite: Suite, tasks: dict[str, DecisionTask]) -> float:
    """The best decision score of all learners and features, leave one out."""
    labels = [task.truth.optimal for task in tasks.values()]
    guesses = (surface.guesses(features, tasks, labels) for features in surface.FEATURES.values())
    return max(_worth(predicted, tasks, suite) for guesse in guesses for predicted in guesse.values())


if __name__ == "__main__":
    main()
