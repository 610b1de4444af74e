"""Measures: the same length, weight, volume or warmth in another unit than a page gives it in."""

import re
from collections.abc import Sequence
from decimal import Decimal

from longtrail.scoring.grounding.ledger import Entry

_MEASURES = (
    (frozenset({"l", "liter", "litre", "lit", "litr"}), frozenset({"ml", "millilitre", "milliliter"})),
    (frozenset({"kg", "kilo", "kilogram"}), frozenset({"g", "gram", "grams"})),
    (frozenset({"g", "gram"}), frozenset({"mg", "milligram", "milligrams"})),
    (frozenset({"km", "kilomet", "kilometr"}), frozenset({"m", "metre", "metres", "meter", "meters"})),
)
_CONVERTED = (
    (frozenset({"lb", "pound"}), frozenset({"kg", "kilo", "kilogram"}), Decimal("0.4536")),
    (frozenset({"oz", "ounce"}), frozenset({"g", "gram"}), Decimal("28.35")),
    (frozenset({"mile", "mil"}), frozenset({"km", "kilomet", "kilometr"}), Decimal("1.609")),
    (frozenset({"inch", "inche"}), frozenset({"cm", "centimet", "centimetr"}), Decimal("2.54")),
    (frozenset({"foot", "feet", "ft"}), frozenset({"m", "metre", "meter", "metr", "met"}), Decimal("0.3048")),
    (frozenset({"yard", "yd"}), frozenset({"m", "metre", "meter", "metr", "met"}), Decimal("0.9144")),
    (frozenset({"yard", "yd"}), frozenset({"foot", "feet", "ft"}), Decimal(3)),
    (frozenset({"foot", "feet", "ft"}), frozenset({"inch", "inche"}), Decimal(12)),
    (frozenset({"pint", "pt"}), frozenset({"ml", "millilitre", "milliliter"}), Decimal(473)),
    (frozenset({"quart", "qt"}), frozenset({"l", "litre", "liter", "lit", "litr"}), Decimal("0.946")),
    (frozenset({"pound", "lb"}), frozenset({"ounce", "oz"}), Decimal(16)),
    (frozenset({"stone"}), frozenset({"kg", "kilo", "kilogram"}), Decimal("6.35")),
    (frozenset({"gallon", "gal"}), frozenset({"l", "litre", "liter", "lit", "litr"}), Decimal("3.785")),
)
"""Units, their counterparts elsewhere, and how many of these one is."""
MEASURED = frozenset().union(*(one | other for one, other, *_ in (*_MEASURES, *_CONVERTED)))
"""Units: so many of one are measured, not counted, even one or two."""
_SCALES = {"c": frozenset({"c", "celsius", "centigrad"}), "f": frozenset({"f", "fahrenheit"})}
_DEGREES = {"c": re.compile(r"\d ?°? ?f\b|fahrenheit"), "f": re.compile(r"\d ?°? ?c\b|celsius|centigrade")}
"""How the other scale is written."""


def in_another_unit(value: Decimal, nouns: Sequence[str], entries: Sequence[Entry]) -> str:
    """Where a measure stands in another unit; `nouns` are the words behind it, the unit first. Empty if nowhere."""
    unit = nouns[0]
    shared = _shared(value, unit, entries)
    other = shared or _measured(value, unit, entries) or _converted(value, unit, entries)
    return other or _degrees(value, nouns, entries)


def _measured(value: Decimal, unit: str, entries: Sequence[Entry]) -> str:
    """The same measure in another unit: 0.4 l are 400 ml."""
    for large, small in _MEASURES:
        for one, other, factor in ((large, small, 1000), (small, large, Decimal("0.001"))):
            if unit not in one:
                continue
            written = f"{value * factor:,f}"
            written = written.rstrip("0").rstrip(".") if "." in written else written
            pattern = re.compile(rf"(?<![\d.,]){re.escape(written)} ?(?:{'|'.join(sorted(other))})\b")
            held = (entry for entry in entries if any(pattern.search(line.folded) for line in entry.page.lines))
            if place := next((f"in another unit on {entry.name}" for entry in held), ""):
                return place
    return ""


def _shared(value: Decimal, unit: str, entries: Sequence[Entry]) -> str:
    """A percentage of a measure on the same line: 2 % of two kilos are 40 grams."""
    for large, small in _MEASURES:
        held = large | small
        for entry in entries if unit in held else ():
            for line in entry.page.lines if held & entry.page.words else ():
                factor = 1000 if unit in small and line.words & large else 1
                shares = (n * share / 100 * factor for n in line.numbers for share in line.percents)
                if line.words & held and value in shares:
                    return f"a share of a measure on {entry.name}"
    return ""


def _converted(value: Decimal, unit: str, entries: Sequence[Entry]) -> str:
    """The same in units of another system, rounded: 44 pounds are 20 kilos."""
    for one, other, factor in _CONVERTED:
        if unit not in one | other or not value:
            continue
        wanted, held = (value * factor, other) if unit in one else (value / factor, one)
        for entry in entries:
            for line in entry.page.lines if held & entry.page.words else ():
                if held & line.words and any(abs(n - wanted) <= wanted * Decimal("0.03") for n in line.numbers):
                    return f"in another unit on {entry.name}"
    return ""


def _degrees(value: Decimal, nouns: Sequence[str], entries: Sequence[Entry]) -> str:
    """The same in degrees of the other scale, rounded: 41 F are 5 C."""
    scale = next((name for name, says in _SCALES.items() if says & set(nouns[:2])), "")
    if not scale:
        return ""
    wanted = value * 9 / 5 + 32 if scale == "c" else (value - 32) * 5 / 9
    for entry in entries:
        for line in entry.page.lines:
            if any(abs(n - wanted) <= 1 for n in line.numbers) and _DEGREES[scale].search(line.folded):
                return f"in other degrees on {entry.name}"
    return ""
