"""Closing: a session prints at most one line for each case, and the summary last."""

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done


def test_failed_subtests_are_counted_but_not_printed(real: tuple[Run, Done]) -> None:
    out = real[1].out
    assert "1 failed" in out  # of the cases
    assert out.strip().splitlines()[-1].strip("= ").startswith("4 failed, ")  # with its three missed funnel stages
    assert "includes 3 missed key steps or funnel stages" in out
    assert "SUBFAILED" not in out
    assert "FAILURES" not in out
    assert "AssertionError" not in out


def test_the_summary_is_last_with_sentence_trace_and_addresses(real: tuple[Run, Done]) -> None:
    run, done = real
    last = done.out.partition("= Longtrail =")[2]
    assert "right was APPROVE" in last
    assert f"{run.traces / 'pw-025-raw-r0.html'}#step-" in last
    assert f"run:         {run.folder}" in last
    assert "report:      " in last
    assert "leaderboard: " in last
    assert "====" not in last.strip().splitlines()[-2]
