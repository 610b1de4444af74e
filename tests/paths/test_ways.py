"""Ways through the long-context tasks: legitimate ones that the reference does not take count, wrong ones don't."""

from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.records.case import LONG
from longtrail.tasks.loading import load_tasks
from longtrail.web.sealed import SealedWeb
from tests.paths.hard_ways import hard_ways
from tests.paths.played import TaskWay, play, record, ways
from tests.pytest_plugin.pytest_process import run_pytest

CHOSEN = frozenset(
    {
        "ebay_instruments_pickup",
        "eventbrite_refund",
        "seatgeek_next_pop",
        "steam_dota_dlc",
        "ticketcenter_boston",
        "ticketcenter_nfl",
        "yelp_concord_mexican",
        "yelp_greenville_mcdonalds",
    }
)
"""Tasks of whose ways a short run plays every sixth. `--all` and `-m every_way` play all ways of all tasks."""


def cases() -> list[Any]:
    found = []
    for each in ways():
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


@pytest.mark.parametrize("right", [True, False])
def test_the_part_can_be_ended_when_the_site_holds_what_is_meant(
    right: bool, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    """Two seats are in the cart once the second one was added, and not when two were only selected."""
    of_boston = [each for each in ways() if each.task.id == "ticketcenter_boston" and each.way.part == "a2"]
    (taken,) = [each for each in of_boston if each.way.right is right]
    end = record(taken, embedded_web, shared_browser, stop_on_success=True).end("a2")
    assert end is not None
    assert end.reason == ("all_key_steps" if right else "finish")


def test_every_task_has_two_right_ways_and_a_wrong_one() -> None:
    found: dict[str, list[bool]] = {task.id: [] for task in load_tasks().values() if task.suite in LONG}
    for each in ways():
        found[each.task.id].append(each.way.right)
    assert {task: rights for task, rights in found.items() if rights.count(True) < 2 or all(rights)} == {}


def test_no_discovered_task_is_done_without_what_was_found() -> None:
    discovered = {task.id for task in load_tasks().values() if task.suite == "discovered"}
    forgetful = [each for each in ways() if each.way.forgets]
    assert {each.task.id for each in forgetful} == discovered
    assert all(each.way.part == "a2" and not each.way.right and each.way.misses for each in forgetful)


@pytest.mark.slow
def test_every_way_is_played_if_they_are_asked_for() -> None:
    done = run_pytest("tests/paths", "-m", "every_way", "--collect-only", "-q")
    assert done.code == 0, done.said
    assert done.out.count("::test_way[") == len([*ways()])
    assert done.out.count("::test_a_legitimate_way_proves_the_case[") == len([*hard_ways()])
