"""A real episode's page: screenshots, model calls, a wrong decision, keyboard, search, and accessibility."""

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done
from tests.report.axe import violations
from tests.report.played import KEY
from tests.report.watched import Watch


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
@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_nothing_against_it(path: Path, browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1280, "height": 900}, bypass_csp=True)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(path.as_uri())
    assert violations(page) == []
    page.keyboard.press("a")
    page.locator("[role=tab]", has_text="Model").first.click()
    assert violations(page) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_it_is_never_wider_than_the_window(path: Path, watch: Watch, width: int) -> None:
    assert watch(path, width).overflow <= 0
