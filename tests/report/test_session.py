"""Session: what it leaves (JUnit XML, the summary as Markdown, a page), and how it ends in the terminal."""

import xml.etree.ElementTree as ElementTree

import pytest
from playwright.sync_api import Browser

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.axe import violations


def test_junit_has_each_case_with_its_measures_and_missed_stages(real: tuple[Run, Done]) -> None:
    run = real[0]
    suite = ElementTree.parse(run.folder.parents[1] / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "4", "0")
    values = {item.get("name"): item.get("value") for item in suite.iter("property")}
    (result,) = run.results()
    assert values["longtrail.outcome"] == "failed"
    assert values["longtrail.model"] == "openai/scripted-careful"
    assert values["longtrail.measure.decision"] == "0.0"
    defined = {f"longtrail.measure.{name}" for name, metric in result.metrics.items() if metric.value is not None}
    assert defined <= values.keys()


def test_the_summary_is_written_where_it_was_asked_for_and_for_the_job(real: tuple[Run, Done]) -> None:
    reports = real[0].folder.parents[1]
    told = (reports / "summary.md").read_text()
    assert told == (reports / "step.md").read_text()
    assert told.startswith("## Longtrail: played\n")
    assert "| webagent / openai/scripted\\-careful | shopping admin | proven | 0 |" in told
    assert "right was APPROVE" in told


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_row_for_the_case_and_nothing_against_the_page(real: tuple[Run, Done], browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto((real[0].folder.parents[1] / "page.html").as_uri())
    (row,) = page.locator("#results-table tr.collapsible:visible").all()
    assert row.locator(".col-model").inner_text() == "openai/scripted-careful"
    assert row.locator(".col-testId a").get_attribute("href") == "runs/played/traces/pw-025-raw-r0.html"
    assert page.locator(".run-count").inner_text().startswith("1 test ")
    assert violations(page) == []


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
