"""Retrieval: did the agent return to the task's own site after the noise, and did its summaries lead there?"""

from collections.abc import Sequence

from longtrail.checks.hosts import same_site
from longtrail.checks.visits import visits
from longtrail.clock import NOW
from longtrail.records.case import LONG
from longtrail.records.result import Metric
from longtrail.records.trajectory import Step, Trajectory
from longtrail.scoring.measure import conditional, label, mean
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import find

MEASURES = (
    label(
        "retrieval",
        LONG,
        "`TS_RS`, `TF_RS`, `TF_RF`: did the task (T) and the retrieval (R) succeed (S) or fail (F)? Success "
        "without retrieval is impossible. Undefined without noise",
        "LC 4",
        labels=("TS_RS", "TF_RS", "TF_RF"),
    ),
    conditional(
        "retrieved", LONG, "1 if a document of the task's own registrable domain was loaded after the noise", "LC 4"
    ),
    mean(
        "needle_depth",
        LONG,
        "tokens of noise before the first part / tokens of the history; 0 in the paper's setting. Undefined if "
        "nothing was injected",
    ),
    conditional(
        "summary_relevant",
        LONG,
        "summaries that contain everything the second part needs from the first / summaries (iRAG)",
        "LC 5",
    ),
    conditional(
        "summary_used",
        LONG,
        "summaries after which the action led to, or stayed on, the task's domain / summaries",
        "LC 5",
    ),
    conditional("summary_relevant_used", LONG, "share of summaries that were relevant and used", "LC 5"),
    conditional("summary_relevant_unused", LONG, "share that were relevant and not used", "LC 5"),
    conditional("summary_irrelevant_used", LONG, "share that were irrelevant, yet the site was found", "LC 5"),
    conditional("summary_irrelevant_unused", LONG, "share that were irrelevant, and the site was not found", "LC 5"),
    mean(
        "summary_tokens",
        LONG,
        "prompt and answer tokens of the calls that made summaries / summaries",
        high=None,
    ),
)


def retrieval_metrics(task: LongContextTask, trajectory: Trajectory, *, success: bool) -> dict[str, Metric]:
    """The measures of the return to the site, the first part's place in the noise, and the summaries."""
    return {
        **_retrieval(task, trajectory, success),
        "needle_depth": _depth(trajectory),
        **_summaries(task, trajectory),
    }


def _retrieval(task: LongContextTask, trajectory: Trajectory, success: bool) -> dict[str, Metric]:
    if not trajectory.case.noise_tokens:
        undefined = Metric(value=None, reason="nothing was injected")
        return {"retrieval": undefined, "retrieved": undefined}
    back = returned(trajectory.phase("a2"), task.host)
    reason = f"{back[1]} was loaded at step {back[0]}" if back else f"no page of {task.host} was loaded after the noise"
    return {
        "retrieval": Metric(value=quadrant(success, back is not None), reason=reason),
        "retrieved": Metric(value=back is not None, reason=reason),
    }


def returned(steps: Sequence[Step], host: str) -> tuple[int, str] | None:
    """(step number, address) of the first document of the task's own domain after the noise, or None."""
    return next(((step.number, url) for step in steps for url in visits(step) if same_site(url, host)), None)


def quadrant(success: bool, retrieved: bool) -> str:
    """`TS_RS`, `TF_RS` or `TF_RF`: task success x retrieval success (long-context paper, section 4).

    Raises ValueError for success without retrieval: the browser is on another site after the noise, so that is
    impossible.
    """
    if success and not retrieved:
        raise ValueError("TS_RF: the task was done, yet no page of its site was loaded after the noise")
    return f"T{'S' if success else 'F'}_R{'S' if retrieved else 'F'}"


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
    relevant = [all(find(fact.said, step.summary, NOW) for fact in task.carry) for step in made]
    used = [same_site(step.outcome.url, task.host) for step in made]
    pairs = list(zip(relevant, used, strict=True))
    counts = {
        "relevant": sum(relevant),
        "used": sum(used),
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
