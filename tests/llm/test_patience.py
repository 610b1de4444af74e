"""How long to wait before the next try."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.llm.failures import RetryPolicy, retry_after

DATE = r"(Tue, )?[0-9]{1,3} (Jan|Mar) [0-9]{1,25} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( (GMT|EST|[+-][0-9]{1,12}))?"
NOON = datetime(2026, 3, 17, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7),
        ({"retry-after": " 0.25 "}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"Retry-After": "-5"}, 0),
        ({"Retry-After": "soon"}, None),
        ({"retry-after-ms": "nan", "retry-after": "2"}, 2),
        ({"Retry-After": format_datetime(NOON + timedelta(seconds=90), usegmt=True)}, 90),
        ({"Retry-After": "Tue, 17 Mar 2026 12:01:30"}, 90),
        ({"Retry-After": "Tue, 17 Mar 2026 12:01:30 -0000"}, 90),
        ({"Retry-After": "Tue, 17 Mar 2026 13:01:30 +0100"}, 90),
        ({"Retry-After": "Tue, 17 Mar 99999999999999999999 12:01:30 GMT"}, None),
        ({"Retry-After": format_datetime(NOON - timedelta(seconds=90), usegmt=True)}, 0),
    ],
)
def test_what_the_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after({**headers, "Date": format_datetime(NOON, usegmt=True)}) == seconds


@pytest.mark.parametrize("clock", ["Tue, 17 Mar 2026 12:00:00", "Tue, 17 Mar 2026 12:00:00 -0000"])
def test_a_server_s_clock_without_a_zone_is_in_utc(clock: str) -> None:
    until = format_datetime(NOON + timedelta(seconds=90), usegmt=True)
    assert retry_after({"Retry-After": until, "Date": clock}) == 90


@given(until=st.text(max_size=40), clock=st.text(max_size=40))
def test_what_is_no_date_raises_nothing(until: str, clock: str) -> None:
    assert (retry_after({"Retry-After": until, "Date": clock}) or 0) >= 0


@given(
    until=st.from_regex(DATE, fullmatch=True),
    clock=st.from_regex(DATE, fullmatch=True),
)
def test_no_date_raises_anything(until: str, clock: str) -> None:
    assert (retry_after({"Retry-After": until, "Date": clock}) or 0) >= 0


def test_a_date_without_the_server_s_clock_is_taken_from_ours() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    wait = retry_after({"Retry-After": soon})
    assert wait is not None
    assert 55 < wait <= 60


@given(tries=st.integers(1, 50), chance=st.floats(0, 1, exclude_max=True))
def test_own_waits_double_up_to_the_longest(tries: int, chance: float) -> None:
    patience = RetryPolicy(first_wait=1, longest_wait=60)
    full = min(60, 2 ** (tries - 1))
    assert full / 2 <= patience.wait(tries, {}, chance) <= full


@given(asked=st.floats(0, 10_000), chance=st.floats(0, 1, exclude_max=True))
def test_the_server_s_wait_is_honoured_up_to_the_cap(asked: float, chance: float) -> None:
    wait = RetryPolicy(longest_retry_after=300).wait(1, {"Retry-After": str(asked)}, chance)
    assert min(asked, 300) <= wait <= max(1.0, min(asked, 300) * 1.1)


@pytest.mark.parametrize(
    "headers",
    [
        {"Retry-After": "0"},
        {"retry-after-ms": "0"},
        {"Retry-After": format_datetime(NOON - timedelta(seconds=9)), "Date": format_datetime(NOON)},
    ],
    ids=["seconds", "milliseconds", "past"],
)
def test_a_server_that_asks_for_no_wait_gets_ours(headers: dict[str, str]) -> None:
    patience = RetryPolicy(first_wait=1, longest_wait=60)
    assert [patience.wait(tries, headers, 0.0) for tries in range(1, 8)] == [1, 2, 4, 8, 16, 32, 60]
