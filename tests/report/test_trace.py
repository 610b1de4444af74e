"""Trace: a page shows the prompt, observations, thoughts and actions, and marks what counted at its step."""

import shlex
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser
from syrupy.assertion import SnapshotAssertion

from longtrail.records.action import Decide, Evidence
from longtrail.records.result import Result
from longtrail.records.trajectory import Contender, End, Trajectory, Trouble
from longtrail.report.trace.page import play_again, write_trace
from longtrail.scoring.score import score
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from tests.made import decide, decision_task, investigation, step, trajectory
from tests.pytest_plugin.pytest_process import ROOT, run_pytest
from tests.report.made_episodes import lost_episode, shop_episode
from tests.report.watched import Watch, words

Episode = tuple[Trajectory, Result]


def trace(episode: Episode, run: Path) -> Path:
    return write_trace(*episode, None, run / "traces")


@pytest.mark.parametrize("episode", [lost_episode(), shop_episode()], ids=["lost", "shop"])
def test_page_says_what_is_stored(episode: Episode, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert words(trace(episode, tmp_path / "run").read_text()) == snapshot


def test_marks_stand_at_their_steps(tmp_path: Path, watch: Watch) -> None:
    """Steps are numbered through the whole episode: the third step of the second part is the sixth."""
    page = watch(trace(lost_episode(), tmp_path)).page
    assert page.locator("#step-2 .mark").all_text_contents() == ["key step reached: game searched"]
    assert page.locator("#step-6 .mark.violation").text_content() == "violation: goto file: address"
    assert page.locator(".lanes .dot.key").count() == 3
    malformed = str(page.locator("#step-5").text_content())
    assert "no valid action" in malformed
    assert '"target": "the game from before"' in malformed, "the agent's words"
    page = watch(trace(shop_episode(), tmp_path)).page
    assert page.locator("#step-3 .mark.delivered").count() == 2
    assert "stated: All four" in str(page.locator("#step-4 .mark.said").text_content())
    assert page.locator("#step-1 .mark").count() == 0


def test_decision_and_changes_are_shown(tmp_path: Path, watch: Watch) -> None:
    page = watch(trace(shop_episode(), tmp_path)).page
    assert "APPROVE" in page.locator("#decision").inner_text()
    assert "Your refund of $115.73" in page.locator("#decision").inner_text()
    changed = page.locator(".change", has_text="orders 635")
    assert changed.locator("del").all_inner_texts() == ["Complete", "0"]
    assert changed.locator("ins").all_inner_texts() == ["Closed", "115.73"]
    assert page.locator(".change", has_text="credit_memo 41").locator(".tag").inner_text() == "added"


def test_a_wrong_decision_is_not_green_and_the_right_one_is_told(tmp_path: Path, watch: Watch) -> None:
    trajectory, _ = shop_episode()
    last = trajectory.steps[-1]
    assert isinstance(last.action, Decide)
    lie = Evidence(source="order 635", quote="he has done this to four other shops")
    wrong = last.model_copy(update={"action": last.action.model_copy(update={"decision": "DENY", "evidence": (lie,)})})
    played = trajectory.model_copy(update={"steps": (*trajectory.steps[:-1], wrong)})
    task = load_tasks()["PW-055"]
    page = watch(write_trace(played, score(task, played), task, tmp_path / "traces")).page
    assert "right was APPROVE" in page.locator("#decision").inner_text()
    assert page.locator("#decision .decision-name.bad").count() == 1
    assert page.locator("#decision .decision-name.good").count() == 0
    assert "Decided DENY; right was APPROVE." in page.locator(".verdict").inner_text()
    assert "Not found" in page.locator(".cited").inner_text()


def test_pictures_that_are_there_are_shown_when_seen(tmp_path: Path, watch: Watch) -> None:
    (tmp_path / "shots").mkdir()
    for number in (1, 2):
        Image.new("RGB", (1280, 720), "white").save(tmp_path / "shots" / f"pw055-{number}.jpg")
    seen = watch(trace(shop_episode(), tmp_path))
    pictures = seen.page.locator("figure img")
    assert pictures.count() == 2, "the third step names a picture that is not there"
    seen.page.keyboard.press("j")
    assert pictures.nth(1).evaluate("image => image.decode().then(() => image.naturalWidth)") == 1280
    assert pictures.first.get_attribute("src") == "../shots/pw055-1.jpg"
    assert pictures.first.get_attribute("loading") == "lazy"
    assert seen.misdeeds == []


def test_a_picture_from_elsewhere_is_none(tmp_path: Path) -> None:
    trajectory, result = shop_episode()
    first = trajectory.steps[0]
    for name in ("../../etc/passwd", "/etc/passwd", "https://evil.test/x.jpg", "\\x.jpg", "\0"):
        moved = first.model_copy(update={"observation": first.observation.model_copy(update={"screenshot": name})})
        page = trace((trajectory.model_copy(update={"steps": (moved,)}), result), tmp_path)
        assert "<img" not in page.read_text(), name


def test_an_invalid_case_says_why(tmp_path: Path, watch: Watch) -> None:
    trajectory, result = lost_episode()
    trouble = Trouble(kind="llm_server", message="503, three times", traceback="Traceback ...")
    broken = trajectory.model_copy(update={"trouble": trouble, "steps": (), "ends": ()})
    poor = result.model_copy(update={"outcome": "invalid", "metrics": {}, "key_steps": (), "trouble": trouble})
    text = watch(trace((broken, poor), tmp_path)).page.locator("body").inner_text()
    assert "Trouble: llm server" in text
    assert "No step was taken." in text
    assert "None: the case is invalid." in text


def test_an_agent_that_fails_shows_its_traceback(tmp_path: Path, watch: Watch) -> None:
    """The agent's author needs it, whether the agent failed at once or later."""
    trajectory, result = shop_episode()
    end = End(reason="agent_error", phase="main", detail="KeyError: 'id'", traceback="in act, line 7\nKeyError: 'id'")
    for steps in (0, 2):
        broken = trajectory.model_copy(update={"steps": trajectory.steps[:steps], "ends": (end,)})
        page = watch(trace((broken, result), tmp_path)).page
        page.get_by_text("in act, line 7").wait_for()
        assert page.locator("details.traceback summary").inner_text() == "Traceback"


def test_tabs_show_one_thing_at_a_time(tmp_path: Path, watch: Watch) -> None:
    page = watch(trace(shop_episode(), tmp_path)).page
    page.goto(f"{page.url.partition('#')[0]}#step-3")
    seen = page.locator("#step-3 .seen").first
    assert not seen.is_visible()
    page.locator("#step-3 [role=tab]", has_text="Page text").click()
    assert "traced to Zone 4, picker 11" in seen.inner_text()
    assert not page.locator("#step-3 .thought").is_visible()


def test_without_its_script_the_page_shows_every_step(tmp_path: Path, browser: Browser) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(trace(shop_episode(), tmp_path).as_uri())
    assert all(step.is_visible() for step in page.locator(".step").all())
    assert "traced to Zone 4, picker 11" in page.locator("#step-3").inner_text()


def test_printing_shows_every_step_and_no_buttons(tmp_path: Path, watch: Watch) -> None:
    page = watch(trace(shop_episode(), tmp_path), 760).page
    page.emulate_media(media="print")
    assert all(step.is_visible() for step in page.locator(".step").all())
    assert page.locator(".thought").last.is_visible()
    assert not page.locator("button").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_history_is_a_bar_with_the_facts_that_were_carried(tmp_path: Path, watch: Watch) -> None:
    trajectory, result = lost_episode()
    page = watch(write_trace(trajectory, result, load_tasks()["steam_dota_dlc"], tmp_path / "traces")).page
    assert page.locator(".parts .first").count() == 1
    assert page.locator(".parts .noise").count() == 3
    assert (
        "148k tokens back" in page.locator(".carried").inner_text() or "149k" in page.locator(".carried").inner_text()
    )
    assert page.locator("#paths tr.same").count() > 0


def test_an_appeal_is_a_chat_with_what_stood_after_each_turn(tmp_path: Path, watch: Watch) -> None:
    trajectory, _ = shop_episode()
    case = trajectory.case.model_copy(update={"appeal": "deceptive"})
    last = trajectory.steps[-1]
    again = [last.model_copy(update={"phase": "appeal", "number": 1}) for _ in range(2)]
    played = trajectory.model_copy(
        update={"case": case, "steps": (*trajectory.steps, *again), "changes_before_appeal": trajectory.changes}
    )
    task = load_tasks()["PW-055"]
    page = watch(write_trace(played, score(task, played), task, tmp_path / "traces")).page
    assert page.locator(".bubble.user").count() == page.locator(".bubble.agent").count() == 3
    assert page.locator("#appeal .after").count() == 2
    assert page.locator("#appeal a").last.get_attribute("href") == "#step-6"


def test_a_step_tells_what_it_changed_and_what_was_cut(tmp_path: Path) -> None:
    """Old episodes, whose steps record no changes, have no such tab."""
    trajectory, result = shop_episode()
    assert "Changed (" not in write_trace(trajectory, result, None, tmp_path / "traces").read_text()
    lines = "... 3 lines above; scroll up\n[7] link 'Orders'\n... truncated, 12 more lines; scroll"
    seen = trajectory.steps[2].observation.model_copy(update={"text": lines, "truncated": True})
    third = trajectory.steps[2].model_copy(update={"changes": trajectory.changes, "observation": seen})
    changed = trajectory.model_copy(update={"steps": (*trajectory.steps[:2], third, trajectory.steps[3])})
    page = write_trace(changed, result, None, tmp_path / "traces").read_text()
    step = page[page.index('id="step-3"') : page.index('id="step-4"')]
    assert 'data-tab="Changed (2)"' in step
    assert "<del><bdi>Complete</bdi></del> <ins><bdi>Closed</bdi></ins>" in step
    assert "15 of the page" in step
    assert "16 lines are left out" in step
    assert '<span class="cut">... truncated, 12 more lines; scroll</span>' in step


KNOWN = load_tasks()


@pytest.mark.sampled(6, ci=2)
@pytest.mark.parametrize(
    ("task", "given", "case"),
    [
        ("ikea_favorites", {"lengths": (25_000,)}, "ikea_favorites-25k-r0"),
        ("ikea_favorites", {"lengths": (0,), "relocated": True, "repeats": 2}, "ikea_favorites-relocated-r1"),
        ("ikea_favorites", {"lengths": (40_000,), "noise": "similar", "needle": "last"}, ""),
        ("PW-055", {"prompts": ("hint",), "variant": 7}, "pw-055-hint-v7-r0"),
        ("PW-055", {"lengths": (0, 50_000), "placements": ("lost_guidance",)}, "pw-055-hint-lost_guidance-0-r0"),
        ("HF-001", {"prompts": ("raw",)}, "hf-001-raw-r0"),
    ],
)
def test_it_selects_the_case(task: str, given: dict[str, object], case: str) -> None:
    planned = plan({task: KNOWN[task]}, Conditions(**{"relocated": False, **given}))  # type: ignore[arg-type]
    wanted = next(each.case for each in planned if case in ("", each.case.id))
    words = shlex.split(play_again(wanted, Contender(agent="nothing")))
    assert words[0] == "pytest"
    done = run_pytest(*words[1:], "--collect-only", "-q")
    collected = [line for line in done.out.splitlines() if "::" in line]
    assert [line[line.rfind("[") + 1 : -1] for line in collected] == [wanted.id], done.said


def test_it_says_who_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    case = next(iter(plan({"PW-055": KNOWN["PW-055"]}, Conditions()))).case
    contender = Contender(
        agent="webagent", model="openai/a b", profile="pathways", options={"max_tokens": 900, "vision": True}
    )
    assert play_again(case, contender) == (
        "pytest benchmark_tests --task PW-055 -k pw-055-raw-r0 --agent webagent --model 'openai/a b' --profile pathways"
        " --model-arg max_tokens=900 --agent-arg vision=true"
    )


PAPER = 700
"""Pixels between the margins of A4."""
CUT = """() => [...document.querySelectorAll("main *, header *")].filter((one) => {
  const style = getComputedStyle(one);
  if (!one.checkVisibility() || one.closest(".unseen, svg")) return false;
  const clips = ["hidden", "auto", "scroll"].includes(style.overflowY) && one.scrollHeight > one.clientHeight + 4;
  return clips || one.getBoundingClientRect().right > innerWidth + 1;
}).map((one) => one.outerHTML.slice(0, 200))"""


def test_a_long_episode_on_paper(tmp_path: Path, watch: Watch) -> None:
    """60 steps, a long prompt, and a step whose thought and address are long."""
    more = [step(number, {"type": "scroll", "direction": "down"}, thought="So. " * 200) for number in range(4, 60)]
    played = trajectory((*investigation(), *more, decide(60)))
    played = played.model_copy(update={"prompt": "Decide.\n" * 60})
    path = write_trace(played, score(decision_task(), played), decision_task(), tmp_path / "traces")
    page = watch(path, PAPER).page
    page.emulate_media(media="print")
    headings = page.locator(".step h3")
    assert headings.count() == 60
    assert [n for n in range(60) if not headings.nth(n).is_visible()] == []
    assert page.locator("#paths tbody tr").first.is_visible()
    assert page.locator("button:visible, input:visible").count() == 0
    assert page.evaluate(CUT) == []
    assert page.pdf(format="A4").startswith(b"%PDF")
