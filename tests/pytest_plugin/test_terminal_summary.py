"""Terminal summary and live line: what a terminal gets while cases are played, and what it never gets."""

import io
import os
import sys
from pathlib import Path

import pytest

from longtrail.errors import TroubleKind
from longtrail.pytest_plugin import live_line
from longtrail.pytest_plugin.live_line import LiveLine
from longtrail.pytest_plugin.terminal_summary import TerminalSummary
from longtrail.records.result import Result
from longtrail.records.trajectory import Trouble
from longtrail.report.progress import PROPERTY, CaseLine
from longtrail.report.terminal import resume_line
from longtrail.report.text import accept_all_characters
from longtrail.runs.manifest import new_manifest
from longtrail.runs.store import Run
from longtrail.runs.under_way import under_way
from tests.report.factory import LONG_TASKS, long_context

NODE = "benchmark_tests/test_pathways.py::test_funnel[case-1]"
EVIL = "red \x1b[31m title \x1b]0;owned\x07 back \x08\x08 \u202e"


def report(nodeid: str = NODE, text: str = EVIL, kind: type = pytest.TestReport) -> pytest.TestReport:
    line = CaseLine(id="case-1", suite="reddit", contender="x", outcome="failed", reason=text)
    return kind(  # type: ignore[no-any-return]
        nodeid, ("x", 1, "x"), {}, "failed", f"AssertionError: {text}", "call",
        sections=[("Captured stdout", text)], user_properties=[(PROPERTY, line.model_dump_json())],
    )  # fmt: skip


class SubtestReport(pytest.TestReport):
    """Replaces pytest's own class, whose instances only a fixture can make."""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made = Run.create(tmp_path / "runs" / "r", new_manifest("r", {}))
    made.close()
    return made


def test_no_report_of_a_case_brings_codes(run: Run) -> None:
    mine, other = report(), report("tests/test_mine.py::test_other")
    for each in (mine, other):
        TerminalSummary(run, [NODE]).pytest_runtest_logreport(each)
    for text in (str(mine.longrepr), mine.sections[0][1]):
        assert not {"\x1b", "\x07", "\x08", "\u202e"} & set(text)
    assert EVIL in str(other.longrepr), "tests of the project's own stay as they are"


def test_failed_subtests_count_and_only_their_letters_are_folded(run: Run) -> None:
    for quiet, letter in ((True, ""), (False, "u")):
        sub = report(kind=SubtestReport)
        summary = TerminalSummary(run, [NODE], quiet=quiet)
        summary.pytest_runtest_logreport(sub)
        assert (sub.when, sub.outcome) == ("call", "failed")
        status = summary.pytest_report_teststatus(sub)
        next(status)
        with pytest.raises(StopIteration) as shown:
            status.send(("failed", "u", "SUBFAILED"))
        assert shown.value.value == ("failed", letter, "SUBFAILED")


def test_the_live_line_is_redrawn_with_running_cases(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = os.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "__stdout__", terminal)
        monkeypatch.setenv("COLUMNS", "100")
        live = LiveLine(run.folder, {NODE: "case-1", NODE.replace("case-1", "case-2"): "case-2"}, 2)
        live.progress.total = 2
        live.pytest_runtest_logstart(NODE)
        live.pytest_runtest_logstart(NODE.replace("case-1", "case-2"))
        with under_way(run.folder, "case-2") as mark:
            mark.step(2)
            live.show()
        live.pytest_runtest_logreport(report())
        live.pytest_sessionfinish()
        shown = ""
        while shown.count("now case-") < 2:  # a read returns only what has arrived
            shown += os.read(master, 10_000).decode()
    os.close(master)
    first, second = [line for line in shown.split("\r\x1b[2K") if line]
    assert first == "0/2 · 0 passed · 0 failed · 0 invalid · now case-1, case-2 (step 2)"
    assert second.startswith("1/2 · 0 passed · 1 failed · 0 invalid")
    assert second.endswith("now case-2")


def test_the_live_line_is_printed_where_output_is_not_utf_8(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "__stdout__", io.TextIOWrapper(written, encoding="ascii"))
    accept_all_characters(sys.__stdout__)  # as the controller does
    live = LiveLine(run.folder, {NODE: "case-1"}, 1)
    live.begin(1)
    live.pytest_runtest_logreport(report())
    assert written.getvalue().decode("ascii").strip() == "1/1 ? 0 passed ? 1 failed ? 0 invalid"


def test_without_a_terminal_a_line_is_printed_while_no_case_ends(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_line, "REDRAWN", 0.01)
    monkeypatch.setattr(live_line, "SILENCE", 0.1)
    monkeypatch.setattr(live_line, "EVERY_SECONDS", 0.1)
    source, sink = os.pipe()
    with os.fdopen(sink, "w") as output:
        monkeypatch.setattr(sys, "__stdout__", output)
        live = LiveLine(run.folder, {NODE: "case-1"}, 1)
        live.begin(1)
        live.pytest_runtest_logstart(NODE)
        with open(os.devnull, "w") as captured:  # as pytest does while a test runs
            os.dup2(captured.fileno(), output.fileno())
        assert "0/1 · 0 passed" in os.read(source, 10_000).decode()
        live.pytest_sessionfinish()
        while os.read(source, 10_000):  # until nobody holds the other end
            continue
    os.close(source)


def test_what_fails_again_is_not_resumed() -> None:
    (result, *_) = long_context(1, LONG_TASKS[:1])

    def invalid(kind: TroubleKind) -> Result:
        trouble = Trouble(kind=kind, message="it did not fit")
        return result.model_copy(update={"outcome": "invalid", "trouble": trouble})

    overflow = invalid("llm_context_overflow")
    assert resume_line("mine", [overflow]).startswith("--resume=mine would fail again: the invalid cases need a model")
    assert "runs what is missing" in resume_line("mine", [overflow], missing=True)
    assert "runs what is missing" in resume_line("mine", [overflow, invalid("llm_server")])


def test_a_misconfigured_app_is_not_resumed() -> None:
    """Another configuration is another run."""
    (result, *_) = long_context(1, LONG_TASKS[:1])
    trouble = Trouble(kind="site_error", message="app: http://127.0.0.1:5000 did not answer")
    invalid = result.model_copy(update={"outcome": "invalid", "trouble": trouble})
    assert "--resume=mine" in resume_line("mine", [invalid])
    app = invalid.model_copy(update={"case": invalid.case.model_copy(update={"suite": "app"})})
    assert "--resume" not in resume_line("mine", [app])
    assert "--resume=mine" in resume_line("mine", [app, invalid])
