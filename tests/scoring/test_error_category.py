"""Error categories: how a part ended, loops, and repetitions that are no loops."""

import pytest

from longtrail.records.trajectory import Step
from longtrail.scoring.long_context import Signature, loop, signature
from tests.made import CHEAP, ELSEWHERE, OFFERS, step
from tests.tables import tables_of

TABLES = tables_of(__file__)


def signatures(letters: str) -> list[Signature]:
    return [("click", letter, "", "https://x.test/", "0") for letter in letters]


@pytest.mark.parametrize(("letters", "is_loop"), TABLES["known_answers"])
def test_known_answers(letters: str, is_loop: bool) -> None:
    assert bool(loop(signatures(letters))) is is_loop


def test_repeats_with_something_new_in_the_second_half_are_no_loop() -> None:
    letters = signatures("ABCDABDC")
    assert loop(letters)
    assert loop(letters, {1, 4})
    assert not loop(letters, {5})
    assert not loop(letters, {8})


def test_a_tail_that_repeats_is_a_loop_whatever_was_hit() -> None:
    assert loop(signatures("XAAA"), {4})


def search(number: int, url: str, query: str = "lamps") -> Step:
    return step(number, {"type": "search", "query": query}, url=url, text=f"page {url}")


def test_the_same_query_on_three_pages_is_no_loop() -> None:
    steps = [search(n, url) for n, url in enumerate((OFFERS, CHEAP, ELSEWHERE), 1)]
    assert not loop([signature(played_step) for played_step in steps])
    assert loop([signature(search(n, OFFERS)) for n in (1, 2, 3)])


def test_what_makes_two_steps_the_same() -> None:
    click = {"type": "click", "id": "4"}
    played_step = step(1, click, target=("link", "Offers"))
    assert signature(played_step) == signature(step(2, {"type": "click", "id": "77"}, target=("link", "Offers")))
    assert signature(played_step) != signature(step(2, click, target=("link", "Fares")))
    assert signature(played_step) != signature(step(2, click, target=("link", "Offers"), text="another page"))
    assert signature(played_step) != signature(step(2, click, target=("link", "Offers"), url=OFFERS))
    up, down = ({"type": "scroll", "direction": way} for way in ("up", "down"))
    assert signature(step(1, up)) != signature(step(2, down))
    assert signature(step(1, None, raw="one")) == signature(step(2, None, raw="two"))
    assert signature(step(1, click)) != signature(step(2, {"type": "click", "id": "5"}))


def test_scrolling_down_a_long_page_is_no_loop() -> None:
    steps = [step(n, {"type": "scroll"}, text=f"part {n}") for n in range(1, 11)]
    assert not loop([signature(played_step) for played_step in steps])
