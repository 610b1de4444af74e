"""Terminal: the aligned table without control codes; the live line, which counts each case once, names what is being
played, and estimates the time left; and the failures that the summary tells of first."""

import random

import pytest
from syrupy.assertion import SnapshotAssertion

from longtrail.llm.call_book import CallState
from longtrail.llm.limits import CallLimits
from longtrail.records.result import CaseOutcome, Metric, Result
from longtrail.records.trajectory import Contender
from longtrail.report.job_summary import informative_failures
from longtrail.report.progress import PROPERTY, CaseLine, RunProgress, limits_line, progress_line, trace_href
from longtrail.report.terminal import leaderboard_table
from longtrail.statistics.aggregate import summarize
from tests.report.factory import CONTENDERS, SHOP, decisions, runs
from tests.report.made_episodes import lost_episode
from tests.report.payloads import PAYLOADS
from tests.statistics.test_effects import results as crossed_results


def test_table_as_stored(snapshot: SnapshotAssertion) -> None:
    results = [result for run in runs()[1:] for result in run.results]
    assert leaderboard_table(summarize(results)) == snapshot


def test_lines_are_aligned() -> None:
    for table in leaderboard_table(summarize(runs()[1].results)).split("\n\n"):
        assert len({len(text) for text in table.splitlines()}) == 1
    assert leaderboard_table(()) == ""


def test_names_bring_no_codes() -> None:
    results = [result for result in runs()[0].results if result.contender == CONTENDERS[0][0]][:8]
    hostile = [
        result.model_copy(update={"contender": Contender(agent="webagent", model=payload)})
        for payload in PAYLOADS
        for result in results
    ]
    table = leaderboard_table(summarize(hostile))
    assert all(character == "\n" or character.isprintable() for character in table)
    assert max(map(len, table.splitlines())) < 170


def test_crossed_cases_are_told_by_length_and_stage() -> None:
    shown = leaderboard_table(summarize(crossed_results()))
    assert "shopping admin crossed" in shown
    line = next(line for line in shown.splitlines() if "distraction" in line)
    assert line.split() == ["a", "distraction", "raw", "75.0", "20.0", "(i1", "d1)"]
    assert shown.count("in brackets, where cases that are proven at 0 are lost") == 1


def line(
    number: int, outcome: CaseOutcome = "passed", tokens: int = 30_000, usd: float | None = 0.25, seconds: float = 0.0
) -> CaseLine:
    return CaseLine(
        id=f"case-{number}",
        suite="reddit",
        contender="x",
        outcome=outcome,
        reason="",
        tokens=tokens,
        usd=usd,
        seconds=seconds,
    )


def test_outcomes_tokens_money_and_time_are_counted() -> None:
    progress = RunProgress(total=8)
    for number, outcome in enumerate(("passed", "failed", "invalid", "passed")):
        progress.add(line(number, outcome), 15.0 * (number + 1))
    shown = progress_line(progress, 60)
    assert shown == "4/8 · 2 passed · 1 failed · 1 invalid · 120k tokens · $1.00 · 1 min 00 s left"


def test_a_retry_replaces_and_an_unknown_price_is_never_zero() -> None:
    assert progress_line(RunProgress(total=12), 0) == "0/12 · 0 passed · 0 failed · 0 invalid"
    progress = RunProgress(total=1)
    progress.add(line(1, "invalid"))
    progress.add(line(1, "passed", tokens=0))
    assert progress_line(progress, 5) == "1/1 · 1 passed · 0 failed · 0 invalid"
    progress.add(line(2, "passed", usd=None))
    assert "cost unknown" in progress_line(progress, 5)


def test_running_cases_and_their_steps_stand_at_the_end() -> None:
    running = {f"case-{number}": number for number in range(6)}
    told = progress_line(RunProgress(total=12), 0, running).partition("now ")[2]
    assert told == "case-0, case-1 (step 1), case-2 (step 2), case-3 (step 3), 2 more"


def test_what_limits_is_told_before_what_is_running() -> None:
    state = CallState(requests=58, tokens=90_000, spent=1.5, waiting=3, slowed=(("gpt-4.1", 4, 12.2), ("o3", 1, 0.0)))
    told = limits_line(state, CallLimits(rpm=60, tpm=100_000, budget=20.0))
    assert told == (
        "58 of 60 requests and 90.0k of 100k tokens a minute, 3 wait · $1.50 of $20.00 · "
        "gpt-4.1: 4 calls at once (429), again in 12 s · o3: 1 call at once (429)"
    )
    assert limits_line(CallState(), CallLimits()) == ""
    shown = progress_line(RunProgress(total=2), 0, {"case-1": 0}, told)
    assert shown == f"0/2 · 0 passed · 0 failed · 0 invalid · {told} · now case-1"
    shown = progress_line(RunProgress(total=1), 0, dict.fromkeys(PAYLOADS, 1))
    assert not any(ord(character) < 32 or 0x7F <= ord(character) < 0xA0 for character in shown)


@pytest.mark.parametrize(("workers", "cases"), [(1, 40), (2, 24), (4, 1_000), (16, 300)])
def test_the_time_left_is_never_off_by_three(workers: int, cases: int) -> None:
    """Workers need four seconds to start; their first case takes longer than all others."""
    luck, progress = random.Random(7), RunProgress(total=cases, workers=workers)
    free, ended = [4.0] * workers, []
    for number in range(cases):
        worker = free.index(min(free))
        taken = luck.uniform(0.7, 2.2) * (2 if number < workers else 1)
        free[worker] += taken
        ended.append((free[worker], taken))
    whole = max(free)
    for number, (end, taken) in enumerate(sorted(ended)[:-workers]):
        progress.add(line(number, seconds=taken), end)
        left = progress.time_left(end)
        assert left is not None
        assert (whole - end) / 3 < left + 1 < 3 * (whole - end) + 3


def test_a_result_in_one_line() -> None:
    trajectory, result = lost_episode()
    line = CaseLine.from_result(result)
    assert (line.id, line.outcome, line.stage, line.steps) == ("steam_dota_dlc-150k-r0", "failed", "a1", 7)
    assert line.contender == "webagent / openai/gpt-4.1"
    assert line.tokens == trajectory.usage.prompt_tokens + trajectory.usage.completion_tokens
    assert line.trace == "traces/steam_dota_dlc-150k-r0.html"
    assert CaseLine.from_result(result, "elsewhere.html").trace == "elsewhere.html"


def test_the_last_property_counts() -> None:
    line = CaseLine.from_result(lost_episode()[1])
    again = line.model_copy(update={"outcome": "passed"})
    properties = [("other", 1), (PROPERTY, line.model_dump_json()), (PROPERTY, again.model_dump_json())]
    assert CaseLine.of(properties) == again
    assert CaseLine.of([("other", "x")]) is None


def test_long_texts_are_cut() -> None:
    result = lost_episode()[1].model_copy(update={"reason": "x" * 10_000})
    assert len(CaseLine.from_result(result).model_dump_json()) < 1_500
    assert len(trace_href("a" * 400)) < 150
    assert trace_href("a" * 400) != trace_href("a" * 401)


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
    assert informative_failures([]) == ()
