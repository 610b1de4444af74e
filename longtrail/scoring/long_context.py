"""Long context: key steps, answers, error category and retrieval of one trajectory (long-context paper, section 4)."""

from collections.abc import Collection, Sequence

from longtrail.checks.answers import Answer, missing
from longtrail.checks.hosts import same_site
from longtrail.checks.key_steps import Hit, evaluate
from longtrail.checks.result_steps import StateStep
from longtrail.checks.visits import visits
from longtrail.clock import NOW
from longtrail.records.action import Finish
from longtrail.records.result import KeyStepResult, Metric
from longtrail.records.trajectory import End, Phase, Step, Trajectory
from longtrail.scoring.verdict import Verdict, share
from longtrail.tasks.task import LongContextTask, Subtask
from longtrail.text.matcher import find


def long_context_verdict(task: LongContextTask, trajectory: Trajectory) -> Verdict:
    """The verdict on a long-context case. It passes if all key steps of both parts were hit and there was no agent
    error."""
    first = _hits(task.a1, trajectory, "a1")
    second = _hits(task.a2, trajectory, "a2")
    parts = (
        (first, trajectory.phase("a1"), trajectory.end("a1")),
        (second, trajectory.phase("a2"), trajectory.end("a2")),
    )
    category, reason = error_category(parts)
    done = tuple(all_hit(hits) and (end is None or end.reason != "agent_error") for hits, _, end in parts)
    metrics = {
        "success": Metric(value=all(done), reason=reason),
        "success_a1": Metric(value=done[0], reason=summary(first)),
        "success_a2": Metric(value=done[1], reason=summary(second)),
        "success_given_a1": Metric(
            value=done[1] if done[0] else None, reason=summary(second) if done[0] else "the first part was not done"
        ),
        "key_step_rate": Metric(value=key_step_rate([*first, *second]), reason=summary([*first, *second])),
        "paper_success": _on_route(task, trajectory),
        "error_category": Metric(value=category, reason=reason),
        "answered": answered(task, trajectory),
        "steps_over_reference": steps_ratio(
            len(trajectory.phase("a1", "a2")), len(task.a1.reference) + len(task.a2.reference)
        ),
        **retrieval_metrics(task, trajectory, success=all(done)),
    }
    return Verdict(
        passed=all(done),
        reason=reason,
        category=category,
        stage="a2" if done[0] else "a1",
        metrics=metrics,
        key_steps=(*key_step_results(first, "a1"), *key_step_results(second, "a2")),
    )


def _hits(part: Subtask, trajectory: Trajectory, phase: Phase) -> tuple[Hit, ...]:
    """Live sites don't report their lists and state, so the annotated route counts there."""
    key_steps = part.route if trajectory.provenance.web == "live" else part.key_steps
    return evaluate(key_steps, trajectory.phase(phase), trajectory.changes, ordered=part.ordered)


def _on_route(task: LongContextTask, trajectory: Trajectory) -> Metric:
    """Whether all URL and element rules of the annotated route were hit. None is optional, except an address that what
    was saved or put into the cart proves: the list may have been narrowed another way."""
    parts: tuple[tuple[Phase, Subtask], ...] = (("a1", task.a1), ("a2", task.a2))
    hits: list[Hit] = []
    for phase, part in parts:
        states = {key.name for key in part.key_steps if isinstance(key, StateStep)}
        keys = [
            key.model_copy(update={"proved_by": ""}) if getattr(key, "proved_by", "") not in states | {""} else key
            for key in part.route
        ]
        hits += evaluate(keys, trajectory.phase(phase), ordered=part.ordered)
    return Metric(value=all_hit(hits), reason=summary(hits))


def summary(hits: Sequence[Hit]) -> str:
    """How many key steps were hit, and which were not."""
    missed = [hit.name for hit in hits if hit.step is None]
    count = f"{len(hits) - len(missed)} of {len(hits)} key steps"
    return f"{count}; missing: {', '.join(missed)}" if missed else count


