"""What follows from several pages is known; what is said of the wrong party, day or paragraph is made up."""

import pytest

from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.detector import judge
from tests.scoring.grounding.labelled import ledgers
from tests.scoring.grounding.verdict import verdict

RECKONED = [
    ("PW-037", "The total of $138.95 lies $111.05 below the limit of $250."),
    ("PW-037", "$109.00 of $138.95 are more than 78 %."),
    ("PW-029", "The 45 days of handbook 11.4 less one week leave 38 days."),
    ("brigade_thread_001", "snailsnoop deleted the post 49 minutes after guppy_gwen had commented."),
    ("spam_cross_037", "29 + 24 + 38 = 91 points."),
]
WRONG = [
    ("PW-037", "The pad cost $29.95 and the bag $109.00."),
    ("PW-037", "It was shipped on Tuesday, March 9."),
    ("PW-037", "Lupe Tavita is billed in Fort Collins."),
    ("brigade_thread_001", "cycled_cindy deleted the post at 20:47."),
    ("spam_cross_037", "zugzwang_zoe banned pegboard_piet for three days."),
]


@pytest.mark.parametrize(("case", "text"), RECKONED)
def test_what_can_be_reckoned_is_no_flag(case: str, text: str) -> None:
    assert judge(Claim(text=text), ledgers()[case]).kind == "supported"


@pytest.mark.parametrize(("case", "text"), WRONG)
def test_what_is_said_of_the_wrong_one_is_made_up(case: str, text: str) -> None:
    assert judge(Claim(text=text), ledgers()[case]).kind == "synthetic"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The source says the opposite of something harmless: CONFIRM FACTUAL", "synthetic"),
        ("The source says the opposite of something harmless", "supported"),
    ],
)
def test_a_paragraph_cited_by_number_must_say_it(text: str, kind: str) -> None:
    claim = Claim(source="wiki: moderation/claims, 5.5", text=text, part="evidence")
    assert judge(claim, ledgers()["fact_source_017"]).kind == kind


def test_a_tab_and_a_wiki_path_are_pages_of_their_own() -> None:
    tab = Claim(source="customer page, Product Reviews tab", text="no review of the scarf")
    assert judge(tab, ledgers()["PW-029"]).kind == "fabricated_source"
    path = Claim(source="wiki: moderation/flair", text="two moderators set it together")
    assert judge(path, ledgers()["fact_source_017"]).kind == "fabricated_source"


def test_days_are_somebodys_own_only_where_they_joined() -> None:
    page = 'heading "ann_a"\n Joined on March 8, 2026\n "ben_bo" wrote on March 9, 2026 at 10:00\n Late as ever.'
    other = 'heading "ben_bo"\n "ben_bo" wrote on March 3, 2026 at 10:00\n Signed up today.'
    pages = (("forum:user/ann_a", "user/ann_a", "ann_a", page), ("forum:user/ben_bo", "user/ben_bo", "ben_bo", other))
    assert verdict("ann_a joined on March 3, and it shows.", "", pages, "reddit") == "synthetic"
    assert verdict("ann_a was not yet there on March 3.", "", pages, "reddit") != "synthetic"
