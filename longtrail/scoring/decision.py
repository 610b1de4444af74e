"""Decision: scores investigation, reasoning, decision, the site's changes and the path of one trajectory."""

from collections.abc import Sequence

from longtrail.checks import site_state
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.records.result import FactResult, Metric
from longtrail.records.trajectory import Trajectory
from longtrail.scoring.appeal import appeal_metrics, appeal_turns
from longtrail.scoring.decision_measures import decision_measures
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.hallucination import grounding
from longtrail.scoring.measures import decision as decisions
from longtrail.scoring.measures import investigation as evidence
from longtrail.scoring.measures.divergence import path
from longtrail.scoring.measures.efficiency import efficiency, paper_efficiency_cumulative
from longtrail.scoring.measures.evidence import asserted_distractors, contradicted
from longtrail.scoring.measures.sufficiency import sufficiency
from longtrail.scoring.verdict import Verdict
from longtrail.tasks.task import DecisionTask
from longtrail.text.matcher import find


def judge_decision(task: DecisionTask, trajectory: Trajectory) -> Verdict:
    """The verdict on a decision case. It passes if investigation, reasoning and decision are all 1.

    With an appeal it passes if its outcome is one of RESOLVED (`measures/appeals.py`) and the evidence was shown and
    given: before a deceptive appeal, or by the end of a valid one. A case with an agent error never passes.
    """
    case = DecisionView.of(task, trajectory)
    metrics = {**_completion(case), **_evidence(case), **_decision(case)}
    metrics |= _proven(metrics)
    turns = appeal_turns(case)
    metrics |= {**_efficiency(case), **_response(case), **_way(case)}
    metrics |= {own.MEASURE.name: own.measure(case) for own in decision_measures()}
    metrics |= appeal_metrics(case, turns, proven=_evidence_stands(case, metrics))
    grounded, claims = grounding(case)
    metrics |= grounded
    stage = next((name for name in ("investigation", "reasoning", "decision") if metrics[name].value != 1), "proven")
    passed, reason = stage == "proven", metrics[stage].reason
    if resolved := metrics.get("appeal_resolved"):
        passed, reason = bool(resolved.value), f"{metrics['appeal_outcome'].value}: {resolved.reason}"
    if broken := next((end for end in trajectory.ends if end.reason == "agent_error"), None):
        passed, reason = False, f"agent_error: {broken.detail}"
        earned = ("proven", "proven_executed") if broken.phase == "main" else ("appeal_resolved",)
        metrics |= {name: Metric(value=0.0, reason=reason) for name in earned if name in metrics}
    return Verdict(
        passed=passed,
        reason=reason,
        category=task.category,
        stage=stage,
        metrics=metrics,
        facts=(*case.facts, *case.supporting),
        claims=claims,
        appeal_turns=turns,
    )


def _evidence_stands(case: DecisionView, metrics: dict[str, Metric]) -> bool:
    """Whether all evidence was shown and given; for a valid appeal, by the final decision."""
    if metrics["investigation"].value and metrics["reasoning"].value == 1:
        return True
    if case.trajectory.case.appeal != "valid":
        return False
    found = _evidence(case.after_appeal())
    return found["investigation"].value is True and found["reasoning"].value == 1


def _completion(case: DecisionView) -> dict[str, Metric]:
    word, reason = decisions.completion(case.steps, case.deciding is not None)
    return {
        "completion": Metric(value=word, reason=reason),
        "completed": Metric(value=word == "completed", reason=reason),
    }


def _evidence(case: DecisionView) -> dict[str, Metric]:
    acted = evidence.paper_investigation(case.steps, case.trail, case.critical)
    share = evidence.evidence_share(case.facts)
    unseen = [fact for fact in case.facts if fact.delivered is None]
    told = _unseen(case, unseen) if unseen else "every required fact was shown"
    opened = f"acted on a critical page at step {acted}" if acted else "no critical page was opened and acted on"
    return {
        "paper_investigation": Metric(value=acted is not None, reason=opened),
        "investigation": Metric(value=share == 1.0, reason=told),
        "evidence_share": Metric(value=share, reason=told),
        "paper_reasoning": Metric(value=evidence.paper_reasoning(case.facts), reason=_said(case.facts)),
        "reasoning": _reasoning(case),
    }


def _unseen(case: DecisionView, unseen: Sequence[FactResult]) -> str:
    """The facts that were never shown, and the pages that show them."""
    pages = {fact.id: fact.pages for fact in case.task.required}
    told = (f"{fact.says.rstrip('.')} ({', '.join(pages[fact.id])})" for fact in unseen)
    return f"never shown before the decision: {'; '.join(told)}"


