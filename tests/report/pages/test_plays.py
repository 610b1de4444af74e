"""All episodes of a task: each episode's page links to the others, of any run, contender and condition."""

from pathlib import Path

import pytest

from longtrail.report.build import write_site
from tests.report.pages.made_runs import make_run, results
from tests.report.watched import Watch, Watched, violations


def opened(watch: Watch, page: Path) -> Watched:
    seen = watch(page)
    seen.page.locator("#elsewhere summary").click()
    return seen


def test_an_episode_leads_to_the_same_task_in_every_run(reports: Path, watch: Watch) -> None:
    page = next((reports / "runs/main/traces").glob("cross-subreddit-spam-0-raw-r0-oracle.html"))
    seen = opened(watch, page)
    table = seen.page.locator("table.plays")
    table.wait_for()
    rows = [row.split("\t") for row in table.inner_text().splitlines()]
    assert rows[0][:2] == ["Run", "Contender"]
    assert "raw" in rows[0]
    runs = [row[0].split()[0] for row in rows[1:]]
    assert {"change", "main", "four"} <= set(runs)
    assert runs.index("change") < runs.index("main") < runs.index("four")  # the latest first
    current = table.locator("[aria-current=page]")
    assert current.count() == 1
    links: list[str] = table.locator("a").evaluate_all("(all) => all.map((a) => a.getAttribute('href'))")
    assert len(links) > 10
    assert [link for link in links if not (page.parent / link).resolve().is_file()] == []
    assert seen.misdeeds == []
    table.locator("tr", has_text="change").locator("a.failed").first.click()
    seen.page.wait_for_url("**/runs/change/traces/*.html")


def test_everybody_can_use_the_list(reports: Path, watch: Watch) -> None:
    seen = opened(watch, next((reports / "runs/main/traces").glob("cross-subreddit-spam-0-raw-r0-oracle.html")))
    seen.page.locator("table.plays").wait_for()
    for scheme in ("light", "dark"):
        seen.page.emulate_media(color_scheme=scheme)
        assert violations(seen.page) == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    assert seen.overflow <= 0


def test_a_missing_list_is_said(tmp_path: Path, watch: Watch) -> None:
    """On an episode's page that was copied without the rest of the folder."""
    run = make_run(tmp_path, "alone", results(["oracle"])[:1])
    page = next((run.folder / "traces").glob("*.html"))
    seen = opened(watch, page)
    seen.page.get_by_text("`longtrail report` writes it").wait_for()


def test_lists_of_tasks_without_a_run_are_removed(tmp_path: Path) -> None:
    make_run(tmp_path, "one", results(["oracle"])[:1])
    (tmp_path / "data" / "tasks").mkdir(parents=True)
    (tmp_path / "data" / "tasks" / "gone.js").write_text("")
    write_site(tmp_path, {})
    assert len(list((tmp_path / "data" / "tasks").iterdir())) == 1
    assert not (tmp_path / "data" / "tasks" / "gone.js").exists()


COPY = "[data-copy]"
NO_CLIPBOARD = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }"


@pytest.mark.parametrize("allowed", [True, False], ids=["clipboard", "no clipboard"])
def test_an_episode_is_copied_as_markdown(reports: Path, watch: Watch, allowed: bool) -> None:
    seen = watch(next((reports / "runs/four/traces").glob("cross-subreddit-spam-0-raw-r0-oracle.html")))
    if allowed:
        seen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        seen.page.evaluate(NO_CLIPBOARD)
    seen.page.locator(COPY).click()
    if allowed:
        seen.page.get_by_text("Copied", exact=True).wait_for()
        text = seen.page.evaluate("navigator.clipboard.readText()")
    else:
        text = seen.page.locator("#copied").input_value()
    assert text.startswith("# Longtrail episode\n")
    assert "## What was asked" in text
    assert "step 1: " in text
    assert "action: " in text
    steps = seen.page.locator("#player .step").count()
    assert f"\nstep {steps}: " in text
    assert seen.misdeeds == []


def test_what_an_agent_says_cannot_leave_its_fence(reports: Path, watch: Watch) -> None:
    seen = watch(next((reports / "runs/four/traces").glob("cross-subreddit-spam-0-raw-r0-oracle.html")))
    seen.page.evaluate(NO_CLIPBOARD)
    seen.page.evaluate("document.querySelector('.thought, .action').textContent = '```` # a heading @somebody'")
    seen.page.locator(COPY).click()
    text = seen.page.locator("#copied").input_value()
    assert "`````text\n" in text
