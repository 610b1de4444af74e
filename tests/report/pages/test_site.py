"""Site: no dead links, figures lead to exactly their cases, no accessibility violations, no requests elsewhere."""

import re
from pathlib import Path
from typing import Any

import pytest

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.pages.links import missing, reached
from tests.report.pages.links import page as page_of
from tests.report.watched import Watch, Watched, violations

COMPARED = "#a=main%2Foracle&b=change%2Foracle"
PAGES = (
    ("leaderboard.html", ""),
    ("runs/four/index.html", ""),
    ("runs/change/index.html", ""),
    ("runs/four/cases.html", ""),
    ("runs/four/cases.html", "#view=list&has=investigation&suite=reddit"),
    ("compare.html", COMPARED),
)
LOST = (("runs/lost/index.html", ""), ("runs/lost/cases.html", ""))
"""Pages of a run that lost an episode."""


def opened(watch: Watch, reports: Path, page: tuple[str, str]) -> Watched:
    path, fragment = page
    seen = watch(reports / path, fragment=fragment)
    if path == "compare.html":
        seen.page.locator("#flips h3").first.wait_for()
        seen.page.locator("#flips .sides .step").first.wait_for()
    return seen


def links(seen: Watched) -> list[str]:
    """All links of a page, after its script has run."""
    found: list[str] = seen.page.evaluate("[...document.links].map((a) => a.getAttribute('href'))")
    return list(dict.fromkeys(found))


@pytest.mark.slow
def test_every_link_leads_somewhere(reports: Path, watch: Watch) -> None:
    """The links of all pages about several cases, and of some episodes."""
    count = 0
    for page in (*PAGES, *LOST):
        seen = opened(watch, reports, page)
        found = links(seen)
        count += len(found)
        assert missing(reports / page[0], found) == []
        seen.page.context.close()
    assert count > 600
    episodes = sorted((reports / "runs/four/traces").glob("*.html"))[::16]
    assert [dead for episode in episodes for dead in missing(episode, page_of(episode).links)] == []


@pytest.mark.thorough
def test_every_link_of_a_whole_run_leads_somewhere(reports: Path, real: tuple[Run, Done], watch: Watch) -> None:
    """At least 72 cases of four contenders, and a real run with screenshots: every page that can be reached."""
    for folder, run, least in ((reports, "four", 72), (real[0].folder.parents[1], real[0].folder.name, 1)):
        cases = folder / "runs" / run / "cases.html"
        seen = watch(cases)
        traces: list[str] = seen.page.evaluate("[...Array(cases.count).keys()].map((row) => cases.trace(row))")
        seen.page.context.close()
        assert len(traces) >= least
        assert missing(cases, traces) == []
        pages = {*reached(folder / "leaderboard.html", folder), *(cases.parent / trace for trace in traces)}
        assert len(pages) >= least
        assert [dead for page in sorted(pages) for dead in missing(page, page_of(page).links)] == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a id="here" href="b.html#there">b</a><a href="#gone">c</a><img src="x.webp">')
    (tmp_path / "b.html").write_text('<p id="there"></p><a href="a.html#here">a</a>')
    assert missing(tmp_path / "a.html", page_of(tmp_path / "a.html").links) == ["a.html: #gone", "a.html: x.webp"]
    assert [one.name for one in reached(tmp_path / "a.html", tmp_path)] == ["a.html", "b.html"]


def test_the_folder_can_be_moved(reports: Path) -> None:
    """No file names the folder's absolute path."""
    for path in reports.rglob("*.html"):
        assert str(reports) not in path.read_text(), path
    for path in reports.rglob("*.js"):
        assert str(reports) not in path.read_text(), path


@pytest.mark.sampled(8, ci=3)
@pytest.mark.parametrize("page", PAGES[::-1], ids=lambda page: page[0] + page[1][:5])
def test_everybody_can_use_it(reports: Path, watch: Watch, page: tuple[str, str]) -> None:
    """axe-core finds no violation, nothing is requested, no script fails; in light, dark, and a narrow window."""
    seen = opened(watch, reports, page)
    seen.page.evaluate("document.querySelectorAll('details.of-line').forEach((one) => (one.open = true))")
    assert seen.foreign_elements() == []
    assert violations(seen.page) == []
    seen.page.emulate_media(color_scheme="dark")
    assert violations(seen.page, runOnly=["color-contrast"]) == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    assert seen.overflow <= 0
    assert seen.misdeeds == []


def test_from_the_verdict_to_the_step_that_explains_it(reports: Path, watch: Watch) -> None:
    """Three clicks lead from the verdict to its comparison, to a case that changed, and to the step."""
    page = opened(watch, reports, PAGES[0]).page
    assert "REGRESSION" in page.locator(".strip").inner_text()
    page.get_by_role("link", name="both runs side by side").click()
    second = page.locator(".pairs summary").nth(1)
    second.click()
    step = page.locator(".pairs > li").nth(1).locator(".step.first a").nth(1)
    assert "Step 2" in step.inner_text()
    step.click()
    page.wait_for_url("**/traces/*.html#step-2")
    page.go_back()
    page.wait_for_url("**/compare.html#*")
    page.go_back()
    page.wait_for_url("**/leaderboard.html*")


