"""App tasks: key steps, evidence, decision and page errors of one trajectory on a user's own app."""

from collections.abc import Iterator, Mapping, Sequence

from longtrail.checks.app_steps import evaluate_app
from longtrail.checks.decisions import DecisionTable
from longtrail.checks.facts import Fact
from longtrail.checks.key_steps import Hit
from longtrail.checks.route_steps import placed
from longtrail.clock import NOW
from longtrail.records.action import Decide, Finish
from longtrail.records.result import FactResult, Metric
from longtrail.records.site_reports import ACCESSIBILITY, RUBRIC, RUBRIC_TIMES, Reading
from longtrail.records.trajectory import Step, Trajectory
from longtrail.scoring.citations import Citations
from longtrail.scoring.decision import answer_metrics
from longtrail.scoring.decision_view import fact_result
from longtrail.scoring.long_context import key_step_rate, key_step_results, steps_ratio
from longtrail.scoring.paper_reasoning import evidence_quality, first_said
from longtrail.scoring.path import critical_metrics, evidence_metrics
from longtrail.scoring.shown_pages import delivered, shown_pages
from longtrail.scoring.verdict import Verdict, share
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


def app_verdict(task: AppTask, trajectory: Trajectory) -> Verdict:
    """The verdict on an app's case. It passes if all key steps were hit, all evidence was shown and stated, and the
    decision is right, as far as the task has each of these."""
    steps = trajectory.phase("main")
    readings = {reading.name: reading for reading in trajectory.readings}
    hits = (*evaluate_app(task.key_steps, steps, readings, ordered=task.ordered), *_end_hits(task, steps, readings))
    final = _final_decision(steps, task)
    facts = _facts(task, steps, final)
    metrics = {
        "completed": _completed(task, final),
        **(_key_steps(hits) if hits else {}),
        **(_evidence(task, facts) if facts else {}),
        **(_decision(task.decision, final) if task.decision else {}),
        **(_critical(task, steps) if task.critical else {}),
        **({"steps_over_reference": steps_ratio(len(steps), len(task.reference))} if task.reference else {}),
        **_page_errors(steps),
        **({ACCESSIBILITY: _violations(readings.get(ACCESSIBILITY))} if task.checks_accessibility else {}),
        **({"judge_agreement": _agreement(readings[RUBRIC])} if RUBRIC in readings else {}),
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
        key_steps=key_step_results(hits, "main"),
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


def _end_hits(task: AppTask, steps: Sequence[Step], readings: Mapping[str, Reading]) -> Iterator[Hit]:
    """The key steps that are checked when the episode is over: the final answer (of a decision: the message to the user
    or the justification), errors of the app, and what was read from the last page, the user's scorer and the judge."""
    last = len(steps)

    def hit(name: str, right: bool, reason: str) -> Hit:
        return Hit(name=name, step=last if right else None, reason=reason)

    if task.answer is not None:
        action = steps[-1].action if steps else None
        answer = action.answer if isinstance(action, Finish) else None
        if isinstance(action, Decide):
            answer = action.response or action.justification
        yield hit("answer", *task.answer.check(answer))
    if task.no_server_error:
        error = next((f"{line} at step {step.number}" for step in steps for line in _server_errors(step)), "")
        yield hit("no_server_error", bool(steps) and not error, error or "the app answered every request")
    if task.no_accessibility_violation:
        violations = _violations(readings.get(ACCESSIBILITY))
        if violations.value is not None:
            yield hit("no_accessibility_violation", bool(steps) and not violations.value, violations.reason)
    if task.score:
        yield from _scored(readings.get("score"), last)
    if judged := readings.get(RUBRIC):
        reason = f"{judged.value} of {RUBRIC_TIMES} answers of the judge say that it is met: {judged.note}"
        yield hit(RUBRIC, 2 * judged.value > RUBRIC_TIMES, reason)


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


def _violations(reading: Reading | None) -> Metric:
    """The number of rules that the last page violates, each with its impact, the number of elements and axe's words."""
    if reading is None or reading.value is None:
        return Metric(value=None, reason=reading.note if reading else "the episode ended before its page was checked")
    rules = [
        f"{rule['rule']} ({rule['impact']}, {rule['elements']} element{'s' if rule['elements'] != 1 else ''}): "
        f"{rule['help']}"
        for rule in reading.value
    ]
    return Metric(value=len(rules), reason=f"{'; '.join(rules) or 'none'} [{reading.note}]")


def _agreement(reading: Reading) -> Metric:
    most = max(reading.value, RUBRIC_TIMES - reading.value)
    return share(most, RUBRIC_TIMES, "answers of the judge agree", "the judge was not asked")


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
    trail = [
        frozenset(fact.id for fact in task.facts if placed(step.observation.url, "", fact.paths)) for step in steps
    ]
    pages = shown_pages(steps, trail)
    citations = Citations(final, pages) if final and task.decision else None
    results = []
    for stated in task.facts:
        fact = Fact(id=stated.id, says=stated.says, shown=stated.shown, said=stated.said, pages=(stated.id,))
        given = ""
        if citations is not None:
            given = f"cited by piece {piece}" if (piece := citations.given_by(fact)) else ""
        elif final is not None and find((*fact.shown, *fact.said), final.justification, NOW):
            given = "in the answer"
        shown = delivered(fact, pages)
        said = first_said(fact, steps) or (steps[-1].number if given and shown is not None else None)
        results.append(fact_result(fact, shown, said, given))
    return tuple(results)


def _evidence(task: AppTask, facts: Sequence[FactResult]) -> Mapping[str, Metric]:
    missing = "; ".join(fact.says for fact in facts if not fact.counted)
    reason = f"not given once shown: {missing}" if missing else "all evidence was given"
    return {
        **evidence_metrics(facts, {fact.id: ", ".join(fact.paths) or "any page" for fact in task.facts}),
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


def _page_errors(steps: Sequence[Step]) -> Mapping[str, Metric]:
    """The measures of an episode."""
    errors = [error for step in steps for error in step.page_errors]
    lines = {
        "server_errors": [line for step in steps for line in _server_errors(step)],
        "failed_requests": [error.text for error in errors if error.kind == "request"],
        "console_errors": [error.text for error in errors if error.kind != "request"],
    }
    return {name: Metric(value=len(texts), reason=texts[0] if texts else "none") for name, texts in lines.items()}


def _server_errors(step: Step) -> list[str]:
    answered = (request for request in step.requests if request.status >= SERVER_ERROR)
    return [f"{request.method} {request.url} was answered with {request.status}" for request in answered]
