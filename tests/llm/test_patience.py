"""How long to wait before the next try."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.llm.retry_policy import RetryPolicy, retry_after

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
        ({"Retry-After": format_datetime(NOON + timedelta(seconds=90), usegmt=True)}, 90),
        ({"Retry-After": format_datetime(NOON - timedelta(seconds=90), usegmt=True)}, 0),
    ],
)
def test_what_the_server_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after({**headers, "Date": format_datetime(NOON, usegmt=True)}) == seconds


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
    assert min(asked, 300) <= wait <= min(asked, 300) * 1.1