def key_step_results(hits: Sequence[Hit], phase: Phase) -> tuple[KeyStepResult, ...]:
    """Key steps as a result lists them."""
    return tuple(
        KeyStepResult(name=hit.name, phase=phase, hit=hit.step is not None, step=hit.step, reason=hit.reason)
        for hit in hits
    )


def all_hit(hits: Sequence[Hit]) -> bool:
    """Whether all key steps were hit."""
    return all(hit.step is not None for hit in hits)


def key_step_rate(hits: Sequence[Hit]) -> float:
    """Key steps hit / all key steps. Bounds [0, 1]."""
    return sum(hit.step is not None for hit in hits) / len(hits)


def steps_ratio(taken: int, annotated: int) -> Metric:
    """Steps taken / annotated steps. Bounds [0, inf)."""
    return Metric(value=taken / annotated, reason=f"{taken} steps taken, {annotated} annotated")


def answered(task: LongContextTask, trajectory: Trajectory) -> Metric:
    """Whether every part that asks for something was answered. Not defined if nothing is asked, or if the harness
    ended each such part at its last key step, before the agent could answer. Reported only. Bounds: false, true."""
    asking: list[tuple[Phase, Subtask]] = [("a1", task.a1), ("a2", task.a2)]
    asking = [(phase, part) for phase, part in asking if part.asks]
    if not asking:
        return Metric(value=None, reason="nothing is asked")
    ends = {end.phase: end.reason for end in trajectory.ends}
    due = [(phase, part) for phase, part in asking if ends.get(phase) != "all_key_steps"]
    if not due:
        return Metric(value=None, reason="the part was ended at its last key step, before an answer was due")
    answers = [_answer(trajectory, phase, part.asks) for phase, part in due]
    return Metric(value=all(good for good, _ in answers), reason="; ".join(reason for _, reason in answers))


def _answer(trajectory: Trajectory, phase: Phase, answers: tuple[Answer, ...]) -> tuple[bool, str]:
    actions = [step.action for step in trajectory.phase(phase)]
    answer = next((action.answer for action in reversed(actions) if isinstance(action, Finish)), "")
    if not answer.strip():
        return False, f"{phase}: no answer was given"
    if lacking := missing(answers, answer):
        return False, f"{phase}: not in the answer: {' '.join(lacking)}"
    return True, f"{phase}: answered: {' '.join(each.says for each in answers)}"


def error_category(parts: Sequence[tuple[Sequence[Hit], Sequence[Step], End | None]]) -> tuple[str, str]:
    """The category (see `measures.yaml`) and the reason. `parts`: hits, steps and end of each part in order. The first
    part with a missing key step, or that an agent error ended, decides.
    """
    for hits, steps, end in parts:
        missing = [hit.name for hit in hits if hit.step is None]
        if missing or (end is not None and end.reason == "agent_error"):
            return _why(missing, hits, steps, end)
    return "success", "all key steps were hit"


def _why(missing: Sequence[str], hits: Sequence[Hit], steps: Sequence[Step], end: End | None) -> tuple[str, str]:
    lacking = f"{', '.join(missing)} missing" if missing else "all key steps were hit"
    if end is None:
        return "other", f"the part was never played; {lacking}"
    if end.reason in ("finish", "decide"):
        return "false_end", f"the agent finished; {lacking}"
    if end.reason == "step_limit":
        malformed = sum(step.malformed for step in steps)
        if steps and 2 * malformed >= len(steps):
            return "no_valid_action", f"{malformed} of {len(steps)} answers had no valid action; {lacking}"
        again = loop([signature(step) for step in steps], {hit.step for hit in hits if hit.step is not None})
        return ("loop", f"{again}; {lacking}") if again else ("inefficient_progress", f"at the step limit, {lacking}")
    return "other", f"{end.reason}{': ' + end.detail if end.detail else ''}; {lacking}"


Signature = tuple[str, ...]


