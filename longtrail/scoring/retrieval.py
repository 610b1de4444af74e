"""Retrieval: did the agent return to the task's own site after the noise, and did its summaries lead there?"""

from longtrail.checks.hosts import same_site
from longtrail.checks.visits import visits
from longtrail.clock import NOW
from longtrail.records.result import Metric
from longtrail.records.trajectory import Trajectory
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import find


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
    shares = {
        f"summary_{name}": Metric(value=number / len(made), reason=f"{number} of {len(made)} summaries")
        for name, number in counts.items()
    }
    usages = [step.summary_usage for step in made if step.summary_usage]
    if not usages:
        return shares
    tokens = sum(usage.prompt_tokens + usage.completion_tokens for usage in usages)
    reason = f"{tokens} tokens for {len(usages)} summaries"
    return {**shares, "summary_tokens": Metric(value=tokens / len(usages), reason=reason)}