def test_from_the_row_that_fell_to_the_step_that_explains_it(reports: Path, watch: Watch) -> None:
    """The row names the run since which it fell. It links to the changed cases, and they to their decisive steps."""
    page = opened(watch, reports, PAGES[0]).page
    fell = page.locator("tr[data-agent='oracle'] a.since.down", has_text="since main")
    assert re.search(r"^-\d+\.\d since main", fell.first.inner_text())
    page.locator("tr[data-agent='oracle'] a.since[href*='suite=shopping_admin']").click()
    page.locator("#flips .sides .step").first.wait_for()
    assert "Cases of: Shop back office" in page.locator("#what").inner_text()
    assert "never looked at the comments" in page.locator("#flips .sides").first.inner_text()
    assert page.locator("#flips .step.most").first.inner_text().count("explains the outcome") == 1
    listed = page.locator("#flips summary").count()
    page.get_by_role("link", name="The step that explains it").first.click()
    page.wait_for_url("**/runs/change/traces/*.html#step-*")
    page.go_back()
    page.get_by_role("link", name="Show all suites").click()
    page.locator("#flips summary").nth(listed).wait_for()  # waits until more are listed than before


def test_two_lines_are_compared_from_the_leaderboard(reports: Path, watch: Watch) -> None:
    page = opened(watch, reports, PAGES[0]).page
    boxes = page.locator("#reddit .pick")
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.locator("#compare").click()
    page.locator("#flips h3").first.wait_for()
    words = page.locator("#figures").inner_text()
    assert "–" not in words
    assert "Forum moderation, proven" in words
    assert re.search(r"[+-]?\d+\.\d to [+-]?\d+\.\d", words)


def test_filters_stay_in_the_address_and_go_back(reports: Path, watch: Watch) -> None:
    page = opened(watch, reports, PAGES[3]).page
    before = page.locator("#count").inner_text()
    page.locator("#outcome").select_option("failed")
    page.locator("#q").fill("looked")
    page.wait_for_url("**#*q=looked*")
    assert "outcome=failed" in page.url
    after = page.locator("#count").inner_text()
    assert after != before
    page.reload()
    assert page.locator("#count").inner_text() == after
    page.go_back()
    page.go_back()
    assert page.locator("#count").inner_text() == before


def test_keys(reports: Path, watch: Watch) -> None:
    page = opened(watch, reports, PAGES[3]).page
    page.keyboard.press("j")
    page.keyboard.press("j")
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert re.search(r": (passed|failed|invalid)", focused)
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    assert page.locator("#as-list").get_attribute("aria-pressed") == "true"
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    page.wait_for_url("**/traces/*.html")


def test_numbers_sort_as_numbers(reports: Path, watch: Watch) -> None:
    page = opened(watch, reports, ("runs/four/cases.html", "#view=list&sort=steps&outcome=passed,failed")).page
    column = page.locator("thead th", has_text="Steps").evaluate("(th) => th.cellIndex")
    steps = [int(row.locator("th, td").nth(column).inner_text()) for row in page.locator("tbody tr:has(a)").all()]
    assert len(steps) > 10
    assert steps == sorted(steps)


def test_columns_that_say_the_same_of_all_cases_leave_room_for_the_reason(reports: Path, watch: Watch) -> None:
    heads = [
        opened(watch, reports, ("runs/four/cases.html", f"#view=list{more}")).page.locator("thead th").all_inner_texts()
        for more in ("", "&sort=repeat")
    ]
    assert ["Repeat" in " ".join(head) for head in heads] == [False, True]
    assert all({"Contender", "Answer", "Steps", "Why"} <= {one.strip(" ↑↓") for one in head} for head in heads)


def test_a_filter_of_the_leaderboard(reports: Path, watch: Watch) -> None:
    page = opened(watch, reports, PAGES[0]).page
    page.locator("#f-agent").select_option("oracle")
    assert "agent=oracle" in page.url
    assert set(page.locator("tr[data-agent]:visible").evaluate_all("(rows) => rows.map((r) => r.dataset.agent)")) == {
        "oracle"
    }
    page.locator("#f-suite").select_option("reddit")
    assert not page.locator("#long_context").is_visible()
    page.go_back()
    assert page.locator("#long_context").is_visible()


def test_main_figures_need_no_script(reports: Path, browser: Any) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((reports / "runs/change/index.html").as_uri())
    assert "REGRESSION" in page.locator(".strip").inner_text()
    assert page.locator("td.lead .v:visible").count() > 2
    page.goto((reports / "runs/change/cases.html").as_uri())
    assert page.locator("noscript table tbody tr, table.plain-list tbody tr").count() > 10
    context.close()


def test_other_settings_make_another_line(reports: Path) -> None:
    """The run with `--observation text` neither replaces the others nor is ranked among them."""
    page = (reports / "leaderboard.html").read_text()
    assert "observation text" in page
    assert "not comparable" in page