def signature(step: Step) -> Signature:
    """What a step did, and where: the action, its target (the element's role and name, or the address), the words that
    it gave, the page's address, and a hash of its text. Malformed actions on the same page are equal."""
    action, element = step.action, step.outcome.target
    kind = action.type if action else "invalid"
    target = f"{element.role} {element.name}" if element else str(getattr(action, "url", getattr(action, "id", "")))
    inputs = (str(getattr(action, name, "")) for name in ("text", "option", "query", "direction", "answer", "decision"))
    page = step.observation.text_hash or step.observation.text
    return kind, target, "".join(inputs), step.observation.url, page


def loop(signatures: Sequence[Signature], new_hits: Collection[int] = ()) -> str:
    """Why a part that ended at its step limit is a loop, or an empty text.

    It is a loop if the last three or more signatures are equal, or the end is a cycle of period 2 or 3 with at least
    two complete repetitions, or at least half of the steps repeat an earlier signature and no key step was newly hit
    in the second half. `new_hits`: numbers (from 1) of the steps that hit a key step first.
    """
    count = len(signatures)
    if count >= 3 and len(set(signatures[-3:])) == 1:
        return "the last steps are all the same"
    for period in (2, 3):
        if count >= 2 * period and signatures[-2 * period : -period] == signatures[-period:]:
            return f"the last steps repeat a cycle of {period}"
    repeats = sum(signature in signatures[:index] for index, signature in enumerate(signatures))
    if count and 2 * repeats >= count and not any(2 * number > count for number in new_hits):
        return f"{repeats} of {count} steps repeat an earlier one, and nothing new was reached in the second half"
    return ""


def retrieval_metrics(task: LongContextTask, trajectory: Trajectory, *, success: bool) -> dict[str, Metric]:
    """The measures of the return to the site, the first part's place in the noise, and the summaries."""
    others = {"needle_depth": _depth(trajectory), **_summaries(task, trajectory)}
    if not trajectory.case.noise_tokens:
        undefined = Metric(value=None, reason="nothing was injected")
        return {"retrieval": undefined, "retrieved": undefined, **others}
    documents = ((step.number, url) for step in trajectory.phase("a2") for url in visits(step))
    back = next(((number, url) for number, url in documents if same_site(url, task.host)), None)
    reason = f"{back[1]} was loaded at step {back[0]}" if back else f"no page of {task.host} was loaded after the noise"
    quadrant = f"T{'S' if success else 'F'}_R{'S' if back else 'F'}"  # task x retrieval; TS_RF is no label: impossible
    return {
        "retrieval": Metric(value=quadrant, reason=reason),
        "retrieved": Metric(value=back is not None, reason=reason),
        **others,
    }


def _depth(trajectory: Trajectory) -> Metric:
    """The first part's position in the noise. Not defined if nothing was injected."""
    history = trajectory.history
    if history is None or not history.injected:
        return Metric(value=None, reason="nothing was injected")
    share = history.before / history.tokens
    return Metric(value=share, reason=f"{history.before} of {history.tokens} tokens come before it")


def _summaries(task: LongContextTask, trajectory: Trajectory) -> dict[str, Metric]:
    """Shares of the second part's summaries, relevant x used; empty if the agent makes none.

    Relevant: it contains everything that the second part needs from the first. Used: the action planned with it led
    to, or stayed on, the task's domain (long-context paper, section 5).
    """
    made = [step for step in trajectory.phase("a2") if step.summary]
    if not made:
        return {}
    pairs = [
        (all(find(fact.said, step.summary, NOW) for fact in task.carry), same_site(step.outcome.url, task.host))
        for step in made
    ]
    counts = {
        "relevant": sum(relevant for relevant, _ in pairs),
        "used": sum(used for _, used in pairs),
        "relevant_used": pairs.count((True, True)),
        "relevant_unused": pairs.count((True, False)),
        "irrelevant_used": pairs.count((False, True)),
        "irrelevant_unused": pairs.count((False, False)),
    }
    shares = {f"summary_{name}": share(number, len(made), "summaries", "") for name, number in counts.items()}
    usages = [step.summary_usage for step in made if step.summary_usage]
    if not usages:
        return shares
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)
    reason = f"{tokens} tokens for {len(usages)} summaries"
    return {**shares, "summary_tokens": Metric(value=tokens / len(usages), reason=reason)}
