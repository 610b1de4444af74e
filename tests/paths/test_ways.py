"""Ways through the long-context tasks: legitimate ones that the reference does not take count, wrong ones don't."""

import pytest

from longtrail.browser.session import Browser
from longtrail.web.sealed import SealedWeb
from tests.paths.played import TaskWay, play, ways

CHOSEN = frozenset(
    {
        "ticketcenter_boston",
        "seatgeek_next_pop",
        "yelp_concord_mexican",
        "ebay_instruments_pickup",
    }
)
"""Tasks whose ways are played in every run of the tests; the others with `-m every_way`."""


def cases() -> list[object]:
    found = []
    for each in ways():
        marks = () if each.task.id in CHOSEN else (pytest.mark.every_way,)
        found.append(pytest.param(each, id=each.name, marks=marks))
    return found


@pytest.mark.parametrize("taken", cases())
def test_way(taken: TaskWay, web: SealedWeb, own_browser: Browser) -> None:
    result = play(taken, web, own_browser)
    metric = result.metrics[f"success_{taken.way.part}"]
    missed = {key.name: key.reason for key in result.key_steps if key.phase == taken.way.part and not key.hit}
    assert bool(metric.value) is taken.way.right, missed
    assert missed.keys() >= set(taken.way.misses), missed
