"""Tags of elements: clickable by role, visible by position."""

import pytest

from longtrail.browser.observation import tagged
from longtrail.browser.observation_budget import PageLine


@pytest.mark.parametrize(
    ("top", "text", "told"),
    [
        (10, ' [1] link "Offers"', ' [1] link "Offers" (clickable, visible)'),
        (900, ' [1] link "Offers"', ' [1] link "Offers" (clickable)'),
        (-60, '[2] textbox "Name": "x" (focused)', '[2] textbox "Name": "x" (focused)'),
        (700, '[2] textbox "Name"', '[2] textbox "Name" (visible)'),
        (10, ' heading "Offers" level=1', ' heading "Offers" level=1'),
        (10, ' See [3] link "here".', ' See [3] link "here".'),
    ],
)
def test_tags(top: int, text: str, told: str) -> None:
    assert [line.text for line in tagged([PageLine(top, top + 20, text)], 720)] == [told]
