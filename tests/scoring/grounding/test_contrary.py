"""What the pages have the other way round is made up; what they tell in other words is supported."""

import pytest

from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.detector import judge
from tests.scoring.grounding.labelled import ledgers
from tests.scoring.grounding.verdict import verdict

NOTES = """heading "Notes"
 Wanted the kettle in green. The lamp was too bright for the porch. Returned to the mill.
 Courier: Mar 9, 10:20, left the regional depot of Dayton, next stop Toledo.
 The lid came back with her own sticker. Both brass handles whole, and the spout dry.
 Her brother had not written to the shop by evening. The tinsmith wants not a drop in it before the test.
 Four corks in the box, nothing missing but the twine was wet.
 Ranked in the ninth decile, counted from above, by the desk for winter cards."""
RULES = """heading "Handbook"
 7.1 A kettle that leaks: APPROVE. To be fooled by a genuine hallmark or stamp is no defect.
 7.2 A kettle that hums: ESCALATE, whatever else is true. A clear label doesn't make it better.
 7.3 At least 3 of the neighbors complained: DENY."""
PAGES = (
    ("order:9", "admin/sales/order/view/order_id/9/", "", NOTES),
    ("cms:6", "admin/cms/page/edit/page_id/6/", "", RULES),
)


def judged(text: str, source: str = "") -> str:
    return verdict(text, source, PAGES)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("The customer did not want the kettle in green.", "", id="a wish denied"),
        pytest.param(
            "The note says that the lamp was not bright enough for the porch.", "", id="not enough for too much"
        ),
        pytest.param("Her brother wrote to the shop that same evening.", "", id="a denial left out"),
        pytest.param("The tinsmith has nothing against a drop in it before the test.", "", id="allowed, not forbidden"),
        pytest.param("The kettle has left Toledo behind and is on its way to Dayton.", "", id="from B to A"),
        pytest.param("It is in the ninth decile, counted from below.", "", id="an opposite beside the same word"),
        pytest.param("One of the two brass handles had been torn.", "", id="an opposite in a clause"),
        pytest.param("the lid came back with a sticker of ours", "order:9", id="ours, not her own"),
        pytest.param(
            "Handbook 7.1: being fooled by a genuine hallmark counts as a defect.", "", id="a paragraph denied"
        ),
        pytest.param("A clear label makes it better.", "handbook, 7.2", id="a denial of a paragraph left out"),
        pytest.param("7.1 is for kettles that hum and 7.2 for those that leak.", "", id="paragraphs exchanged"),
        pytest.param("Under 7.2 a kettle that hums is approved.", "", id="another outcome"),
        pytest.param("one of the corks was missing from the box", "order:9", id="what nothing was"),
        pytest.param("it is enough if one or two of the neighbors complained", "handbook, 7.3", id="another count"),
    ],
)
def test_what_is_the_other_way_round_is_made_up(text: str, source: str) -> None:
    assert judged(text, source) == "synthetic"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        pytest.param("The customer wanted the kettle in green.", "", id="a wish"),
        pytest.param("It left the regional depot of Dayton and has Toledo as its next stop.", "", id="from A to B"),
        pytest.param("the lid came back with a sticker of her own", "order:9", id="her own"),
        pytest.param("Being fooled by a genuine hallmark is no defect.", "handbook, 7.1", id="a paragraph"),
        pytest.param("7.1 is for kettles that leak and 7.2 for those that hum.", "", id="paragraphs"),
        pytest.param("By 7.3 three of the neighbors must have complained.", "", id="a count"),
        pytest.param("The tinsmith will have not a drop in it before that test of his.", "", id="recounted"),
    ],
)
def test_what_is_told_in_other_words_is_supported(text: str, source: str) -> None:
    assert judged(text, source) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "A patient word would do more good here than any test.",
        "It would be wise to look at the kettle again before the winter.",
    ],
)
def test_an_opinion_in_the_words_of_a_page_stays_one(text: str) -> None:
    assert judged(text) == "unverifiable"


@pytest.mark.parametrize(
    ("case", "text", "source", "kind"),
    [
        ("fact_source_022", "37 points (+44, −7)", "thread 160350, sidebar", "supported"),
        ("fact_source_022", "37 points (+41, −4)", "thread 160350, sidebar", "synthetic"),
        ("spam_cross_009", "The question in /f/nutrition was submitted on Sunday evening at 21:40.", "", "supported"),
        ("spam_cross_009", "The question in /f/nutrition was submitted on Friday evening at 21:40.", "", "synthetic"),
        ("spam_cross_009", "The list of shops was last edited by signwriter_sigi.", "", "supported"),
        ("spam_cross_009", "The list of shops was last edited by brine_and_dandy.", "", "synthetic"),
        ("brigade_thread_012", "contour_carla proposed a gap with its name still written along it.", "", "supported"),
        ("brigade_thread_012", "slopes_and_steps proposed a gap with its name still written along.", "", "synthetic"),
    ],
)
def test_marks_and_speakers_are_those_of_the_pages(case: str, text: str, source: str, kind: str) -> None:
    assert judge(Claim(text=text, source=source), ledgers()[case]).kind == kind


PARCEL = """heading "Items Ordered"
row:  "Finch Softshell" SKU: LM-FNC-SFT | Shipped | $88.00
row:  "Elk Hatchet" SKU: LM-ELK-HAT | Shipped | $54.00
heading "Notes"
 The hatchet was with the smith for sharpening. Softshell lay dry in its drawer."""


@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("The softshell was with the smith for sharpening, and the hatchet was at home.", True),
        ("The hatchet was with the smith for sharpening, while the softshell lay in its drawer.", False),
    ],
)
def test_what_is_told_of_one_article_is_not_of_another(text: str, flagged: bool) -> None:
    pages = (("order:8", "admin/", "", PARCEL),)
    assert (verdict(text, "", pages) == "synthetic") == flagged
