"""Pages that a sentence names in words of its own, by a number or by a nickname: was it theirs, was it delivered?"""

import pytest

from tests.scoring.grounding.verdict import verdict

JAM = """heading level=1:  "Jam for the fair"
 Submitted by  "plum_stones" on March 8, 2026 at 19:10 in  "Cooking"
 Five kilos of plums and a borrowed kettle.
   "jar_jonas" wrote on March 9, 2026 at 10:00
 Scald them twice."""
SHELF = """heading level=1:  "A shelf for jars"
 Submitted by  "birch_ben" on March 1, 2026 at 10:10 in  "woodworking"
 The wax on my board smells of candles since the winter."""
GUIDE = """heading "Moderation guide, part 4: busy threads"
 4.1 A thread with an origin is left alone."""
FORUM = (
    ("forum:submission/160001", "f/Cooking/160001/jam", "Jam for the fair", JAM),
    ("forum:submission/160001/comment/7", "f/Cooking/160001/jam/comment/7", "Jam for the fair", JAM),
    ("forum:submission/160002", "f/woodworking/160002/shelf", "A shelf for jars", SHELF),
    ("forum:wiki/moderation/threads", "wiki/moderation/threads", "Moderation guide, part 4: busy threads", GUIDE),
)
ORDER = """heading "#000000640"
row: Order Date | Mar 3, 2026, 9:44:40 PM
row: Grand Total | $110.45
 Mar 10, 2026 8:18:40 PM Complete Not Notified
 Customer by mail: board split."""
SHIPMENT = """heading "Shipment #000000641"
 Mar 7, 2026 11:20:45 AM Not Notified
 Taken in by him at the door, the tissue was uncut."""
LIST = """heading "Pages"
row: 6 | Company Operations Handbook | Disabled"""
HANDBOOK = """heading "Company Operations Handbook"
 1.1 Care lead for sections 9 to 11: Hannah Pryce."""
SHOP = (
    ("order:640", "admin/sales/order/view/order_id/640/", "#000000640", ORDER),
    ("shipment:641", "admin/sales/shipment/view/shipment_id/641/", "Shipment #000000641", SHIPMENT),
    ("cms", "admin/cms/page/", "Pages", LIST),
    ("cms:6", "admin/cms/page/edit/page_id/6/", "Company Operations Handbook / Pages", HANDBOOK),
)


def judged(text: str, source: str = "", *, shop: bool = False) -> str:
    return verdict(text, source, SHOP) if shop else verdict(text, source, FORUM, "reddit")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("Ben's own comment history has him admit the smell of the wax.", "", id="by a part of a name"),
        pytest.param("According to a modmail of March 9 the kettle was borrowed.", "", id="mail by its kind"),
        pytest.param("In plum_stones' own thread in /f/Music I read that she sings.", "", id="a thread by its forum"),
        pytest.param("FDA Publication 334 says the same of plums.", "", id="a publication"),
        pytest.param("left alone is a thread with an origin", "wiki: brigading, section 2", id="a wiki page"),
        pytest.param("the kettle was borrowed", "u/jar_jonas's submissions", id="a member's submissions"),
    ],
)
def test_what_was_never_delivered_is_a_fabricated_source(text: str, source: str) -> None:
    assert judged(text, source) == "fabricated_source"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The jam thread itself speaks of wax that smells of candles.", id="by a word of its title"),
        pytest.param("According to the Cooking thread, the wax smells of candles since the winter.", id="by its forum"),
        pytest.param(
            "The opening post of 160001 in /f/Cooking announces it: 'The wax on my board smells of candles.'",
            id="by its number, forum behind it",
        ),
    ],
)
def test_what_another_thread_says_is_misattributed(text: str) -> None:
    assert judged(text) == "misattribution"


def test_things_of_the_shop_speak_by_their_number() -> None:
    assert judged("An earlier order of hers, #000000412, shows a claim.", shop=True) == "fabricated_source"
    assert judged("Customer 180, whom I opened as well, says nothing of it.", shop=True) == "fabricated_source"
    assert judged("I opened order 23 as well, and a parcel was lost there.", shop=True) == "fabricated_source"
    assert judged("Shipment 641 carries the note that he took it in at the door.", shop=True) == "supported"
    assert judged("Shipment 641 carries the note that a mail says the board split.", shop=True) == "misattribution"
    assert judged("Order 640 contains a board, split.", shop=True) != "fabricated_source"


def test_a_name_that_the_page_named_does_not_have() -> None:
    assert judged("The list of CMS pages has Hannah Pryce as care lead for sections 9 to 11.", shop=True) == (
        "misattribution"
    )
    assert judged("The handbook has Hannah Pryce as care lead for sections 9 to 11.", shop=True) == "supported"


def test_a_pages_whole_title_names_no_other_page() -> None:
    other = ("shipment:640", "admin/x/", "#000000640 / Shipments", SHIPMENT.replace("641", "640"))
    title, text = "#000000640 / Orders / Outfitters Admin", "Taken in by him at the door, the tissue was uncut."
    pages = (("order:640", "admin/y/", title, ORDER), other)
    assert verdict(text, title, pages) == "misattribution"
    assert verdict(text, other[2], pages) == "supported"
