"""Published: the shipped numbers load, are complete, and say what the papers print."""

from collections import Counter

from longtrail.report.leaderboard.papers import decision_paper, long_context_paper


def test_long_context_numbers() -> None:
    paper = long_context_paper()
    found = paper.at("GPT-4.1", 150_000)
    assert found is not None
    assert (found.value, found.se) == (2.7, 1.1)
    assert paper.at("GPT-4.1", 75_000) is None
    assert paper.returns("Llama 4") == {"TS_RS": 17.1, "TF_RS": 42.9, "TF_RF": 40.0}
    assert paper.returns("no such model") == {}


def test_long_context_shares_add_up() -> None:
    paper = long_context_paper()
    for errors in paper.errors:
        parts = (errors.success, errors.false_end, errors.inefficient_progress, errors.loop, errors.other)
        assert abs(sum(value for value, _ in parts) - 100) < 0.1
    for row in paper.retrieval:
        assert row.ts_rf == (0, 0)
        assert abs(row.ts_rs[0] + row.tf_rs[0] + row.tf_rf[0] - 100) < 0.2


def test_every_table_of_pathways_is_there() -> None:
    rows = decision_paper().rows
    assert Counter(row.table for row in rows) == {
        1: 14, 2: 16, 3: 4, 4: 4, 5: 4, 6: 6, 7: 7, 8: 5, 9: 5, 10: 5, 11: 5, 12: 8, 13: 8, 14: 8, 15: 8,
    }  # fmt: skip
    assert all(row.averaged == (row.table <= 5) for row in rows)


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


def test_categories_are_ours_or_named_as_printed() -> None:
    for suite in ("shopping_admin", "reddit"):
        for row in decision_paper().by_category(suite):
            assert bool(row.category) != bool(row.as_printed)
