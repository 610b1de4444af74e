"""App tasks: key steps, evidence, decision and page errors of one trajectory on a user's own app."""

from collections.abc import Iterator, Mapping, Sequence

from longtrail.checks.app_steps import evaluate_app
from longtrail.checks.decisions import DecisionTable
from longtrail.checks.facts import Fact
from longtrail.checks.key_steps import Hit
from longtrail.checks.route_steps import placed
from longtrail.clock import NOW
from longtrail.records.action import Decide, Finish
from longtrail.records.result import FactResult, KeyStepResult, Metric
from longtrail.records.site_reports import ACCESSIBILITY, Reading
from longtrail.records.trajectory import Step, Trajectory
from longtrail.scoring import accessibility, rubric
from longtrail.scoring.citations import Citations
from longtrail.scoring.decision import answer_metrics
from longtrail.scoring.long_context import key_step_rate
from longtrail.scoring.measure import Measure
from longtrail.scoring.paper_reasoning import evidence_quality, first_said
from longtrail.scoring.path import critical_metrics, evidence_share
from longtrail.scoring.shown_pages import ShownPage, delivered, shown_pages
from longtrail.scoring.verdict import Verdict
from longtrail.tasks.app_task import AppDecision, AppTask
from longtrail.tasks.task import DecisionTruth
from longtrail.text.matcher import find

CRITICAL = "critical"
"""The one page key that all critical pages of a task get."""
UNDEFINED: Mapping[str, Metric] = {
    "investigation": Metric(value=None, reason="the task names no facts that had to be delivered"),
    "reasoning": Metric(value=None, reason="the task names no facts to be stated"),
    "executed": Metric(value=None, reason="the site's database can't be read"),
}
"""Measures that are undefined for a decision without facts, or on a user's own site."""
SUCCESS_PARTS = ("key_step_rate", "paper_investigation", "investigation", "reasoning", "decision")
"""The parts of success in the order in which they are reached; a task has some of them."""

SERVER_ERROR = 500
"""The lowest status of an error of the app itself."""
MEASURES = tuple(
    Measure(kind="mean", name=name, suites=("app",), says=says, high=None)
    for name, says in (
        ("server_errors", "requests that the app answered with a status of 500 or more"),
        ("failed_requests", "requests that got no answer"),
        ("console_errors", "errors in the browser's console, and uncaught exceptions of scripts"),
    )
)


def judge_app(task: AppTask, trajectory: Trajectory) -> Verdict:
    """The verdict on an app's case. It passes if all key steps were hit, all evidence was shown and stated, and the
    decision is right, as far as the task has each of these."""
    steps = trajectory.phase("main")
    readings = {reading.name: reading for reading in trajectory.readings}
    found = accessibility.metric(readings.get(ACCESSIBILITY))
    hits = (
        *evaluate_app(task.key_steps, steps, readings, ordered=task.ordered),
        *_answer(task, steps),
        *((_no_server_error(steps),) if task.no_server_error else ()),
        *(accessibility.hits(found, len(steps)) if task.no_accessibility_violation else ()),
        *(_scored(readings.get("score"), len(steps)) if task.score else ()),
        *_judged_by_model(readings.get(rubric.READING), len(steps)),
    )
    final = _final_decision(steps, task)
    facts = _facts(task, steps, final)
    metrics = {
        "completed": _completed(task, final),
        **(_key_steps(hits) if hits else {}),
        **(_evidence(facts) if facts else {}),
        **(_decision(task.decision, final) if task.decision else {}),
        **(_critical(task, steps) if task.critical else {}),
        **_ratio(task, steps),
        **_page_errors(steps),
        **({ACCESSIBILITY: found} if task.checks_accessibility else {}),
        **({"judge_agreement": rubric.agreement(readings[rubric.READING])} if rubric.READING in readings else {}),
        **(UNDEFINED if task.decision and not task.facts else {}),
    }
    missed = next((name for name in SUCCESS_PARTS if name in metrics and metrics[name].value not in (1, None)), "")
    reason = metrics[missed].reason if missed else "everything that the task asks for was reached"
    if broken := next((end for end in trajectory.ends if end.reason == "agent_error"), None):
        missed, reason = missed or "completed", f"agent_error: {broken.detail}"
    metrics["success"] = Metric(value=not missed, reason=reason)
    return Verdict(
        passed=not missed,
        reason=reason,
        category=task.category,
        stage=missed or "success",
        metrics=metrics,
        key_steps=tuple(
            KeyStepResult(name=hit.name, phase="main", hit=hit.step is not None, step=hit.step, reason=hit.reason)
            for hit in hits
        ),
        facts=facts,
    )


