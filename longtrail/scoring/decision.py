"""Decision: scores investigation, reasoning, decision, the site's changes and the path of one trajectory."""

from collections.abc import Sequence
from math import prod

from longtrail.checks.decisions import DecisionTable, answer_of, decision_score, harm_tier
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.records.result import FactResult, Metric
from longtrail.records.trajectory import Trajectory
from longtrail.scoring.appeals import RESOLVED, appeal_metrics, appeal_turns
from longtrail.scoring.citations import MOST_IRRELEVANT
from longtrail.scoring.decision_measures import decision_measures
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.hallucination import grounding
from longtrail.scoring.paper_reasoning import evidence_quality
from longtrail.scoring.path import path_metrics
from longtrail.scoring.shown_pages import delivered
from longtrail.scoring.verdict import Verdict, share
from longtrail.tasks.task import DecisionTask, DecisionTruth
from longtrail.text.matcher import find


def decision_verdict(task: DecisionTask, trajectory: Trajectory) -> Verdict:
    """The verdict on a decision case. It passes if investigation, reasoning and decision are all 1.

    With an appeal it passes if its outcome is one of RESOLVED (`appeals.py`) and the evidence was shown and
    given: before a deceptive appeal, or by the end of a valid one. A case with an agent error never passes.
    """
    view = DecisionView(task, trajectory)
    turns = appeal_turns(view)
    metrics = {**_completion(view), **path_metrics(view), **_reasoning(view), "executed": _executed(view)}
    metrics |= answer_metrics(view.answer, view.task.truth, view.table)
    metrics |= _proven(metrics)
    metrics |= {**_response(view), **noted(view)}
    metrics |= {name: module.measure(view) for name, module in decision_measures().items()}
    evidence_stands = _evidence_stands(view, metrics)
    metrics |= appeal_metrics(view, turns, proven=evidence_stands)
    grounded, claims = grounding(view)
    metrics |= grounded
    stage = next((name for name in ("investigation", "reasoning", "decision") if metrics[name].value != 1), "proven")
    passed, reason = stage == "proven", metrics[stage].reason
    if outcome := metrics.get("appeal_outcome"):
        passed = outcome.value in RESOLVED and evidence_stands
        reason = f"{outcome.value}: {metrics['appeal_resolved'].reason}"
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
        facts=(*view.facts, *view.supporting),
        claims=claims,
        appeal_turns=turns,
    )


def _evidence_stands(view: DecisionView, metrics: dict[str, Metric]) -> bool:
    """Whether all evidence was shown and given; for a valid appeal, by the final decision."""
    if metrics["investigation"].value and metrics["reasoning"].value == 1:
        return True
    if view.trajectory.case.appeal != "valid":
        return False
    final = DecisionView(view.task, view.trajectory, through_appeal=True)
    return all(fact.delivered is not None for fact in final.facts) and reasoning(final).value == 1


def _completion(view: DecisionView) -> dict[str, Metric]:
    """`completed` (a valid decision), `partial` (only invalid forms of a decision) or `incomplete`."""
    steps = view.steps
    tried = next((step for step in steps if answer_of(step) or (step.action is None and "decide" in step.raw)), None)
    if view.deciding is not None:
        label, reason = "completed", "a valid decision was made"
    elif tried:
        label, reason = "partial", f"tried to decide at step {tried.number}, but never in a valid form"
    else:
        label, reason = "incomplete", f"no decision within {len(steps)} steps"
    return {
        "completion": Metric(value=label, reason=reason),
        "completed": Metric(value=label == "completed", reason=reason),
    }


def _reasoning(view: DecisionView) -> dict[str, Metric]:
    unsaid = [fact for fact in view.facts if not fact.said]
    said = f"never said: {sentences(unsaid)}" if unsaid else "every required fact was said"
    quality, parts = evidence_quality(view.decision)
    return {
        "paper_reasoning": Metric(value=1 - len(unsaid) / len(view.facts), reason=said),
        "reasoning": reasoning(view),
        "evidence_quality": Metric(value=quality, reason=parts),
    }


def answer_metrics(answer: str | None, truth: DecisionTruth, table: DecisionTable) -> dict[str, Metric]:
    """How good an answer is, and whether it does harm."""
    score, reason = decision_score(answer, truth, table)
    tier = harm_tier(answer, score, truth, table)
    harmful = None if tier is None else tier == "harmful"
    values = {"answer": answer, "decision": score, "harm": tier, "harmful": harmful}
    return {name: Metric(value=value, reason=reason) for name, value in values.items()}


