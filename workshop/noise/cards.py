"""Cards: find the price of each entry in a list of a page. Input: lines. Output: a price for each
entry.

Some sites write the price above an entry's name, others below it, and a page's text does not show
where an entry ends.
"""

from dataclasses import dataclass, field


@dataclass
class _Card:
    """One entry, by its index among all entries of the page."""

    place: int
    above: str
    """The amount in the line directly above its name."""
    below: str = ""
    """The first amount below its name."""


@dataclass
class Cards:
    """Collects the rows of cards of one page from top to bottom."""

    _rows: list[list[_Card]] = field(default_factory=lambda: [[]])
    _above: str = ""

    def open(self, place: int) -> None:
        """Read an entry's name."""
        self._rows[-1].append(_Card(place, self._above))

    def line(self, amount: str) -> None:
        """Read the amount of a finished line, if it has one."""
        self._above = amount
        if amount and self._rows[-1] and not self._rows[-1][-1].below:
            self._rows[-1][-1].below = amount

    def end_row(self) -> None:
        """What follows belongs to none of the entries read so far."""
        self._rows.append([])

    def prices(self) -> dict[int, str]:
        """Index -> price. The ends of a row show where its prices are: above its first name, or
        below its last one. If neither end has a price, prices can't be assigned."""
        prices = {}
        for row in filter(None, self._rows):
            above, below = bool(row[0].above), bool(row[-1].below)
            for card in row if above or below else ():
                if amount := card.above if above else card.below:
                    prices[card.place] = amount
        return prices
