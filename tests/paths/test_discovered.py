"""Discovered tasks: what the second part needs is on a page that the reference of the first part shows."""

from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.clock import NOW
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import matches
from longtrail.web.sealed import SealedWeb
from longtrail.web.sites.consumer.sites import replica
from tests.paths.played import TaskWay, Way, record

DISCOVERED = [task for task in load_tasks().values() if task.suite == "discovered"]


def cases() -> list[Any]:
    """One in every run of the tests, the others with `-m every_way` or `--all`."""
    marks = [(), *[(pytest.mark.thorough,)] * (len(DISCOVERED) - 1)]
    return [pytest.param(task, id=task.id, marks=each) for task, each in zip(DISCOVERED, marks, strict=True)]


@pytest.mark.every_way
@pytest.mark.parametrize("task", cases())
def test_what_is_needed_is_found_on_a_page(
    task: LongContextTask, embedded_web: SealedWeb, shared_browser: Browser
) -> None:
    way = Way(way="the reference", part="a1", right=True, steps=task.a1.reference[:-1])
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
