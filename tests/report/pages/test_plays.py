"""All episodes of a task: each episode's page links to the others, of any run, contender and condition."""

from pathlib import Path

from longtrail.report.build import write_site
from tests.report.pages.made_runs import make_run, results
from tests.report.watched import Watch, Watched, violations

EPISODE = "traces/cross-subreddit-spam-0-raw-r0-oracle.html"


def opened(watch: Watch, page: Path) -> Watched:
    seen = watch(page)
    seen.page.locator("#elsewhere summary").click()
    return seen


def test_an_episode_leads_to_the_same_task_in_every_run(reports: Path, watch: Watch) -> None:
    page = reports / "runs/main" / EPISODE
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
    for scheme in ("light", "dark"):
        seen.page.emulate_media(color_scheme=scheme)
        assert violations(seen.page) == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    assert seen.overflow <= 0
    table.locator("tr", has_text="change").locator("a.failed").first.click()
    seen.page.wait_for_url("**/runs/change/traces/*.html")


def test_a_missing_list_is_said_and_that_of_a_task_without_a_run_is_removed(tmp_path: Path, watch: Watch) -> None:
    """It is missing beside an episode's page that was copied without the rest of the folder."""
    run = make_run(tmp_path, "alone", results(["oracle"])[:1])
    (page,) = (run.folder / "traces").glob("*.html")
    opened(watch, page).page.get_by_text("`longtrail report` writes it").wait_for()
    old = tmp_path / "data" / "tasks" / "gone.js"
    old.parent.mkdir(parents=True)
    old.write_text("")
    write_site(tmp_path, {})
    assert len(list(old.parent.iterdir())) == 1
    assert not old.exists()


def test_an_episode_is_copied_as_markdown(reports: Path, watch: Watch) -> None:
    """Into a box where there is no clipboard. What an agent says can't leave its fence."""
    seen = watch(reports / "runs/four" / EPISODE)
    copy, read = seen.page.locator("[data-copy]"), seen.page.locator("#copied").input_value
    seen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    copy.click()
    seen.page.get_by_text("Copied", exact=True).wait_for()
    text = seen.page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("# Longtrail episode\n")
    assert "## What was asked" in text
    assert "step 1: " in text
    assert "action: " in text
    steps = seen.page.locator("#player .step").count()
    assert f"\nstep {steps}: " in text
    seen.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    copy.click()
    assert read() == text
    seen.page.evaluate("document.querySelector('.thought, .action').textContent = '```` # a heading @somebody'")
    copy.click()
    assert "`````text\n" in read()
    assert seen.misdeeds == []
