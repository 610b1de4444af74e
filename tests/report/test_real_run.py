"""A real run: what its session leaves, how it ends in the terminal, and the page of its episode."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PIL import Image

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.conftest import KEY
from tests.report.watched import Watch, violations


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


def test_a_row_for_the_case_and_nothing_against_the_page(real: tuple[Run, Done], watch: Watch) -> None:
    page = watch(real[0].folder.parents[1] / "page.html").page
    (row,) = page.locator("#results-table tr.collapsible:visible").all()
    assert row.locator(".col-model").inner_text() == "openai/scripted-careful"
    assert row.locator(".col-testId a").get_attribute("href") == "runs/played/traces/pw-025-raw-r0.html"
    assert page.locator(".run-count").inner_text().startswith("1 test ")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
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


@pytest.fixture
def path(real: tuple[Run, Done]) -> Path:
    return real[0].traces / "pw-025-raw-r0.html"


def test_it_tells_what_was_missed_and_leads_there(path: Path, watch: Watch) -> None:
    page = watch(path).page
    told = page.locator(".verdict")
    assert "right was APPROVE" in told.inner_text()
    assert "never saw that" in told.inner_text()
    told.locator("a").first.click()
    assert page.locator(".step:visible").count() == 1
    assert page.locator(".step:visible").get_attribute("id") == page.url.partition("#")[2]


def test_pictures_are_webp_stored_once_and_the_element_is_outlined(real: tuple[Run, Done], path: Path) -> None:
    (episode,) = real[0].episodes()
    named = [step.observation.screenshot for step in episode.steps]
    assert all(named)
    assert {file.name for file in real[0].shots.iterdir()} == set(named)
    with Image.open(real[0].shots / str(named[0])) as picture:
        assert (picture.format, picture.size) == ("WEBP", (1280, 720))
    clicked = [step for step in episode.steps if step.box]
    assert clicked
    assert path.read_text().count('class="target"') == len([step for step in clicked if step.box[1] < 720])


def test_the_models_messages_and_answers_are_there_and_no_key(real: tuple[Run, Done], path: Path, watch: Watch) -> None:
    page = watch(path).page
    page.goto(f"{path.as_uri()}#step-2")
    page.locator("#step-2 [role=tab]", has_text="Model").click()
    call = page.locator("#step-2 .call").first
    assert call.locator("summary").count() == 2
    assert "click" in call.locator(".raw").inner_text()
    kept = (real[0].folder / "calls" / "pw-025-raw-r0.a0.jsonl").read_text()
    assert KEY not in kept
    assert kept.count('"block"') < 2 * kept.count('"call"'), "repeated text is stored once"


def test_keys_and_search(path: Path, watch: Watch) -> None:
    seen = watch(path)
    page = seen.page
    page.goto(f"{path.as_uri()}#step-3")
    place = page.locator(".bar .place")
    for key, told in (("j", "step 4 of"), ("k", "step 3 of")):
        page.keyboard.press(key)
        assert told in place.inner_text()
    page.keyboard.press("f")
    assert f"step {page.locator('#player').get_attribute('data-miss')} of" in place.inner_text()
    page.keyboard.press("/")
    page.keyboard.type("Total Refunded")
    assert page.locator(".hits a").count() > 0
    page.keyboard.press("Escape")
    assert not page.locator(".hits").is_visible()
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    assert seen.misdeeds == []


def test_no_link_leads_to_a_real_host(path: Path, watch: Watch) -> None:
    hrefs = watch(path).page.evaluate("[...document.links].map((a) => a.getAttribute('href'))")
    assert [href for href in hrefs if "://" in href] == []
    crumbs = [href for href in hrefs if href.startswith("..") and "shots" not in href]
    assert crumbs == ["../../../leaderboard.html", "../index.html", "../cases.html"]


@pytest.mark.slow
def test_everybody_can_use_it(path: Path, watch: Watch) -> None:
    """axe-core finds no violation, in light and dark, and in the tab of the model's messages."""
    seen = watch(path)
    for tab in ("", "Model"):
        if tab:
            seen.page.keyboard.press("a")
            seen.page.locator("[role=tab]", has_text=tab).first.click()
        for scheme in ("light", "dark"):
            seen.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            assert violations(seen.page) == []


def test_it_is_never_wider_than_the_window(path: Path, watch: Watch) -> None:
    assert watch(path, 390).overflow <= 0
