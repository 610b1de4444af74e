"""Numbers of a variant. New numbers rise where the old ones rise, so `newer than` and every order of rows stay true."""

import random
from datetime import date, timedelta

OLD = 100_001
"""The first number of the shop's former system."""
LATEST = 1_000
"""The present system's numbers are below this."""


class Numbers:
    """Other numbers for orders (and their documents), customers, and submissions of the forum."""

    def __init__(self, rng: random.Random) -> None:
        first, account = rng.randrange(1_100, 6_000), rng.randrange(1_000, 6_000)
        self._orders = [first + 2 * number + rng.randrange(2) for number in range(LATEST)]
        self._customers = [account + 3 * number + rng.randrange(3) for number in range(LATEST)]
        self.old_shift = rng.randrange(7_000, 60_000)
        """What is added to a number of the former system."""
        self.submission_shift = rng.randrange(3_000, 90_000)
        """What is added to a submission's number. (It has six digits, before and after.)"""
        self._cards = rng.randrange(1, 5_000) * 2 + 1
        self._phones = rng.sample(range(100, 200), 100)
        self._days = rng.choice([days for days in range(-900, 901) if abs(days) > 30])

    def order(self, number: int) -> int:
        """An order's new number; other numbers stay."""
        if 0 < number < LATEST:
            return self._orders[number]
        return number + self.old_shift if OLD <= number < 2 * OLD else number

    def customer(self, number: int) -> int:
        """A customer's new number."""
        return self._customers[number] if 0 < number < LATEST else number

    def card(self, digits: str) -> str:
        """The last four digits of a card: no two cards become one."""
        return f"{(int(digits) + self._cards) % 10_000:04d}"

    def born(self, day: str) -> str:
        """A date of birth. No text and no rule names one."""
        return (date.fromisoformat(day) + timedelta(days=self._days)).isoformat()

    def phone(self, line: str) -> str:
        """The line of a telephone number, `0109`; the lines 0100 to 0199 belong to nobody."""
        return f"{self._phones[int(line) - 100]:04d}" if 100 <= int(line) < 200 else line
