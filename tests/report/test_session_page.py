"""Session page: the row of a real session's only case, and no violation of accessibility rules."""

import pytest
from playwright.sync_api import Browser

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.axe import violations


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
