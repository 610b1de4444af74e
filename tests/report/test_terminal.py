"""Terminal: the table is aligned, and control codes in names are removed."""

from syrupy.assertion import SnapshotAssertion

from longtrail.records.result import CaseOutcome
from longtrail.records.trajectory import Contender
from longtrail.report.progress import CaseLine
from longtrail.report.terminal import leaderboard_table
from longtrail.statistics.aggregate import summarize
from tests.report.factory import CONTENDERS, runs
from tests.report.payloads import PAYLOADS
from tests.statistics.test_effects import results as crossed_results


def line(number: int, outcome: CaseOutcome, tokens: int = 30_000, usd: float | None = 0.25) -> CaseLine:
    return CaseLine(
        id=f"case-{number}", suite="reddit", contender="x", outcome=outcome, reason="", tokens=tokens, usd=usd
    )


def test_table_as_stored(snapshot: SnapshotAssertion) -> None:
    results = [result for run in runs()[1:] for result in run.results]
    assert leaderboard_table(summarize(results)) == snapshot


def test_lines_are_aligned() -> None:
    for table in leaderboard_table(summarize(runs()[1].results)).split("\n\n"):
        assert len({len(text) for text in table.splitlines()}) == 1


def test_no_rows_no_table() -> None:
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
