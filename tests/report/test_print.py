"""Print: a trace on paper has every step, and nothing is cut off."""

from collections.abc import Callable
from pathlib import Path

from longtrail.report.trace.page import write_trace
from longtrail.scoring.score import score
from tests.made import decide, decision_task, investigation, step, trajectory
from tests.report.watched import Watched

Watch = Callable[..., Watched]
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
