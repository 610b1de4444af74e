"""Lengths: tokens as numbers, in thousands and in millions."""

import pytest

from longtrail.errors import UsageError
from longtrail.options.value_forms import read_lengths


def test_units_and_order() -> None:
    assert read_lengths("1m, 250k,0,500K,31000") == ((0, 31_000, 250_000, 500_000, 1_000_000), False)
    assert read_lengths("relocated,1000k,1m") == ((1_000_000,), True)


@pytest.mark.parametrize("text", ["k", "m", "12q", "1mk", "-1k", "1.5m", "123456789", "", ","])
def test_what_is_no_length_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--lengths: expected"):
        read_lengths(text)
