"""Resemblance: when a sentence states the same as another one in other words."""

import pytest

from longtrail.clock import NOW
from longtrail.text.statements import asserts, states


@pytest.mark.parametrize(
    ("claim", "text", "same"),
    [
        ("She asked after more than 45 days.", "She asked within 45 days.", False),
        ("The account is less than 30 days old.", "The account is more than 30 days old.", False),
        ("The order is above the limit of 6.3.", "The order is below the limit of 6.3.", False),
        ("The order is above the limit of 6.3.", "The order is not above the limit of 6.3.", False),
        ("The order is above the limit of 6.3.", "The order is not below the limit of 6.3.", True),
        ("The account is less than 30 days old.", "The account is under 30 days old.", True),
        ("She asked after more than 45 days.", "She asked within 45 days, so it is not too late.", False),
    ],
)
def test_the_other_side_of_a_limit_is_the_opposite(claim: str, text: str, same: bool) -> None:
    assert bool(asserts([], claim, text, NOW)) is same
    assert states([], claim, text, NOW) is same
