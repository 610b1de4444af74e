"""Ranks: only comparable cases are compared."""

from longtrail.report.leaderboard.board_row import ranks


def test_equal_cases_are_ranked_by_their_means() -> None:
    rows = [{"a 0  0": 0.0, "b 0  0": 1.0}, {"a 0  0": 1.0, "b 0  0": 1.0}, {"a 0  0": 1.0, "b 0  0": 0.0}]
    found = ranks(rows, foreign=[False] * 3, missing=[0] * 3, changed=[0] * 3)
    assert [(rank.place, rank.mean, rank.note) for rank in found] == [(2, 0.5, ""), (1, 1.0, ""), (2, 0.5, "")]


def test_a_run_of_the_easy_cases_does_not_win() -> None:
    """A contender that ran only one easy case is compared by that case."""
    rows = [{"easy 0  0": 1.0}, {"easy 0  0": 1.0, "hard 0  0": 0.0}]
    found = ranks(rows, foreign=[False, False], missing=[0, 0], changed=[0, 0])
    assert [(rank.place, rank.common, rank.note) for rank in found] == [(1, 1, "other cases"), (1, 1, "")]


def test_other_data_have_no_rank_and_take_none_away() -> None:
    rows = [{"a 0  0": 1.0}, {"b 0  0": 1.0}]
    found = ranks(rows, foreign=[False, True], missing=[0, 0], changed=[0, 0])
    assert [(rank.place, rank.note) for rank in found] == [(1, ""), (None, "other data")]


def test_nothing_in_common_is_not_ranked() -> None:
    found = ranks([{"a 0  0": 1.0}, {"b 0  0": 1.0}], foreign=[False, False], missing=[0, 0], changed=[0, 0])
    assert [rank.place for rank in found] == [None, None]


def test_an_incomplete_run_says_so() -> None:
    found = ranks([{"a 0  0": 1.0}, {"a 0  0": 0.0}], foreign=[False, False], missing=[3, 0], changed=[0, 0])
    assert [rank.note for rank in found] == ["incomplete", ""]


def test_nobody() -> None:
    assert ranks([], foreign=[], missing=[], changed=[]) == ()
    assert ranks([{}], foreign=[False], missing=[0], changed=[0])[0].place is None
