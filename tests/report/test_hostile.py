"""Hostile texts: a page shows whatever a record contains, and does nothing else. Opened in a real browser."""

import json
from pathlib import Path
from typing import Any

import pytest

from longtrail.records.action import Decide, Evidence, Fill, Finish, Goto, Search
from longtrail.records.result import FactResult, KeyStepResult, Metric, Result
from longtrail.records.trajectory import Change, Contender, Trajectory, Trouble
from longtrail.report.leaderboard.board import RunResults
from longtrail.report.leaderboard.page import leaderboard
from longtrail.report.template_page import write
from longtrail.report.trace.page import write_trace
from longtrail.runs.model_calls import CallMessage, ModelCall, calls_file
from longtrail.tasks.loading import load_tasks
from tests.report.factory import LONG_TASKS, SHOP, decisions, long_context
from tests.report.made_episodes import lost_episode, shop_episode
from tests.report.payloads import PAYLOADS, filled
from tests.report.watched import Watch


def assert_harmless(path: Path, watch: Watch, text: str = "") -> None:
    """No script ran, nothing was requested, no element came from a payload: in a wide and in a narrow window."""
    seen = watch(path)
    seen.page.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert text in seen.page.locator("body").inner_text()
    for width in (1280, 390):
        seen.page.set_viewport_size({"width": width, "height": 900})
        assert seen.overflow <= 0
    assert [one for one in seen.misdeeds if "ERR_FILE_NOT_FOUND" not in one] == []  # a list that opens on demand
    assert not seen.ran
    assert seen.foreign_elements() == []
    seen.page.context.close()


@pytest.mark.slow
def test_leaderboard(tmp_path: Path, watch: Watch) -> None:
    some = [*list(long_context(1, LONG_TASKS[:1]))[:8], *list(decisions("reddit", SHOP[:1], 1))[:3]]
    runs = []
    for payload in PAYLOADS:
        contender = Contender(agent=payload or "x", model=payload, profile=payload, options={payload: payload})
        results = [
            filled(result, payload).model_copy(update={"case": result.case, "contender": contender}) for result in some
        ]
        runs.append(RunResults(payload, results))
    page = write(tmp_path / "leaderboard.html", leaderboard(runs))
    assert_harmless(page, watch, "<script>window.ran=1;alert(1)</script>")


def hostile_action(payload: str, number: int) -> Any:
    """Actions of all kinds that carry texts."""
    text = payload or "x"
    evidence = (Evidence(source=payload[:2000], quote=payload[:4000]),)
    return (
        Goto(url=text[:4000]),
        Fill(id="1", text=payload),
        Search(query=text[:400]),
        Finish(answer=payload),
        Decide(decision=text[:80], justification=payload, response=payload, evidence=evidence),
        None,
    )[number % 6]


def hostile_episode(trajectory: Trajectory, result: Result) -> tuple[Trajectory, Result]:
    """The episode with a step for each payload, and payloads in everything around them."""
    everything = "\n".join(PAYLOADS)
    phase = trajectory.steps[-1].phase
    steps = [
        filled(trajectory.steps[number % 3], payload).model_copy(
            update={"number": number, "phase": phase, "action": hostile_action(payload, number)}
        )
        for number, payload in enumerate(PAYLOADS, 1)
    ]
    around = filled(trajectory, everything)
    history = around.history and around.history.model_copy(update={"last_url": "javascript:window.ran=1"})
    played = {
        "case": trajectory.case,
        "steps": tuple(steps),
        "changes": tuple(Change(site=p, table=p, key=p, before={p: p}, after={p: p + "!"}) for p in PAYLOADS),
        "history": history,
        "first_part_of": "",
        "trouble": Trouble(kind="harness_bug", message=everything, traceback=everything),
    }
    scored = {
        "case": result.case,
        "metrics": {p: Metric(value=p, reason=p) for p in PAYLOADS},
        "key_steps": tuple(KeyStepResult(name=p, phase=phase, hit=True, step=1, reason=p) for p in PAYLOADS),
        "facts": tuple(FactResult(id="x", says=p, delivered=1, said_at=2, reason=p) for p in PAYLOADS),
    }
    return around.model_copy(update=played), filled(result, everything).model_copy(update=scored)


@pytest.mark.parametrize("knows_task", [True, False])
@pytest.mark.parametrize("episode", [lost_episode(), shop_episode()], ids=["long", "decision"])
def test_trace(episode: tuple[Trajectory, Result], knows_task: bool, tmp_path: Path, watch: Watch) -> None:
    played, scored = hostile_episode(*episode)
    call = ModelCall(place=1, messages=(CallMessage(role="user", text="\n".join(PAYLOADS)),), reply="\n".join(PAYLOADS))
    blocks = [json.dumps({"block": payload[:16], "text": payload}) for payload in PAYLOADS]
    calls = calls_file(tmp_path, played.case.id, 0)
    calls.parent.mkdir()
    calls.write_text("\n".join([*blocks, json.dumps({"call": call.model_dump(mode="json")}), "torn"]))
    task = load_tasks()[played.case.task] if knows_task else None
    page = write_trace(played, scored, task, tmp_path / "traces")
    assert_harmless(page, watch, "<script>window.ran=1;alert(1)</script>")


def test_a_policy_stands_behind_the_escaping(tmp_path: Path, watch: Watch) -> None:
    """Even if a template forgets to escape, the page's Content-Security-Policy blocks scripts and requests."""
    for page in (
        write(tmp_path / "leaderboard.html", leaderboard([])),
        write_trace(*shop_episode(), None, tmp_path / "traces"),
    ):
        attack = "<script>window.ran=1</script><img src=https://evil.test/x.png><iframe src=https://evil.test></iframe>"
        page.write_text(page.read_text().replace("<main>", f"<main>{attack}"))
        seen = watch(page)
        assert not seen.ran
        kinds = {misdeed.partition(" ")[0] for misdeed in seen.misdeeds}
        assert kinds <= {"refused", "console"}
        assert len(seen.misdeeds) >= 3
