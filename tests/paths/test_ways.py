"""Ways that no reference takes: legitimate ones count, wrong ones don't; what a discovered task needs is found."""

from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.clock import NOW
from longtrail.records.case import LONG
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import matches
from longtrail.web.sealed import SealedWeb
from longtrail.web.sites.consumer.sites import replica
from tests.paths.played import TaskWay, Way, play, record, ways
from tests.pytest_plugin.pytest_process import run_pytest

CHOSEN = {
    "ebay_instruments_pickup", "eventbrite_refund", "seatgeek_next_pop", "steam_dota_dlc", "ticketcenter_boston",
    "ticketcenter_nfl", "yelp_concord_mexican", "yelp_greenville_mcdonalds",
}  # fmt: skip
"""Tasks of whose ways a short run plays every sixth. `--all` and `-m every_way` play all ways of all tasks."""
WAYS, HARD_WAYS = ways("ways"), ways("hard_ways")
DISCOVERED = {task.id: task for task in load_tasks().values() if task.suite == "discovered"}


def cases() -> list[Any]:
    found = []
    for each in WAYS:
        marks = pytest.mark.sampled(12, ci=6) if each.task.id in CHOSEN else pytest.mark.thorough
        found.append(pytest.param(each, id=each.name, marks=marks))
    return found


@pytest.mark.every_way
@pytest.mark.parametrize("taken", cases())
def test_way(taken: TaskWay, embedded_web: SealedWeb, shared_browser: Browser) -> None:
    result = play(taken, embedded_web, shared_browser)
    metric = result.metrics[f"success_{taken.way.part}"]
    missed = {key.name: key.reason for key in result.key_steps if key.phase == taken.way.part and not key.hit}
    assert bool(metric.value) is taken.way.right, missed
    assert missed.keys() >= set(taken.way.misses), missed


@pytest.mark.every_way
@pytest.mark.thorough
@pytest.mark.parametrize("taken", HARD_WAYS, ids=[way.name for way in HARD_WAYS])
def test_a_legitimate_way_proves_the_case(taken: TaskWay, embedded_web: SealedWeb, shared_browser: Browser) -> None:
    result = play(taken, embedded_web, shared_browser)
    assert result.number("proven") == 1.0, result.reason
    assert result.number("executed") == 1.0, result.metrics["executed"].reason


@pytest.mark.parametrize("right", [True, False])
def test_the_part_can_be_ended_when_the_site_holds_what_is_meant(
    right: bool, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    """Two seats are in the cart once the second one was added, and not when two were only selected."""
    of_boston = [each for each in WAYS if each.task.id == "ticketcenter_boston" and each.way.part == "a2"]
    (taken,) = [each for each in of_boston if each.way.right is right]
    end = record(taken, embedded_web, shared_browser, stop_on_success=True).end("a2")
    assert end is not None
    assert end.reason == ("all_key_steps" if right else "finish")


def test_every_task_has_enough_ways() -> None:
    """Long tasks: two right ones and a wrong one; hard ones: two. No discovered task is done without what was found."""
    found: dict[str, list[bool]] = {task.id: [] for task in load_tasks().values() if task.suite in LONG}
    for each in WAYS:
        found[each.task.id].append(each.way.right)
    assert {task: rights for task, rights in found.items() if rights.count(True) < 2 or all(rights)} == {}
    hard = {task.id for task in load_tasks().values() if task.suite in ("hard_shop", "hard_forum")}
    written = [way.task.id for way in HARD_WAYS]
    assert {task for task in hard if written.count(task) < 2} == set()
    forgetful = [each for each in WAYS if each.way.forgets]
    assert {each.task.id for each in forgetful} == DISCOVERED.keys()
    assert all(each.way.part == "a2" and not each.way.right and each.way.misses for each in forgetful)


@pytest.mark.slow
def test_every_way_is_played_if_they_are_asked_for() -> None:
    done = run_pytest("tests/paths", "-m", "every_way", "--collect-only", "-q")
    assert done.code == 0, done.said
    assert done.out.count("::test_way[") == len(WAYS)
    assert done.out.count("::test_a_legitimate_way_proves_the_case[") == len(HARD_WAYS)


@pytest.mark.every_way
@pytest.mark.sampled(len(DISCOVERED))
@pytest.mark.parametrize("task", DISCOVERED.values(), ids=DISCOVERED)
def test_what_is_needed_is_found_on_a_page(
    task: LongContextTask, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    """On one that the reference of the first part shows."""
    way = Way(way="the reference", part="a1", steps=task.a1.reference[:-1])
    pages = "\n".join(
        step.observation.text for step in record(TaskWay(task, way), embedded_web, shared_browser).phase("a1")
    )
    for fact in task.carry:
        if fact.found:
            assert any(matches(said, pages, NOW) for said in fact.said), fact.says


def test_every_other_number_leads_elsewhere() -> None:
    """Whoever remembers the length of another tour, or the players of another game, ends with another item."""
    tours = [tour for tour in replica("www.viator.com").shelves["tours"].items if tour["dest"] == "631"]
    for hours in range(1, 15):
        fitting = [tour for tour in tours if tour["hours"] <= hours]
        chosen = max(fitting, key=lambda tour: (tour["hours"], tour["rating"]), default=None)
        assert (chosen is not None and chosen["id"] == "7745P01") is (hours == 7), hours
    games = [
        game for game in replica("boardgamegeek.com").shelves["games"].items if "Science Fiction" in game["categories"]
    ]
    for players in range(1, 10):
        playable = [game for game in games if game["most"] == players]
        best = min(playable, key=lambda game: game["rank"], default=None)
        assert (best is not None and best["id"] == "233078") is (players == 6), players
