"""Lots: numbers of lots, passes and drivers, and spans of numbers that have one of them and not its neighbour."""

import random
from types import SimpleNamespace

FIRST, STEP, BETWEEN = 2000, 30, 5
"""The lowest number, the space for each pair of neighbours, and how far these are apart."""


class Lots:
    """Draws the numbers of one shift, each once."""

    def __init__(self) -> None:
        self._free = list(range(250))

    def draw(self, neighbour: SimpleNamespace | None, rng: random.Random) -> tuple[int, str]:
        """A number, and a span around it that has no other number of the shift. The neighbour of a number lies just
        below it."""
        if neighbour is not None:
            lot = neighbour.lot - BETWEEN
        else:
            lot = FIRST + STEP * self._free.pop(rng.randrange(len(self._free))) + rng.randint(10, 17)
        return lot, f"{lot - 3} to {lot + 4}"
