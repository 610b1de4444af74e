"""Lots: numbers of lots and passes, spans of numbers that have one of them and not its neighbour, and drivers."""

import random
from types import SimpleNamespace

FIRST, STEP, BETWEEN = 2000, 30, 5
"""The lowest number, the space for each pair of neighbours, and how far these are apart."""
FIRST_DRIVER = 110
"""The lowest number of a driver."""


class Lots:
    """Draws the numbers of one shift, each once."""

    def __init__(self) -> None:
        self._free = list(range(250))

    def draw(self, neighbour: SimpleNamespace | None, rng: random.Random) -> tuple[int, str, int]:
        """A number; a span around it that has no other number of the shift; and a driver, whose number has three
        figures, so that it is no lot's. The neighbour of a number lies just below it."""
        if neighbour is not None:
            lot = neighbour.lot - BETWEEN
        else:
            lot = FIRST + STEP * self._free.pop(rng.randrange(len(self._free))) + rng.randint(10, 17)
        pair, place = divmod(lot - FIRST, STEP)
        return lot, f"{lot - 3} to {lot + 4}", FIRST_DRIVER + 3 * pair + place % 3
