"""Made runs: run folders as sessions leave them, from made results, without a browser or an agent."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from longtrail.gate.gate_report import gate_report
from longtrail.options.gate_rules import GateRules
from longtrail.records.result import AppealTurn, ClaimResult, Metric, Result
from longtrail.records.trajectory import Case, Step, Trajectory
from longtrail.report.template_page import write
from longtrail.report.trace.page import write_steps, write_trace
from longtrail.report.trace.story import Story
from longtrail.runs.baseline import scores_of
from longtrail.runs.manifest import PlanEntry, new_manifest
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from longtrail.tasks.cases import slug
from tests.report.factory import CONTENDERS, FORUM, LONG_TASKS, SHOP, decisions, long_context
from tests.report.made_episodes import PROVENANCE, lost_episode, shop_episode

FOUR = tuple(contender.label for contender, _ in (*CONTENDERS[:1], *CONTENDERS[2:3], *CONTENDERS[-3:-1]))
"""Two models, the oracle and a baseline."""


def results(labels: Iterable[str] = FOUR) -> list[Result]:
    """Decisions of both suites, appeals and long context: about 23 results for each label's contender."""
    wanted = frozenset(labels)
    made = [
        *long_context(1, LONG_TASKS[:1]),
        *decisions("shopping_admin", SHOP[:2], 1),
        *decisions("reddit", FORUM[:1], 1),
    ]
    mine = [one for one in made if one.contender.label in wanted]
    return [_enriched(one) for one in [*mine, *_appeals(mine)]]


def make_run(
    reports: Path, name: str, of: Sequence[Result], *, hour: int = 0, finished: bool = True, **options: object
) -> Run:
    """A run with an episode, a trace and a list of steps for each result. `hour`: when it began."""
    of = [one.model_copy(update={"case": _renamed(one)}) for one in of]
    manifest = new_manifest(name, {"seed": 0, "observation": "axtree", **options})
    planned = tuple(PlanEntry(case=one.case, contender=one.contender) for one in of)
    update = {
        "data": PROVENANCE.data,
        "commit": "",
        "started": f"2026-03-14T{hour:02d}:00:00+00:00",
        "cases": tuple(one.case.id for one in of),
        "planned": planned,
    }
    run = Run.create(reports / "runs" / name, manifest.model_copy(update=update))
    for one in of:
        trajectory = _trajectory(one)
        run.write_episode(trajectory)
        run.write_result(one, one.provenance.task or "0" * 12)
        write_trace(trajectory, one, None, run.traces)
        told = Story((f"{one.reason}: ", len(trajectory.steps)))
        write_steps(trajectory, run.folder, told if one.outcome == "failed" else None)
    if finished:
        run.write_results(of)
        seal(run)
    run.close()
    return run


def gated(before: Run, after: Run) -> None:
    """Compare a run with another and write the gate's report, as a session with `--baseline` does."""
    report = gate_report(scores_of(before), scores_of(after), GateRules())
    write(after.folder / "gate.json", report.model_dump_json(indent=1) + "\n")


def worse(one: Result) -> Result:
    """The same case, failed."""
    metrics = {
        name: Metric(value=0.0 if isinstance(metric.value, int | float) else metric.value, reason="not this time")
        for name, metric in one.metrics.items()
    }
    return one.model_copy(update={"outcome": "failed", "reason": "never looked at the comments", "metrics": metrics})


def _renamed(one: Result) -> Case:
    name = slug(f"{one.case.id} {one.contender.label}").replace("_", "-")
    return one.case.model_copy(update={"id": name})


def _appeals(of: Iterable[Result]) -> Iterable[Result]:
    for one in of:
        if one.case.prompt != "raw" or one.outcome == "invalid":
            continue
        for kind, word, measure in (("deceptive", "resisted", "sycophancy"), ("valid", "healed", "correction")):
            case = one.case.model_copy(update={"id": one.case.id.replace("raw", kind), "appeal": kind})
            turns = tuple(
                AppealTurn(number=n, answer="DENY", worth=1.0, outcome=word, reason="it stood") for n in (1, 2)
            )
            metrics = {
                **one.metrics,
                "appeal_outcome": Metric(value=word, reason="it stood"),
                measure: Metric(value=kind == "valid", reason="it stood"),
            }
            yield one.model_copy(update={"case": case, "appeal_turns": turns, "metrics": metrics, "outcome": "passed"})


def _enriched(one: Result) -> Result:
    """With the facts, claims and paths that a decision's result has."""
    if one.case.suite == "long_context" or one.outcome == "invalid":
        return one
    facts = shop_episode()[1].facts
    claims = (
        ClaimResult(text="traced to Zone 4", source="order 635", kind="traced", reason="on the order's page"),
        ClaimResult(text="paid twice", source="invoice", kind="synthetic", reason="stands nowhere"),
    )
    left = None if one.outcome == "passed" else 1 + len(one.case.id) % 4
    metrics = {
        **one.metrics,
        "first_divergence": Metric(value=left, reason="left the path"),
        "recovered": Metric(value=None if left is None else left % 2 == 0, reason="came back"),
        "synthetics": Metric(value=1, reason="one"),
        "answer": Metric(value="APPROVE", reason="said so"),
    }
    return one.model_copy(update={"facts": facts, "claims": claims, "metrics": metrics})


def _trajectory(one: Result) -> Trajectory:
    base, _ = lost_episode() if one.case.suite == "long_context" else shop_episode()
    steps: tuple[Step, ...] = base.steps if one.outcome == "passed" else base.steps[:1] + base.steps[2:]
    bare = tuple(
        step.model_copy(update={"observation": step.observation.model_copy(update={"screenshot": None})})
        for step in steps
    )
    update = {"case": one.case, "contender": one.contender, "provenance": one.provenance, "steps": bare}
    return base.model_copy(update=update | {"trouble": one.trouble})
