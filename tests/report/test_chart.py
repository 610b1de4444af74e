"""Chart: rates land where the axes say."""

from longtrail.report import chart
from longtrail.statistics.aggregate import Rate


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


def test_a_longer_history_moves_the_end() -> None:
    assert chart.longest([0, 25_000]) == 150_000
    assert chart.longest([0, 300_000]) == 300_000


def test_prompts_without_the_measure_are_left_out() -> None:
    drawn = chart.by_prompt({"raw": {"proven": rate(0.5, 0.4, 0.6)}, "hint": {}}, "proven", ("raw", "hint", "explicit"))
    assert len(drawn.dots) == 1
    assert chart.by_prompt({}, "proven", ("raw",)).line == ""
