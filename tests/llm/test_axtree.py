"""Reading axtree text as the browser writes it: elements within text, quotes in names, marks."""

import pytest

from longtrail.records.axtree_text import elements, find, words

PAGE = """\
... 12 lines above; scroll up
banner
 [1] link "Acme \\ Co"
 [2] searchbox "Search orders" value="" placeholder="keyword" focused
main
 heading "Order #000000635" level=1
 Placed by [7] link "Kevin Zhang" on 3 March, [8] link "his 4 other orders", all shipped.
 row: [9] link "000000635" | Complete | $115.73
 - [10] button "Say "hello" to him" disabled
 [11] combobox "Status" value="Complete" options: "Complete" | "On Hold"
 [12] textbox value="" required
 [13] link "Orders" current
 [14] link "Orders"
... truncated, 3 more lines; scroll"""


def test_elements_in_document_order() -> None:
    listed = [(each.id, each.role, each.name) for each in elements(PAGE)]
    assert listed[:6] == [
        ("1", "link", "Acme \\ Co"),
        ("2", "searchbox", "Search orders"),
        ("7", "link", "Kevin Zhang"),
        ("8", "link", "his 4 other orders"),
        ("9", "link", "000000635"),
        ("10", "button", 'Say "hello'),
    ]
    assert [each[0] for each in listed] == ["1", "2", "7", "8", "9", "10", "11", "12", "13", "14"]
    assert next(each for each in elements(PAGE) if each.id == "7").rest == "on 3 March,"


@pytest.mark.parametrize(
    ("role", "name", "ids"),
    [
        ("link", "Kevin Zhang", ["7"]),
        ("link", "Kevin  Zhang", ["7"]),
        ("link", "Kevin*", ["7"]),
        ("link", "*Zhang", ["7"]),
        ("link", "*4 other*", ["8"]),
        ("link", "Kevin", []),
        ("link", "kevin zhang", []),
        ("button", 'Say "hello" to him', ["10"]),
        ("button", 'Say "hello"*', ["10"]),
        ("combobox", "Status", ["11"]),
        ("link", "Orders", ["13", "14"]),
        ("textbox", "", ["12"]),
        ("link", "Acme \\ Co", ["1"]),
        ("link", "Kevin*other orders", []),
    ],
)
def test_find_by_role_and_name(role: str, name: str, ids: list[str]) -> None:
    assert list(find(PAGE, role, name)) == ids


def test_words_are_what_a_person_reads() -> None:
    text = words(PAGE)
    assert "Placed by Kevin Zhang on 3 March, his 4 other orders, all shipped." in text
    assert "Order #000000635" in text
    assert "truncated" not in text
    assert "[7]" not in text


def test_words_of_cards() -> None:
    text = 'listitem\n [1] link "Rope"\n deletion "$12.00" $9.00\narticle\n Gone fishing.'
    assert words(text) == "Rope $12.00 $9.00 Gone fishing."


CARDS = """\
main
 listitem
  heading level=3: [1] link "Upper level"
  $42.00
  group
   [2] combobox "Quantity" value="1"
   [3] button "Add to cart"
 listitem
  heading level=3: [4] link "Lower level"
  deletion "$90.00" $81.00
  [5] button "Add to cart"
 Standing, [6] button "Add to cart"
[7] button "Add to cart" """


@pytest.mark.parametrize(
    ("name", "within", "ids"),
    [
        ("Add to cart", "", ["3", "5", "6", "7"]),
        ("Add to cart", "Upper level", ["3"]),
        ("Quantity", "Upper level", ["2"]),
        ("Quantity", "Lower level", []),
        ("Add to cart", "$81.00", ["5"]),
        ("Add to cart", "Standing", ["6"]),
        ("Add to cart", "Balcony", []),
    ],
)
def test_the_card_tells_equal_buttons_apart(name: str, within: str, ids: list[str]) -> None:
    role = "combobox" if name == "Quantity" else "button"
    assert list(find(CARDS, role, name, within)) == ids