def offered(decision: AppDecision) -> DecisionTable:
    """What an agent may decide."""
    return DecisionTable(words=decision.options)


def _final_decision(steps: Sequence[Step], task: AppTask) -> Decide | None:
    """The agent's decision, or its answer in the form of a decision; None if it gave neither."""
    if task.decision:
        step = offered(task.decision).deciding_step(steps)
        return step.action if step and isinstance(step.action, Decide) else None
    last = steps[-1].action if steps else None
    return Decide(decision="ANSWER", justification=last.answer) if isinstance(last, Finish) else None


def _answer(task: AppTask, steps: Sequence[Step]) -> Iterator[Hit]:
    """The check of the final answer; of a decision, that is the message to the user or the justification."""
    if task.answer is None:
        return
    last = steps[-1].action if steps else None
    answer = last.answer if isinstance(last, Finish) else None
    if isinstance(last, Decide):
        answer = last.response or last.justification
    right, reason = task.answer.judge(answer)
    yield Hit(name="answer", step=len(steps) if right else None, reason=reason)


def _scored(reading: Reading | None, last: int) -> Iterator[Hit]:
    """The checks of the user's scorer, whose value was recorded when the episode was over."""
    if reading is None:
        yield Hit(name="score", step=None, reason="the episode ended before it was scored")
    elif isinstance(reading.value, list):
        for check in reading.value:
            step = last if check["passed"] else None
            yield Hit(name=f"score {check['name']}", step=step, reason=check["reason"])
    else:
        reason = reading.note or f"the score is {reading.value}"
        yield Hit(name="score", step=last if reading.value >= 1 else None, reason=reason)


def _judged_by_model(reading: Reading | None, last: int) -> Iterator[Hit]:
    """The majority of the judge's answers on the task's rubric; nothing without `--judge`."""
    if reading is not None:
        right, reason = rubric.met(reading)
        yield Hit(name=rubric.READING, step=last if right else None, reason=reason)


def _completed(task: AppTask, final: Decide | None) -> Metric:
    word = "decided" if task.decision else "said that it was done"
    return Metric(value=final is not None, reason=word if final else f"never {word}")


def _key_steps(hits: Sequence[Hit]) -> Mapping[str, Metric]:
    missing = [f"{hit.name} ({hit.reason})" for hit in hits if hit.step is None]
    count = f"{len(hits) - len(missing)} of {len(hits)} key steps"
    reason = f"{count}; missing: {'; '.join(missing)}" if missing else count
    return {"key_step_rate": Metric(value=key_step_rate(hits), reason=reason)}


def _facts(task: AppTask, steps: Sequence[Step], final: Decide | None) -> tuple[FactResult, ...]:
    """For every fact, when it was shown, and whether the decision cites it, or the answer has its words."""
    facts = [
        Fact(id=fact.id, says=fact.says, shown=fact.shown, said=fact.said, pages=(fact.id,)) for fact in task.facts
    ]
    trail = [
        frozenset(fact.id for fact in task.facts if placed(step.observation.url, "", fact.paths)) for step in steps
    ]
    pages = shown_pages(steps, trail)
    citations = Citations.of(final, pages, frozenset()) if final and task.decision else None
    return tuple(_judged(fact, pages, steps, final, citations) for fact in facts)


