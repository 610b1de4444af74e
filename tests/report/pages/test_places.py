"""The map of lengths, places of the first part, and kinds of noise on a run's page."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.records.result import Metric, Result
from longtrail.report.build import write_site
from tests.report.factory import CONTENDERS, LONG_TASKS, long_context
from tests.report.pages.made_runs import make_run
from tests.report.watched import Watch

MODEL = CONTENDERS[0][0].label
READ = """() => [...document.querySelectorAll("table.map")]
  .filter((table) => table.tHead.textContent.includes("First part"))
  .flatMap((table) => [...table.tBodies[0].rows].map((row) => ({
    names: [...row.querySelectorAll(".name")].map((cell) => cell.textContent),
    cells: [...row.querySelectorAll("td.n")].map((cell) => [cell.title, cell.querySelector("a")?.href ?? ""]),
  })))"""
FIND = "(told) => told.map((hash) => cases.matching(Object.fromEntries(new URLSearchParams(hash))).length)"


def placed(one: Result, n: int) -> Result:
    """The result with similar noise, and with the first part at a random place in it."""
    case = one.case.model_copy(update={"noise": "similar", "needle": "random"})
    depth = Metric(value=(n % 7) / 7 if case.noise_tokens else None, reason="drawn")
    return one.model_copy(update={"case": case, "metrics": {**one.metrics, "needle_depth": depth}})


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """A run with similar noise and a random needle, and one in the paper's setting."""
    mine = [one for one in long_context(3, LONG_TASKS[:2]) if one.contender.label == MODEL]
    make_run(tmp_path, "placed", [placed(one, n) for n, one in enumerate(mine)])
    make_run(tmp_path, "plain", mine, hour=1)
    write_site(tmp_path, {})
    return tmp_path


def test_each_cell_leads_to_its_cases(reports: Path, watch: Watch) -> None:
    rows: list[dict[str, Any]] = watch(reports / "runs/placed/index.html").page.evaluate(READ)
    assert [row["names"] for row in rows] == [
        ["The task's own site too", place] for place in ("first third", "middle third", "last third")
    ]
    told = [(title, href.split("#")[1]) for row in rows for title, href in row["cells"] if href]
    assert len(told) > 10
    counted = watch(reports / "runs/placed/cases.html").page.evaluate(FIND, [hash_ for _, hash_ in told])
    assert [int(title.rpartition("n ")[2]) for title, _ in told] == counted


def test_the_papers_setting_has_no_such_map(reports: Path, watch: Watch) -> None:
    assert watch(reports / "runs/plain/index.html").page.evaluate(READ) == []
