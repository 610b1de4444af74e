"""Timetables: the next trips after the frozen clock, at every stop, in both directions."""

from tests.web.sites.consumer.visitor import Visitor


def test_trips_start_after_now_and_take_their_time(visitor: Visitor) -> None:
    words = visitor.page("https://www.mbta.com/schedules/Red/line").words
    assert "Alewife 2:35 PM 2:43 PM 2:51 PM" in words
    assert "Park Street 2:51 PM 2:59 PM" in words
    assert "First trip 5:15 AM, last trip 12:20 AM, about every 8 minutes." in words


def test_the_way_back_starts_at_the_other_end(visitor: Visitor) -> None:
    words = visitor.page("https://www.mbta.com/schedules/Red/line").words
    back = words[words.index("next trips towards Alewife") :]
    assert back.index("Braintree") < back.index("Quincy Adams") < back.index("Davis")