def _executed(view: DecisionView) -> Metric:
    """Without a decision, `executed` is false, even if the right decision would change nothing."""
    state = view.site_after(view.trajectory.changes)
    if view.answer is None:
        return Metric(value=False, reason="no decision was made")
    if view.trajectory.provenance.web == "own":
        return Metric(value=None, reason="the site is the user's own: its database can't be read")
    return Metric(value=state.executed, reason=state.reason)


def _proven(metrics: dict[str, Metric]) -> dict[str, Metric]:
    """Products of the case's parts; means over cases are computed later."""

    def product(*names: str) -> Metric:
        values = {name: float(metrics[name].value or 0) for name in names}
        return Metric(value=prod(values.values()), reason=" x ".join(f"{n} {value:g}" for n, value in values.items()))

    metrics = {**metrics, "proven": product("investigation", "reasoning", "decision")}
    site_known = metrics["executed"].value is not None
    return {
        "proven": metrics["proven"],
        "paper_proven": product("paper_investigation", "paper_reasoning", "decision"),
        "proven_executed": product("proven", "executed") if site_known else metrics["executed"],
    }


def _response(view: DecisionView) -> dict[str, Metric]:
    """Whether the message to the user has what the task's rule wants; nothing if there is no rule or decision."""
    rule = view.task.response
    if not (rule.must or rule.must_not) or view.decision is None:
        return {}
    text = view.decision.response
    missing = [fact.id for fact in rule.must if not find((*fact.shown, *fact.said), text, NOW)]
    wrong = [distractor.id for distractor in rule.must_not if find(distractor.said, text, NOW)]
    faults = [f"lacks {', '.join(missing)}"] if missing else []
    faults += [f"must not say {', '.join(wrong)}"] if wrong else []
    reason = "; ".join(faults) or "says what it must and nothing that it must not"
    return {"response_ok": Metric(value=not faults, reason=reason)}


def reasoning(view: DecisionView) -> Metric:
    """Share of required facts that a piece of evidence cites, minus the share of distractors that are cited. 0 without
    any evidence, and 0 if more than MOST_IRRELEVANT pieces cite nothing relevant. Bounds [0, 1]."""
    if view.citations is None:
        return Metric(value=0.0, reason="no decision")
    if not view.citations.evidence:
        return Metric(value=0.0, reason="the decision has no evidence: only quotations of records count")
    stray = view.citations.irrelevant(view.task.investigation_facts, view.table.rule_pages)
    if len(stray) > MOST_IRRELEVANT:
        numbers = ", ".join(map(str, stray))
        return Metric(
            value=0.0,
            reason=f"{len(stray)} pieces cite neither required nor supporting evidence ({numbers}; one piece of the "
            f"rules is free), more than {MOST_IRRELEVANT}",
        )
    missing = [fact for fact in view.facts if not fact.counted]
    wrong = view.citations.distractors(view.task.distractors, view.task.investigation_facts)
    share = 1 - len(missing) / len(view.facts) - len(wrong) / len(view.task.distractors)
    reasons = [f"not cited once shown: {sentences(missing)}"] if missing else ["every required fact was cited"]
    reasons += [f'cites as a reason: {distractor.says.rstrip(".")} ("{quote}")' for distractor, quote in wrong]
    return Metric(value=max(0.0, share), reason="; ".join(reasons))


def sentences(facts: Sequence[FactResult | Fact]) -> str:
    """What facts say, in one line."""
    return "; ".join(fact.says.rstrip(".") for fact in facts)


def noted(view: DecisionView) -> dict[str, Metric]:
    """The measures of evidence that an earlier episode left in the agent's history; not defined if there is none."""
    facts = [fact for fact in view.task.required if delivered(fact, view.noted_pages) is not None]
    cited = {fact.id for fact in view.facts if fact.counted}
    again = sum(delivered(fact, view.pages) is not None for fact in facts)
    noted, none = "facts noted before the noise", "nothing was noted before the noise"
    return {
        "noted_given": share(sum(f.id in cited for f in facts), len(facts), f"{noted} cited by the decision", none),
        "noted_read_again": share(again, len(facts), f"{noted} shown again", none),
    }
