"""Trace: a page says what was asked, seen, thought and done, and marks what counted where it happened."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from syrupy.assertion import SnapshotAssertion

from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory, Trouble
from longtrail.report.trace import write_trace
from tests.report.lost_episode import lost_episode
from tests.report.normal import normal
from tests.report.shop_episode import shop_episode
from tests.report.watched import Watched

Watch = Callable[..., Watched]
Episode = tuple[Trajectory, Result]


def trace(episode: Episode, run: Path) -> Path:
    return write_trace(*episode, None, run / "traces")


@pytest.mark.parametrize("episode", [lost_episode(), shop_episode()], ids=["lost", "shop"])
def test_page_as_stored(episode: Episode, tmp_path: Path, html: SnapshotAssertion) -> None:
    assert normal(trace(episode, tmp_path).read_text()) == html


def test_name_is_the_case(tmp_path: Path) -> None:
    assert trace(shop_episode(), tmp_path) == tmp_path / "traces" / "pw-055-hint-r0.html"


def test_marks_stand_at_their_steps(tmp_path: Path, watch: Watch) -> None:
    page = watch(trace(lost_episode(), tmp_path)).page
    assert page.locator("#a1-2 .mark").all_inner_texts() == ["key step reached: game-searched"]
    assert page.locator("#a2-3 .mark.violation").inner_text() == "violation: goto file: address"
    assert page.locator(".path .dot.key").count() == 3 + 1  # three steps and the legend
    page = watch(trace(shop_episode(), tmp_path)).page
    assert page.locator("#main-3 .mark.delivered").count() == 2
    assert "stated: All four" in page.locator("#main-4 .mark.said").inner_text()
    assert page.locator("#main-1 .mark").count() == 0


def test_malformed_actions_show_the_agents_words(tmp_path: Path, watch: Watch) -> None:
    step = watch(trace(lost_episode(), tmp_path)).page.locator("#a2-2")
    assert "no valid action" in step.inner_text()
    assert '"target": "the game from before"' in step.inner_text()


def test_decision_and_changes_are_shown(tmp_path: Path, watch: Watch) -> None:
    page = watch(trace(shop_episode(), tmp_path)).page
    assert "APPROVE" in page.locator("#main-4 .decision").inner_text()
    assert "Your refund of $115.73" in page.locator("#main-4 .decision").inner_text()
    changed = page.locator(".change", has_text="orders 635")
    assert changed.locator("del").all_inner_texts() == ["Complete", "0"]
    assert changed.locator("ins").all_inner_texts() == ["Closed", "115.73"]
    assert page.locator(".change", has_text="credit_memo 41").locator(".tag").inner_text() == "added"


def test_screenshots_are_files_loaded_when_seen(tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "shots").mkdir()
    for number in (1, 2, 3):
        Image.new("RGB", (1280, 720), "white").save(tmp_path / "shots" / f"pw055-{number}.jpg")
    seen = watch(trace(shop_episode(), tmp_path))
    pictures = seen.page.locator("figure img")
    assert pictures.count() == 3
    pictures.nth(2).scroll_into_view_if_needed()
    seen.page.wait_for_function("[...document.images].every((i) => i.complete && i.naturalWidth === 1280)")
    assert pictures.first.get_attribute("src") == "../shots/pw055-1.jpg"
    assert pictures.first.get_attribute("loading") == "lazy"
    assert seen.misdeeds == []


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "https://evil.test/x.jpg", "a/../../x.jpg", "\\x.jpg"]
)
def test_a_picture_from_elsewhere_is_none(name: str, tmp_path: Path, watch: Watch) -> None:
    trajectory, result = shop_episode()
    first = trajectory.steps[0]
    moved = first.model_copy(update={"observation": first.observation.model_copy(update={"screenshot": name})})
    page = watch(trace((trajectory.model_copy(update={"steps": (moved,)}), result), tmp_path)).page
    assert page.locator("img").count() == 0


def test_an_invalid_case_says_why(tmp_path: Path, watch: Watch) -> None:
    trajectory, result = lost_episode()
    trouble = Trouble(kind="llm_server", message="503, three times", traceback="Traceback ...")
    broken = trajectory.model_copy(update={"trouble": trouble, "steps": (), "ends": ()})
    poor = result.model_copy(update={"outcome": "invalid", "metrics": {}, "key_steps": (), "trouble": trouble})
    text = watch(trace((broken, poor), tmp_path)).page.locator("main").inner_text()
    assert "Trouble: llm server" in text
    assert "No step was taken." in text
    assert "None: the case is invalid." in text


def test_what_was_seen_is_folded(tmp_path: Path, watch: Watch) -> None:
    page = watch(trace(shop_episode(), tmp_path)).page
    seen = page.locator("#main-3 .seen")
    assert not seen.is_visible()
    page.locator("#main-3 summary", has_text="seen:").click()
    assert "traced to Zone 4, picker 11" in seen.inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 820, 390])
def test_never_wider_than_the_window(tmp_path: Path, watch: Watch, width: int, scheme: str) -> None:
    assert watch(trace(lost_episode(), tmp_path), width, scheme).overflow <= 0
    assert watch(trace(shop_episode(), tmp_path), width, scheme).overflow <= 0
