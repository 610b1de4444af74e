"""Session: the columns and the summary in a real pytest-html report, escaped where pytest-html does not escape."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from longtrail.records.trajectory import Contender
from longtrail.report.progress import CaseLine
from longtrail.runs.manifest import new_manifest
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import run_pytest
from tests.report.factory import runs
from tests.report.watched import Watch

PLUGIN = """
from pathlib import Path
from longtrail.pytest_plugin.html_page import SessionReport
from longtrail.runs.store import Run
from longtrail.records.trajectory import Contender

def pytest_configure(config):
    run = Run.open(Path("run"))
    config.pluginmanager.register(SessionReport(run, [Contender(agent="oracle"), Contender(agent="nothing")]))
"""
CASES = """
import json
from pathlib import Path
import pytest

LINES = json.loads(Path("lines.json").read_text())

@pytest.mark.parametrize("name", sorted(LINES))
def test_case(name, record_property):
    record_property("longtrail", json.dumps(LINES[name]))
    assert LINES[name]["outcome"] == "passed", LINES[name]["reason"]

def test_no_case():
    pass
"""


def report(folder: Path, lines: dict[str, CaseLine], results: Any = (), *more: str) -> Path:
    """Run a tiny suite under pytest-html with the hooks registered; returns the report's file."""
    run = Run.create(folder / "run", new_manifest("run", {}))
    if results:
        run.write_results(results)
    run.close()
    (folder / "conftest.py").write_text(PLUGIN)
    (folder / "test_cases.py").write_text(CASES)
    (folder / "lines.json").write_text(json.dumps({name: line.model_dump() for name, line in lines.items()}))
    off = ("-p", "no:longtrail.pytest_plugin.plugin", "-p", "no:cacheprovider", "--rootdir", str(folder))
    run_pytest(*off, "--html=run/report.html", "--self-contained-html", *more, cwd=folder)
    return folder / "run" / "report.html"


def line(name: str, **more: Any) -> CaseLine:
    given: dict[str, Any] = {
        "id": name,
        "suite": "reddit",
        "contender": "webagent / gpt-4.1",
        "task": "pw-1",
        "agent": "webagent",
        "model": "gpt-4.1",
        "outcome": "passed",
        "reason": "all key steps",
        "stage": "a2",
        "steps": 6,
        "tokens": 9_000,
        "usd": 0.5,
        "trace": f"traces/{name}.html",
    }
    return CaseLine(**{**given, **more})


@pytest.mark.sampled(2, ci=1)
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "xdist"])
def test_columns_and_summary(tmp_path: Path, watch: Watch, workers: tuple[str, ...]) -> None:
    lines = {"one": line("one"), "two": line("two", outcome="failed", reason="loop", usd=None)}
    page = watch(report(tmp_path, lines, runs()[0].results, *workers)).page
    assert page.title() == "Longtrail run: oracle, nothing"
    heads = page.locator("#results-table-head th").all_inner_texts()
    columns = ["task", "agent", "model", "outcome", "stage", "steps", "tokens", "cost", "reason"]
    assert [h.lower() for h in heads[2:]] == [*columns, "duration"]
    one = page.locator("tr.collapsible", has=page.locator("a[href='traces/one.html']"))
    assert one.locator("td").all_inner_texts()[1:11] == [
        *("one", "pw-1", "webagent", "gpt-4.1", "passed", "second part", "6", "9000", "$0.50", "all key steps")
    ]
    two = page.locator("tr.collapsible", has=page.locator("a[href='traces/two.html']"))
    assert two.locator(".col-cost").inner_text() == "unknown"
    other = page.locator("tr", has_text="test_no_case").first
    assert other.locator("td").all_inner_texts()[2:11] == [""] * 9
    summary = page.locator("table.longtrail")
    assert "irag / openai/gpt-4.1" in summary.inner_text()
    assert page.locator("img[src^='data:']").count() == 0


def test_hostile_names_are_text(tmp_path: Path, watch: Watch) -> None:
    attack = '<img src=x onerror="window.ran=1;alert(1)"><script>window.ran=1</script>'
    texts = dict.fromkeys(("contender", "task", "agent", "model", "stage", "reason"), attack)
    hostile = line("x", **texts, trace="javascript:window.ran=1")
    results = [
        result.model_copy(update={"contender": Contender(agent="webagent", model=attack)})
        for result in runs()[0].results[:8]
    ]
    seen = watch(report(tmp_path, {attack: hostile, "z": hostile}, results))
    assert not seen.ran
    assert [misdeed for misdeed in seen.misdeeds if "evil" in misdeed or "dialog" in misdeed] == []
    row = seen.page.locator("tr.collapsible", has_text="javascript:window.ran=1").first
    assert row.locator(".col-model").inner_text() == attack
    assert row.locator("a").count() == 0
    assert attack in seen.page.locator("table.longtrail").inner_text()
    assert seen.page.locator("img[onerror], img[src='x']").count() == 0


def test_a_large_session_stays_short_and_can_be_filtered(tmp_path: Path, watch: Watch) -> None:
    lines = {
        f"c{number}": line(f"c{number}", task=f"pw-{number % 30}", outcome="failed" if number % 3 else "passed")
        for number in range(120)
    }
    page = watch(report(tmp_path, lines)).page
    assert "No case was finished." in page.locator("body").inner_text(), "there are no results"
    rows = page.locator("#results-table tbody.results-table-row:visible")
    assert rows.count() == 121
    assert page.evaluate("document.documentElement.scrollHeight") < 2_500
    assert max(row.bounding_box()["height"] for row in rows.all()[:20]) < 40  # type: ignore[index]
    tasks = page.locator("#results-table .col-task").all_inner_texts()
    assert len(list(groupby(tasks))) == len(set(tasks)), "each task's rows are adjacent"
    page.locator("#longtrail-filter").fill("pw-7 failed")
    assert {row.locator(".col-task").inner_text() for row in rows.all()} == {"pw-7"}
