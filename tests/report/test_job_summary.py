"""FailureSummary failures: the first ones shown got far, are of different tasks, and are not a baseline's."""

from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Contender
from longtrail.report.job_summary import informative_failures
from tests.report.factory import SHOP, decisions


def failed(task: str, agent: str, share: float) -> Result:
    some = next(decisions("shopping_admin", SHOP[:1], 1))
    case = some.case.model_copy(update={"task": task, "id": f"{task}-{agent}-{share}".replace(".", "-")})
    metrics = {"evidence_share": Metric(value=share, reason="")}
    return some.model_copy(
        update={"case": case, "contender": Contender(agent=agent), "metrics": metrics, "outcome": "failed"}
    )


def test_different_tasks_come_first_and_baselines_last() -> None:
    given = [
        failed("a", "surface", 0.9),
        failed("a", "webagent", 0.2),
        failed("a", "webagent", 0.8),
        failed("b", "webagent", 0.1),
        failed("c", "surface", 0.7),
    ]
    told = [
        (failure.case.task, failure.contender.agent, failure.number("evidence_share"))
        for failure in informative_failures(given, 4)
    ]
    assert told == [("a", "webagent", 0.8), ("b", "webagent", 0.1), ("c", "surface", 0.7), ("a", "webagent", 0.2)]


def test_each_contender_of_one_task_is_told_of_before_one_is_again() -> None:
    given = [failed("a", "webagent", 0.9), failed("a", "webagent", 0.8), failed("a", "irag", 0.1)]
    told = [(failure.contender.agent, failure.number("evidence_share")) for failure in informative_failures(given, 2)]
    assert told == [("webagent", 0.9), ("irag", 0.1)]


def test_nothing_failed() -> None:
    assert informative_failures([]) == ()
