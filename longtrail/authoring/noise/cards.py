"""Cards: whose a price is among entries that stand below one another. Lines in, a price for each entry out.

Some sites write the price above an entry's name, others below it, and a page's text does not tell where an entry ends.
"""

from dataclasses import dataclass, field


@dataclass
class _Card:
    """One entry, by its place among all entries of the page."""

    place: int
    above: str
    """The amount in the line right above its name."""
    below: str = ""
    """The first amount below its name."""


@dataclass
class Cards:
    """The rows of cards of one page, read from top to bottom."""

    _rows: list[list[_Card]] = field(default_factory=lambda: [[]])
    _above: str = ""

    def open(self, place: int) -> None:
        """An entry's name has come."""
        self._rows[-1].append(_Card(place, self._above))

    def line(self, amount: str) -> None:
        """A line has ended; the amount that it holds, if any."""
        self._above = amount
        if amount and self._rows[-1] and not self._rows[-1][-1].below:
            self._rows[-1][-1].below = amount

    def end_row(self) -> None:
        """What comes now belongs to no entry read so far."""
        self._rows.append([])

    def prices(self) -> dict[int, str]:
        """Place -> price. The ends of a row tell where its prices stand: above its first name, or below its last one.
        Where there is none at either end, nobody can tell whose a price is."""
        found = {}
        for row in filter(None, self._rows):
            above, below = bool(row[0].above), bool(row[-1].below)
            for card in row if above or below else ():
                if amount := card.above if above else card.below:
                    found[card.place] = amount
        return found