def _judged(
    fact: Fact,
    pages: Sequence[ShownPage],
    steps: Sequence[Step],
    final: Decide | None,
    citations: Citations | None,
) -> FactResult:
    shown, mentioned = delivered(fact, pages), first_said(fact, steps)
    if citations is not None:
        is_given = citations.given_by(fact) is not None
    else:
        is_given = final is not None and find((*fact.shown, *fact.said), final.justification, NOW) is not None
    is_given = is_given and shown is not None
    if is_given and mentioned is None:
        mentioned = steps[-1].number
    when = "never shown" if shown is None else f"shown at step {shown}, {'given' if is_given else 'but not given'}"
    return FactResult(
        id=fact.id,
        says=fact.says,
        delivered=shown,
        said=mentioned is not None,
        said_at=mentioned,
        counted=is_given,
        reason=when,
    )


def _evidence(facts: Sequence[FactResult]) -> Mapping[str, Metric]:
    share = evidence_share(facts)
    unseen = "; ".join(fact.says for fact in facts if fact.delivered is None)
    missing = "; ".join(fact.says for fact in facts if not fact.counted)
    shown = f"never shown: {unseen}" if unseen else "all evidence was shown"
    reason = f"not given once shown: {missing}" if missing else "all evidence was given"
    return {
        "investigation": Metric(value=share == 1.0, reason=shown),
        "evidence_share": Metric(value=share, reason=shown),
        "reasoning": Metric(value=sum(fact.counted for fact in facts) / len(facts), reason=reason),
        "paper_reasoning": Metric(value=sum(fact.said for fact in facts) / len(facts), reason=reason),
    }


def _decision(decision: AppDecision, final: Decide | None) -> Mapping[str, Metric]:
    table = offered(decision)
    truth = DecisionTruth(optimal=decision.optimal, acceptable=decision.acceptable, harmful=decision.harmful)
    answer = table.resolve(final.decision) if final else None
    quality, parts = evidence_quality(final)
    return {**answer_metrics(answer, truth, table), "evidence_quality": Metric(value=quality, reason=parts)}


def _critical(task: AppTask, steps: Sequence[Step]) -> Mapping[str, Metric]:
    """The paper's investigation and efficiency, from the pages' addresses."""
    trail = [frozenset({CRITICAL} if placed(step.observation.url, "", task.critical) else ()) for step in steps]
    return critical_metrics(steps, trail, frozenset({CRITICAL}), frozenset())


def _ratio(task: AppTask, steps: Sequence[Step]) -> Mapping[str, Metric]:
    if not task.reference:
        return {}
    reason = f"{len(steps)} steps taken, {len(task.reference)} annotated"
    return {"steps_over_reference": Metric(value=len(steps) / len(task.reference), reason=reason)}


def _page_errors(steps: Sequence[Step]) -> Mapping[str, Metric]:
    """The measures of an episode."""
    errors = [error for step in steps for error in step.page_errors]
    lines = {
        "server_errors": [line for step in steps for line in _server_errors(step)],
        "failed_requests": [error.text for error in errors if error.kind == "request"],
        "console_errors": [error.text for error in errors if error.kind != "request"],
    }
    return {name: Metric(value=len(texts), reason=texts[0] if texts else "none") for name, texts in lines.items()}


def _no_server_error(steps: Sequence[Step]) -> Hit:
    """The key step of tasks with `no_server_error: true`."""
    for step in steps:
        for line in _server_errors(step):
            return Hit(name="no_server_error", step=None, reason=f"{line} at step {step.number}")
    return Hit(name="no_server_error", step=len(steps) or None, reason="the app answered every request")


def _server_errors(step: Step) -> list[str]:
    answered = (request for request in step.requests if request.status >= SERVER_ERROR)
    return [f"{request.method} {request.url} was answered with {request.status}" for request in answered]
