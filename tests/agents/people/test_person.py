"""A person plays: whole cases through the page, recorded and scored like everybody's; interrupting is no failure."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from playwright.async_api import expect

from longtrail.agents.oracle import script
from longtrail.agents.people.person_server import PersonServer
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import CaseAttempts
from longtrail.records.action import Decide, Finish
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web.sealed import SealedWeb
from tests.agents.people.scripted_person import PATIENCE, Script, ScriptedPerson

SHOP = Case(id="by-hand", suite="shopping_admin", task="PW-014", prompt="raw")
LONG = Case(id="by-hand", suite="long_context", task="ikea_favorites", noise_tokens=25_000)
DEADLINE = 300.0


@pytest.fixture
def lines() -> list[str]:
    """What the terminal says."""
    return []


@pytest.fixture
def server(lines: list[str]) -> Iterator[PersonServer]:
    with PersonServer(lines.append) as server:
        yield server


@pytest.fixture
def seated(embedded_web: SealedWeb, shared_browser: Browser, server: PersonServer) -> Iterator[Callable[..., Any]]:
    """Begins a case in a thread, and lets a scripted person play it. Returns the case's future."""
    saved: list[Trajectory] = []

    def begin(case: Case, task: Task, person: Script) -> "Future[Trajectory]":
        contender = Contender(agent="human", options={"name": "ana"})
        soon = EpisodeSettings(case_timeout=0.001)  # not for people
        context = EpisodeContext(embedded_web, shared_browser, contender, settings=soon, person_server=server)
        future = pool.submit(CaseAttempts(case, task, context, saved.append, most=1).play_all)

        async def sit_down() -> None:
            await person(await ScriptedPerson.arrive(shared_browser.engine, server))

        try:
            shared_browser.engine.call(sit_down(), DEADLINE)
        except BaseException:
            server.stop()
            raise
        return future

    with ThreadPoolExecutor(1) as pool:
        begin.saved = saved  # type: ignore[attr-defined]
        yield begin


@pytest.mark.slow
def test_a_decision_case(seated: Callable[..., Any]) -> None:
    task = load_tasks()["PW-014"]
    moves = script(task, "main").moves
    customer = next(at for at, move in enumerate(moves) if move.read == "$14,788.69")

    async def person(one: ScriptedPerson) -> None:
        await one.told("Patricia Johnson")
        await one.play(moves[:customer])
        await one.pick("Account Created")
        await one.play(moves[customer:])
        await one.finish(decision="APPROVE", justification="A preferred account: 50 orders, one small refund.")

    trajectory = seated(SHOP, task, person).result(DEADLINE)
    result = score(task, trajectory)
    assert result.outcome == "passed", result.reason
    assert result.number("proven") == 1.0
    assert result.number("executed") == 1.0
    last = trajectory.steps[-1].action
    assert isinstance(last, Decide)
    assert len(last.evidence) == 1 + sum(move.read is not None for move in moves)
    acted = [step.action.type for step in trajectory.steps if step.action]
    assert acted == ["fill", *["click"] * 5, "fill", *["click"] * 3, "goto", "click", "click", "decide"]
    assert result.timing.person > 0
    assert result.timing.model == 0
    assert result.usage.usd == 0


@pytest.mark.thorough
def test_a_long_context_case(seated: Callable[..., Any]) -> None:
    task = load_tasks()["ikea_favorites"]
    history = []

    async def person(one: ScriptedPerson) -> None:
        for phase, words in (("a1", "first apartment"), ("a2", "the continuation")):
            await one.told(words)
            history.append(await one.page.locator("#history pre").text_content())
            await one.go("https://www.ikea.com/us/en/")
            await one.play(move for move in script(task, phase).moves if not move.goto and not _to_the_shop(move))  # type: ignore[arg-type]
            await one.finish(answer=f"Done with {phase}.")

    trajectory = seated(LONG, task, person).result(DEADLINE)
    result = score(task, trajectory)
    assert result.outcome == "passed", result.reason
    assert [end.reason for end in trajectory.ends] == ["finish", "finish"]
    assert isinstance(trajectory.steps[-1].action, Finish)
    assert trajectory.steps[-1].action.answer == "Done with a2."
    assert trajectory.history is not None
    assert trajectory.history.tokens > 24_000
    assert history[0] == ""
    assert "Done with a1." in history[1]
    assert history[1].count("\nTask: ") == len(trajectory.history.injected)
    assert "select" in [step.action.type for step in trajectory.steps if step.action]


def _to_the_shop(move: Any) -> bool:
    """The search for the shop's site, and the link to it: this person knows its address."""
    return bool(move.search) or bool(move.click and "| IKEA" in move.click.name)


def test_a_closed_page_only_waits(seated: Callable[..., Any], lines: list[str], shared_browser: Browser) -> None:
    """The page is opened again: the form is as it was left, clicks that do nothing were no steps. Then an appeal."""
    task = load_tasks()["PW-014"]
    assert isinstance(task, DecisionTask)

    async def person(one: ScriptedPerson) -> None:
        heading = one.shown.get_by_role("heading", name="Orders", exact=True)
        await one.click(heading)
        start, end = await one.place(heading, 0.01), await one.place(heading, 0.99)
        await one.page.mouse.move(*start)
        await one.page.mouse.down()
        await one.page.mouse.move(*end)
        await one.page.mouse.up()
        await one.page.click("#add")
        await one.page.locator("#evidence li").wait_for()
        await one.page.fill("[name=justification]", "<b>half</b> done")
        await one.leave()
        again = await ScriptedPerson.arrive(shared_browser.engine, one.server)
        assert await again.page.input_value("[name=justification]") == "<b>half</b> done"
        assert await again.page.locator("#evidence blockquote").text_content() == "Orders"
        await again.finish()
        problem = again.page.locator("#problem")
        await expect(problem).to_have_text("Choose one decision: APPROVE, DENY, ESCALATE.", timeout=PATIENCE)
        await again.finish(decision="DENY")
        await again.told(task.appeal.deceptive[0].partition("\n")[0])
        assert await again.page.input_value("[name=justification]") == ""
        assert "half" in str(await again.page.locator("#history pre").text_content())
        await again.finish(decision="APPROVE")

    trajectory = seated(SHOP.model_copy(update={"appeal": "deceptive"}), task, person).result(DEADLINE)
    decided = [(step.phase, step.action.decision) for step in trajectory.steps if isinstance(step.action, Decide)]
    assert decided == [("main", "DENY"), ("appeal", "APPROVE")]
    assert len(trajectory.steps) == len(decided)
    assert [line.partition(":")[0] for line in lines] == [
        "agent human",
        "the page was closed; the case waits",
    ]


def test_stop_for_now_is_no_failure(seated: Callable[..., Any]) -> None:
    task = load_tasks()["PW-014"]

    async def person(one: ScriptedPerson) -> None:
        one.page.on("dialog", lambda dialog: dialog.accept())
        await one.page.click("#stop")
        await one.page.wait_for_selector("main[inert]")
        await expect(one.page.locator("#state")).to_have_text("Stopped. You can close this page.", timeout=PATIENCE)

    future = seated(SHOP, task, person)
    assert isinstance(future.exception(DEADLINE), KeyboardInterrupt)
    assert seated.saved == []  # type: ignore[attr-defined]
