"""Grounding: finds claims of an author that no page has shown."""

import pytest

from workshop.noise.bearing import ungrounded

SEEN = 'heading "LOHALS Rug" $1,290.00 Rated 4.7 out of 5, 30 days, “both sides can be walked on”'


@pytest.mark.parametrize(
    ("words", "claims"),
    [
        ("It costs $1,290 and is rated 4.7.", ()),
        ("It costs $1290.00; there are two of them, perhaps 3.", ()),
        ('LOHALS says "Both sides can be walked on".', ()),
        ("It costs $1,291.", ("$1,291",)),
        ("It costs $3.", ("$3",)),
        ("Rated 4.8 within 31 days.", ("4.8", "31")),
        ('It says "one side only".', ('"one side only"',)),
        ("STOENSE is larger than LOHALS.", ("STOENSE",)),
    ],
)
def test_figures_quotes_and_names(words: str, claims: tuple[str, ...]) -> None:
    assert ungrounded(words, SEEN) == claims
