"""Figures: numbers as people read them, points and bands where the axes say, curves of shifts, published numbers."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from longtrail.records.result import Result, TicketResult
from longtrail.records.trajectory import Usage
from longtrail.report import chart, figures
from longtrail.report.leaderboard.board import RunResults, boards
from longtrail.report.leaderboard.papers import decision_paper, long_context_paper
from longtrail.report.run.figures import shift_curves
from longtrail.scoring.score import score
from longtrail.statistics.aggregate import Rate
from tests.made import decision_task, solved
from tests.report.factory import SHOP, decisions

SHOWN: dict[Callable[[float | None], str], dict[float | None, str]] = {
    figures.percent: {
        None: "–", 0.0: "0", 1.0: "100", 0.4615: "46.2", 0.0004: "0", 0.9996: "100", 0.9994: "99.9",
    },
    figures.tokens: {
        0: "0", 950: "950", 999.6: "1.00k", 15_321: "15.3k", 149_700: "150k", 999_600: "1.00M", 2_412_000: "2.41M",
        3.2e9: "3.20G", 5e13: "50000G", None: "–",
    },
    figures.usd: {None: "unknown", 0: "$0", 0.0123: "$0.0123", 0.5: "$0.50", 1234.5: "$1,234.50"},
    figures.seconds: {
        0.0: "0 ms", 0.85: "850 ms", 12.44: "12.4 s", 59.96: "1 min 00 s", 185: "3 min 05 s", 7_800: "2 h 10 min",
        3_599.7: "1 h 00 min", None: "–",
    },
}  # fmt: skip


@pytest.mark.parametrize("form", SHOWN, ids=lambda form: form.__name__)
def test_numbers(form: Callable[[float | None], str]) -> None:
    assert {value: form(value) for value in SHOWN[form]} == SHOWN[form]


def test_the_rest() -> None:
    assert figures.span(0.381, 0.544) == "38–54"
    assert figures.span(None, 0.5) == ""
    assert figures.context(0) == "0"
    assert figures.context(150_000) == "150k"
    assert figures.context(1_500) == "1500"
    assert figures.whole(12345) == "12\u2009345"
    assert figures.decimal(None) == "–"
    assert figures.part_name("a1") == "first part"
    assert figures.part_name("key_step_rate") == "the key steps"
    assert figures.part_name("decision") == "decision"


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


def test_the_axis_is_marked_at_lengths_that_were_measured_up_to_the_longest() -> None:
    assert chart.longest([0, 25_000]) == 25_000
    assert chart.longest([0, 300_000]) == 300_000
    assert chart.longest([0]) == chart.longest([]) == 150_000
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


def result() -> Result:
    return score(decision_task(), solved())


def ticket(place: int, distance: int, *, proven: bool) -> TicketResult:
    kinds = {"kinds": ("seen",), "distance": distance} if distance else {}
    return TicketResult.model_validate(
        {"id": f"T{place}", "family": "f", "place": place, "truth": "APPROVE", "right": proven, "investigated": proven}
        | {"reasoned": proven, **kinds}
    )


def test_curves_count_tickets_by_position_distance_and_kind() -> None:
    tickets = (
        ticket(0, 0, proven=True), ticket(1, 1, proven=True), ticket(2, 0, proven=False), ticket(3, 3, proven=False)
    )  # fmt: skip
    curves = shift_curves([result().model_copy(update={"tickets": tickets})])
    assert curves is not None
    assert [(point.name, point.proven, point.tickets) for point in curves.independent] == [
        ("0 to 25 %", 1, 1),
        ("50 to 75 %", 0, 1),
    ]
    assert {point.name: point.share for point in curves.distance} == {"0 to 2 tickets": 1.0, "3 to 5 tickets": 0.0}
    assert [(point.name, point.proven, point.tickets) for point in curves.kinds] == [("seen", 1, 2)]
    assert all(point.low <= point.share <= point.high for point in curves.kinds)
    assert shift_curves([result()]) is None


def test_long_context_numbers() -> None:
    paper = long_context_paper()
    found = paper.at("GPT-4.1", 150_000)
    assert found is not None
    assert (found.value, found.se) == (2.7, 1.1)
    assert paper.at("GPT-4.1", 75_000) is None
    assert paper.returns("Llama 4") == {"TS_RS": 17.1, "TF_RS": 42.9, "TF_RF": 40.0}
    assert paper.returns("no such model") == {}


def test_averages_take_table_1_and_the_fullest_others() -> None:
    shop = decision_paper().averages("shopping_admin")
    assert [(row.prompt, row.table) for row in shop if row.model == "GPT-4o"] == [
        ("raw", 1),
        ("hint", 4),
        ("explicit", 3),
    ]
    forum = decision_paper().averages("reddit")
    assert [(row.prompt, row.table) for row in forum if row.model == "Gemini"] == [("raw", 1), ("hint", 2)]
    gemini = next(row for row in shop if row.model == "Gemini")
    assert (gemini.investigation, gemini.reasoning, gemini.decision, gemini.proven) == (36.9, 64.2, 56.6, 13.4)
