"""The shop's crowd: the checked-in file is what the script makes, and its order numbers rise with time."""

from collections import Counter

from longtrail.web.sites.shopadmin.build import crowd, everyday_entries
from longtrail.web.sites.shopadmin.story import STORY
from workshop.crowds import action_log
from workshop.crowds.shop import ShopCrowd, when


def test_the_crowd_is_what_its_script_draws() -> None:
    """The checked-in data are what the script makes from its seed, so nobody has edited them by hand."""
    drawn = ShopCrowd().story()
    drawn["orders"] = sorted(drawn["orders"], key=lambda order: (order["at"], order["id"]))
    assert STORY.validate_python(drawn) == crowd()


def test_the_action_log_is_what_its_script_makes() -> None:
    assert tuple(action_log.everyday_entries()) == everyday_entries()


def test_the_calendar_of_numbers() -> None:
    assert when(201).date().isoformat() == "2026-01-01"
    assert [when(n) for n in range(1, 776)] == sorted(when(n) for n in range(1, 776))


def test_comments_of_the_crowd_vary() -> None:
    texts = Counter(comment.text for order in crowd().orders for comment in order.comments)
    assert max(texts.values()) <= 6
    assert len(texts) >= 60
