"""The worked example of docs/adding-a-task.md: it passes the checks of single cases, and the page quotes it exactly."""

import re
import sqlite3
from pathlib import Path

import pytest

from longtrail.authoring.validity.case_rules import CASE_RULES
from longtrail.authoring.validity.check import finding_lines, read_own
from longtrail.tasks.loading import load_tasks, read_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.sites.shopadmin.build import build
from tests.pytest_plugin.pytest_process import ROOT
from tests.tables import tables_of

TABLES = tables_of(__file__)

EXAMPLE = ROOT / "examples" / "shop_task" / "umbrella.yaml"
PAGE = (ROOT / "docs" / "adding-a-task.md").read_text(encoding="utf-8")


def test_the_example_keeps_the_rules() -> None:
    tasks = list(read_tasks(EXAMPLE))
    cases = [task for task in tasks if isinstance(task, DecisionTask)]
    assert [task.id for task in cases] == ["EX-UMBRELLA"]
    assert [finding for task in cases for rule in CASE_RULES for finding in rule(task)] == []


def test_its_story_fits_into_the_shipped_world() -> None:
    db = sqlite3.connect(":memory:")
    build(db, [*load_tasks().values(), *read_tasks(EXAMPLE)])
    found = db.execute("SELECT grand_total, status FROM sales_order WHERE customer_name = 'Ruth Amsel'").fetchall()
    db.close()
    assert found == [(65.45, "complete")]


def test_the_page_quotes_the_example() -> None:
    quoted = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert len(quoted) >= 5
    whole = EXAMPLE.read_text(encoding="utf-8")
    assert [block for block in quoted if block not in whole and not block.startswith("- of: ")] == []  # a twin


REVIEW = "    reviews: [{id: ID, customer: 317, sku: SKU, at: 2026-03-16 10:00, rating: 1, title: Gone, text: Off.}]\n"


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("right", "wrong", "told"), TABLES["a_fault_of_a_story_names_file_task_and_record"])
def test_a_fault_of_a_story_names_file_task_and_record(right: str, wrong: str, told: str, tmp_path: Path) -> None:
    text = EXAMPLE.read_text(encoding="utf-8") + REVIEW
    assert right in text
    broken = text.replace(right, wrong, 1).replace("ID,", "900,", 1).replace("SKU", "LM-RBN-UMB", 1)
    file = tmp_path / "mine.yaml"
    file.write_text(broken, encoding="utf-8")
    assert f"{file}: EX-UMBRELLA.{told}" in list(finding_lines(file, read_own(file)))
