"""What is given as standing on a page, with a word exchanged, turned round or put the other way."""

import pytest

from tests.scoring.grounding.verdict import verdict

NOTES = """heading "Notes"
 The kettle was returned in a sealed box, its label still on. Sales doubled in spring.
 Courier: left with the porter at the side entrance, 14:05, two cartons.
 The older model weighs 38 grams, the newer one 21. Refund only unless the box was opened.
 She wants the money, not a new kettle. It is the fourth complaint about this kettle since May."""


def judged(text: str, source: str = "order:9") -> str:
    return verdict(text, source, (("order:9", "admin/sales/order/view/order_id/9/", "", NOTES),))


@pytest.mark.parametrize(
    "text",
    [
        "The kettle was returned in a sealed box",
        "left with the porter at the side entrance",
        "the older model weighs 38 grams, the newer one 21",
        "She wants the money, not a new kettle.",
        "Refund only unless the box was opened.",
        "the fourth complaint about this kettle",
    ],
)
def test_what_stands_there_is_supported(text: str) -> None:
    assert judged(text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("The kettle was returned in an opened box", id="an opposite"),
        pytest.param("Sales halved in spring.", id="another opposite"),
        pytest.param("left with the porter at the loading dock, 14:05, two cartons", id="other words in the middle"),
        pytest.param("the older model weighs 21 grams, the newer one 38", id="figures the other way"),
        pytest.param("She wants a new kettle, not the money.", id="a contrast the other way"),
        pytest.param("It is the seventh complaint about this kettle since May.", id="another ordinal"),
    ],
)
def test_with_a_word_exchanged_it_is_synthetic(text: str) -> None:
    assert judged(text) == "synthetic"
