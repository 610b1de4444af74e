"""Chart: points and bands are drawn where the axes say."""

from dataclasses import replace

from longtrail.records.trajectory import Usage
from longtrail.report import chart
from longtrail.report.leaderboard.board import RunResults, boards
from longtrail.statistics.aggregate import Rate
from tests.report.factory import SHOP, decisions


def rate(mean: float, low: float, high: float) -> Rate:
    return Rate(mean=mean, low=low, high=high, n=10, tasks=10, basis="all")


def test_ends_of_the_axes() -> None:
    assert chart.y(0) == chart.HEIGHT - chart.BOTTOM
    assert chart.y(1) == chart.TOP
    assert chart.x(0) == chart.LEFT
    assert chart.x(1) == chart.WIDTH - chart.RIGHT


def test_a_band_goes_out_above_and_comes_back_below() -> None:
    drawn = chart.by_length({150_000: rate(0, 0, 0.5), 0: rate(1, 0.5, 1)}, chart.longest([0, 150_000]))
    left, right, top, middle, bottom = chart.x(0), chart.x(1), chart.y(1), chart.y(0.5), chart.y(0)
    assert drawn.line == f"{left:g},{top:g} {right:g},{bottom:g}"
    assert drawn.band == f"{left:g},{top:g} {right:g},{middle:g} {right:g},{bottom:g} {left:g},{middle:g}"
    assert drawn.dots[0].says == "0 tokens: 100 % (50–100), 10 cases"


def test_the_longest_history_is_the_end_of_the_axis() -> None:
    assert chart.longest([0, 25_000]) == 25_000
    assert chart.longest([0, 300_000]) == 300_000
    assert chart.longest([0]) == chart.longest([]) == 150_000


def test_the_axis_is_marked_at_lengths_that_were_measured() -> None:
    assert chart.length_ticks([0, 25_000]) == (0, 25_000)
    assert chart.length_ticks([25_000, 60_000]) == (0, 25_000, 60_000)
    assert chart.length_ticks([25_000, 100_000, 150_000, 250_000, 500_000, 1_000_000]) == (
        0,
        250_000,
        500_000,
        1_000_000,
    )
    assert chart.length_ticks(range(0, 150_001, 25_000)) == (0, 50_000, 100_000, 150_000)
    assert chart.length_ticks([0]) == (0, 150_000)


def test_prompts_without_the_measure_are_left_out() -> None:
    drawn = chart.by_prompt({"raw": {"proven": rate(0.5, 0.4, 0.6)}, "hint": {}}, "proven", ("raw", "hint", "explicit"))
    assert len(drawn.dots) == 1
    assert chart.by_prompt({}, "proven", ("raw",)).line == ""


def test_costs_are_in_dollars_where_prices_are_known_else_in_time() -> None:
    (board,) = boards([RunResults("run", list(decisions("shopping_admin", SHOP[:1])))])
    drawn = chart.costs(board.lines)
    assert drawn.axis.startswith("dollars")
    assert all(0 <= at <= 1 for _, at, _ in drawn.spots)
    assert {line.title for line, _, _ in drawn.spots}.isdisjoint({"oracle", "together_ai/Qwen3-235B"})
    assert chart.costs(board.of("oracle")).axis.startswith("time")
    assert chart.costs(()).spots == ()


def test_no_axis_leaves_all_but_one_contender_out() -> None:
    """One contender has a cost, the others have none: all are compared by time."""
    (board,) = boards([RunResults("run", list(decisions("shopping_admin", SHOP[:1])))])
    first, *others = board.of("contender")
    free = [replace(other, row=other.row.model_copy(update={"usage": Usage()})) for other in others]
    assert len(free) > 1
    assert chart.costs([first, *free]).axis.startswith("time")
    assert chart.costs([first, *others]).axis.startswith("dollars")
    assert chart.costs([first, *board.of("baseline")]).axis.startswith("dollars")


def test_turns_stand_evenly_spaced() -> None:
    drawn = chart.by_turn({1: rate(0, 0, 0.5), 3: rate(1, 0.5, 1)}, 3)
    assert [dot.x for dot in drawn.dots] == [chart.x(0), chart.x(1)]
    assert chart.by_turn({1: rate(1, 0.5, 1)}, 1).dots[0].x == chart.x(0)
