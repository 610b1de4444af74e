"""How values are shown to people, and the simple markup of texts."""

import pytest
from markupsafe import escape

from longtrail.web.sites.consumer.items import clock_time, long_date, money, shown
from longtrail.web.sites.consumer.markup import line, plain, prose
from longtrail.web.sites.consumer.model import Attribute
from longtrail.web.sites.consumer.visit import Params
from longtrail.web.sites.consumer.words import fold, slug, words


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (1249, "money", "$1,249.00"),
        (0, "money", "Free"),
        (4766922, "number", "4,766,922"),
        (4.0, "rating", "4.0"),
        ("2026-03-21", "date", "Sat, Mar 21, 2026"),
        ("19:30", "time", "7:30 PM"),
        (True, "flag", "Yes"),
        (["a", "b"], "list", "a, b"),
        (None, "money", ""),
    ],
)
def test_shown(value: object, kind: str, text: str) -> None:
    assert shown(value, Attribute.model_validate({"type": kind})) == text


def test_car_prices_have_no_cents() -> None:
    whole = Attribute(type="money", whole=True)
    assert [shown(value, whole) for value in (15800, 418, 0)] == ["$15,800", "$418", "Free"]


def test_clock_times_around_midnight() -> None:
    shown_times = [clock_time(at) for at in ("0:05", "12:00", "24:20", "23:59")]
    assert shown_times == ["12:05 AM", "12:00 PM", "12:20 AM", "11:59 PM"]
    assert long_date("2026-12-01") == "Tue, Dec 1, 2026"
    assert money(5.5) == "$5.50"


def test_slugs_and_words() -> None:
    assert slug("GULLBERGSÖ Cushion cover, in/outdoor") == "gullbergso-cushion-cover-in-outdoor"
    assert slug("Don't Look Back") == "dont-look-back"
    assert words("Guns N' Roses, AC/DC") == ["guns", "n", "roses", "ac", "dc"]
    assert fold("  Smørrebrød  ÅÄÖ ") == "smorrebrod aao"


def test_markup() -> None:
    text = "## Scale\n- 10: *best*\n- [Board](/board)\n\n3. c\n4. d\n\nGive **one** place."
    assert prose(text).replace("\n", "") == (
        '<h3>Scale</h3><ul><li>10: <em>best</em></li><li><a href="/board">Board</a></li></ul>'
        '<ol start="3"><li>c</li><li>d</li></ol><p>Give <strong>one</strong> place.</p>'
    )
    assert plain("See [the board](/board) **now**.\n\n- a\n- b") == "See the board now. a b"


def test_a_text_without_markup_is_one_paragraph_however_it_is_read() -> None:
    for text in ("Plain - and 3.5 <b>x</b>", "a+b (c) 2) d", "-5 degrees", "3rd of May", "tail `x` \\ & ~y~"):
        assert (prose(text), line(text)) == (f"<p>{escape(text)}</p>\n", escape(text))
        assert plain(text) == text


def test_unsafe_targets_stay_text() -> None:
    assert plain("[x](javascript:alert(1))") == "[x](javascript:alert(1))"


def test_params_keep_order_and_drop_what_is_empty() -> None:
    params = Params.parse("/explore", "type%5B%5D=Bass&q=&page=2&type%5B%5D=Tabs")
    assert params.all("type[]") == ("Bass", "Tabs")
    assert params.url == "/explore?type[]=Bass&page=2&type[]=Tabs"
    assert params.put("type[]", "R&B").without("page").url == "/explore?type[]=R%26B"
    assert Params.parse("/x", "sort=price,asc&t=10:30").url == "/x?sort=price,asc&t=10:30"
