"""Second opinion: the calls to the model of `--judge`, one for each decision."""

from collections.abc import Sequence
from dataclasses import dataclass

from longtrail.estimate.cases import PAGE_TOKENS, Total, planned_steps, usd
from longtrail.estimate.meter import THINKING, CountedUsage
from longtrail.llm.models import facts, usd_per_token
from longtrail.options.run_options import Options
from longtrail.scoring.measure import DECISION
from longtrail.scoring.second_opinion import PAGE_TOKENS as ROOM
from longtrail.tasks.cases import Planned

QUESTION_TOKENS = 1_900
"""The instructions, the task and the claims: a mean over the reference decisions."""
VERDICT_TOKENS = 500
"""A short sentence for each of some twelve claims."""


@dataclass(frozen=True)
class JudgeEstimate:
    """The expected usage of the judge's calls."""

    model: str
    total: Total
    usd: float | None


def judge_estimate(cases: Sequence[Planned], options: Options) -> JudgeEstimate | None:
    """The judge's part of a run; None without a judge or a decision to judge."""
    decisions = [case for case in cases if case.case.suite in DECISION]
    if not options.judge or not decisions:
        return None
    known = facts(options.judge)
    answer = VERDICT_TOKENS + (THINKING if known.thinks else 0)
    total = Total(cases=len(decisions))
    for case in decisions:
        pages = min(ROOM, planned_steps(case) * PAGE_TOKENS[case.case.suite])
        total.spent += CountedUsage(calls=1, uncached_tokens=QUESTION_TOKENS + pages, answer_tokens=answer)
    return JudgeEstimate(options.judge, total, usd(total.spent, known, usd_per_token(known, options.judge_args)))