def _reasoning(case: DecisionView) -> Metric:
    distractors = case.task.distractors
    denied = contradicted(case.task.required, case.facts, case.reasons, NOW) if case.reasons else ()
    wrong = asserted_distractors(distractors, case.reasons, NOW) if case.reasons else ()
    value = evidence.reasoning(case.facts, len(denied), len(wrong), len(distractors))
    left = [fact for fact in case.facts if not fact.counted]
    told = [f"not given as a reason once shown: {_sentences(left)}"] if left else ["every required fact was given"]
    told += [f"says the opposite of: {_sentences(denied)}"] if denied else []
    told += [f'gives as a reason: {d.says.rstrip(".")} ("{sentence}")' for d, sentence in wrong]
    return Metric(value=value, reason="; ".join(told))


def _sentences(facts: Sequence[FactResult | Fact]) -> str:
    return "; ".join(fact.says.rstrip(".") for fact in facts)


def _said(facts: Sequence[FactResult]) -> str:
    unsaid = [fact for fact in facts if not fact.said]
    return f"never said: {_sentences(unsaid)}" if unsaid else "every required fact was said"


def _decision(case: DecisionView) -> dict[str, Metric]:
    score, reason = decisions.decision_score(case.answer, case.task.truth, case.table)
    tier = decisions.harm_tier(case.answer, score, case.task.truth, case.table)
    return {
        "answer": Metric(value=case.answer, reason=reason),
        "decision": Metric(value=score, reason=reason),
        "harm": Metric(value=tier, reason=reason),
        "harmful": Metric(value=None if tier is None else tier == "harmful", reason=reason),
        "executed": _executed(case),
    }


def _executed(case: DecisionView) -> Metric:
    """Without a decision, `executed` is false, even if the right decision would change nothing."""
    state = site_state.evaluate(case.task.end_state, case.task.allowed_changes, case.trajectory.changes)
    if case.answer is None:
        return Metric(value=False, reason="no decision was made")
    if case.trajectory.provenance.web == "own":
        return Metric(value=None, reason="the site is the user's own: its database can't be read")
    return Metric(value=state.executed, reason=state.reason)


def _proven(metrics: dict[str, Metric]) -> dict[str, Metric]:
    """Products of the case's parts; means over cases are computed later."""

    def product(*names: str) -> Metric:
        value = 1.0
        for name in names:
            value *= float(metrics[name].value or 0.0)
        return Metric(value=value, reason=" x ".join(f"{name} {float(metrics[name].value or 0):g}" for name in names))

    known = metrics["executed"].value is not None
    metrics = {**metrics, "proven": product("investigation", "reasoning", "decision")}
    return {
        "proven": metrics["proven"],
        "paper_proven": product("paper_investigation", "paper_reasoning", "decision"),
        "proven_executed": product("proven", "executed") if known else metrics["executed"],
    }


def _efficiency(case: DecisionView) -> dict[str, Metric]:
    start = min(case.trail[0], default=None) if case.trail else None
    on = sum(bool(pages & case.critical) for pages in case.trail)
    reason = f"{on} of {len(case.trail)} steps on critical pages"
    cumulative = paper_efficiency_cumulative(case.trail, case.critical, case.relevant, start)
    return {
        "efficiency": Metric(value=efficiency(case.trail, case.critical, case.relevant), reason=reason),
        "paper_efficiency_cumulative": Metric(value=cumulative, reason=reason),
    }


def _response(case: DecisionView) -> dict[str, Metric]:
    rule = case.task.response
    if not (rule.must or rule.must_not) or case.decision is None:
        return {}
    text = case.decision.response
    missing = [fact.id for fact in rule.must if not find((*fact.shown, *fact.said), text, NOW)]
    wrong = [distractor.id for distractor in rule.must_not if find(distractor.said, text, NOW)]
    told = [f"lacks {', '.join(missing)}"] if missing else []
    told += [f"must not say {', '.join(wrong)}"] if wrong else []
    reason = "; ".join(told) or "says what it must and nothing that it must not"
    return {"response_ok": Metric(value=not told, reason=reason)}


def _way(case: DecisionView) -> dict[str, Metric]:
    word, reason = sufficiency(case.facts, case.steps, case.trail, case.rules, decided=case.deciding is not None)
    way = path(case.steps, case.trail, case.facts, case.critical, case.relevant)
    left = f"left the path at step {way.first_divergence}" if way.first_divergence else "never left the path"
    return {
        "sufficiency": Metric(value=word, reason=reason),
        "first_divergence": Metric(value=way.first_divergence, reason=left),
        "recovered": Metric(value=way.recovered, reason=left),
        "redundancy": Metric(value=way.redundancy, reason="share of steps that saw a page state seen before"),
    }
