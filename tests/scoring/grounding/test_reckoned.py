"""Values that stand nowhere, but follow from what was delivered: lengths of time, shares, products, differences."""

import pytest

from longtrail.clock import NOW
from longtrail.scoring.grounding.calendar_dates import coming, told_times
from tests.scoring.grounding.verdict import verdict

THREAD = """heading level=1:  "Jam for the fair on the 28th"
 Submitted by  "plum_stones" on March 8, 2026 at 19:10 in  "Cooking"
 Five kilos of plums, 3 % pectin, an 18 minute boil, three evenings a week. The hall takes up to 400 jars, I'm at 310.
   "Upvote"
   41
   "LidLoosener" wrote on March 11, 2026 at 00:20
 My cellar went up in March two years ago, so lids last.
 38 points (+40, −2)"""
PROFILE = """heading "plum_stones"
 Reply to  "Which lids?" by  "LidLoosener" in  "Cooking"
   "plum_stones" wrote on February 2, 2026 at 21:30
 The flat ones.
 Reply to  "A shelf" by  "birch_ben" in  "woodworking"
   "plum_stones" wrote on February 1, 2026 at 20:00
 Birch.
 Reply to  "Wax or not" by  "birch_ben" in  "woodworking"
   "plum_stones" wrote on January 30, 2026 at 20:00
 Wax."""


ORDERS = """heading "Orders of Ann Bell"
3 records found
row: 000000023 | Nov 8, 2025, 7:38:11 PM | Ann Bell | $58.95 | "View 000000023"
row: 000000303 | Jan 23, 2026, 6:56:51 PM | Ann Bell | $198.00 | "View 000000303"
row: 000000499 | Feb 17, 2026, 5:49:43 PM | Ann Bell | $51.45 | "View 000000499\""""
NOTES = """heading "Shipment #000000303"
 Mar 7, 2026 11:20:45 AM Not Notified
 Courier: at the door."""
RULES = """heading "Handbook"
 8.1 A claim is heard within 30 days of delivery."""


FORUM = (
    ("forum:submission/160001", "f/Cooking/160001/jam", "", THREAD),
    ("forum:user/plum_stones", "user/x", "", PROFILE),
)
SHOP = (
    ("customer:7/orders", "customer:7/orders", "", ORDERS),
    ("shipment:303", "shipment:303", "", NOTES),
    ("cms:6", "cms:6", "", RULES),
)


def judged(text: str, source: str = "") -> str:
    return verdict(text, source, FORUM, "reddit")


def judged_in_the_shop(text: str) -> str:
    return verdict(text, "", SHOP)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The other two orders together come to $110.40.", "supported"),
        ("The other two orders together come to $121.40.", "synthetic"),
        ("Half of $58.95 would be $29.48.", "supported"),
        ("Half of $58.95 would be $31.48.", "synthetic"),
        ("There are 20 days left for a claim.", "supported"),
        ("There are 13 days left for a claim.", "synthetic"),
        ("The delivery came 18 days after the order of February 17.", "supported"),
        ("Order 303 of $198.00 is about 64 % of all that they spent.", "supported"),
        ("Order 303 of $198.00 is about 44 % of all that they spent.", "synthetic"),
        ("At $58.95 it is about 139 dollars below the $198.00 of the next one.", "supported"),
        ("At $58.95 it is about 131 dollars below the $198.00 of the next one.", "synthetic"),
        ("Ann Bell's last order is from 4 wks ago.", "supported"),
        ("Ann Bell's last order is from 9 wks ago.", "synthetic"),
    ],
)
def test_amounts_and_days_of_the_shop(text: str, kind: str) -> None:
    assert judged_in_the_shop(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("LidLoosener answered 20 minutes after midnight on March 11.", id="time from midnight"),
        pytest.param("The points of the jam thread are 95 % upvotes.", id="share of votes"),
        pytest.param("That got 40 upvotes.", id="votes"),
        pytest.param("The hall takes approx. 1.3x what is there.", id="so many times"),
        pytest.param("That works out at 150 grams of pectin for the plums.", id="share of a measure"),
        pytest.param("plum_stones is 90 under what the hall takes.", id="difference to a bound"),
        pytest.param("18 minutes x 3 evenings, 54 minutes of boiling.", id="product"),
        pytest.param("The fair is on Saturday, March 28, eleven days from today.", id="a day ahead"),
        pytest.param("LidLoosener's two outbursts were on lids and a cellar.", id="all that somebody has"),
    ],
)
def test_what_follows_is_not_flagged(text: str) -> None:
    assert judged(text) in ("supported", "unverifiable")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("LidLoosener answered 50 minutes after midnight on March 11.", id="time from midnight"),
        pytest.param("The points of the jam thread are 81 % upvotes.", id="share of votes"),
        pytest.param("That got 59 upvotes.", id="votes"),
        pytest.param("That works out at 260 grams of pectin for the plums.", id="share of a measure"),
        pytest.param("plum_stones is 170 under what the hall takes.", id="difference to a bound"),
        pytest.param("The fair is on Tuesday, March 28, eleven days from today.", id="a day ahead"),
    ],
)
def test_what_does_not_follow_is_synthetic(text: str) -> None:
    assert judged(text) == "synthetic"


def test_what_a_members_page_lists_is_counted_by_forum() -> None:
    assert judged("2 of the 3 comments listed are in woodworking", "plum_stones's profile") == "supported"


def test_the_name_of_a_member_holds_no_paragraph() -> None:
    page = 'heading "five_steps"\n "five_steps" wrote on March 1, 2026 at 10:00\n Up to 155 stairs.'
    pages = (("forum:user/five_steps", "x", "", page),)
    assert verdict("On March 1 there were, says five_steps, 155 stairs.", "", pages, "reddit") == "supported"


def test_times_told_from_an_hour() -> None:
    told = "twenty-five minutes after midnight, 10 minutes to noon, five minutes before midnight"
    assert [minutes for minutes, *_ in told_times(told)] == [25, 710, 1435]
    told = "six minutes past nine in the evening, 6 minutes to 8 in the morning, five minutes past eleven at night"
    assert [minutes for minutes, *_ in told_times(told)] == [1266, 474, 1385]
    assert not [*told_times("10 minutes after 5 comments")]


def test_a_day_is_ahead_only_if_it_is_soon() -> None:
    today = NOW.date()
    assert coming(today.replace(year=today.year - 1, month=4, day=2), today) == today.replace(month=4, day=2)
    assert coming(today.replace(year=today.year - 1, month=11, day=2), today) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Order 303 of Jan 23, 2026 came to $198.00.", "supported"),
        ("Order 303 of Jan 23, 2026 came to $58.95.", "synthetic"),
        ("Order 303 of Feb 17, 2026 came to $198.00.", "synthetic"),
    ],
)
def test_a_rows_values_belong_together(text: str, kind: str) -> None:
    assert judged_in_the_shop(text) == kind


def test_a_share_of_a_listing_that_comes_to_nothing() -> None:
    free = ORDERS.replace("$58.95", "$0.00").replace("$198.00", "$0.00").replace("$51.45", "$0.00")
    assert verdict("That is 40 % of what they paid.", "", (("customer:7/orders", "x", "", free),)) == "synthetic"
