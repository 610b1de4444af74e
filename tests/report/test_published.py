"""Published: the shipped numbers load, are complete, and say what the papers print."""

from longtrail.report.leaderboard.papers import decision_paper, long_context_paper


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
