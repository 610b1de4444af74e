"""The consumer sites in a variant: item numbers, prices, counts, and the people who wrote or sell something.

What a site is about stays: its tasks name real teams, parks and films. Which ones is their choice (`tasks/choices.py`).
A new value is a function of the old one, equal in the site's data and in its tasks: a number becomes the same new
number everywhere. Prices and counts (of votes, plays, reviews) keep their order and their side of every bound (a
filter's, a list's), so the cheapest item stays the cheapest. A site keeps its prices if they are multiplied or set
against former prices, or if a task names an amount that is no item's; it keeps a count that a task names.
"""

import random
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from longtrail.variants.people import names
from longtrail.variants.prices import FIELDS
from longtrail.variants.rewriter import Path, Rewriter, Rule, any_of, numbers, texts

Entry = Mapping[str, Any]
MONEY = r"(?P<sign>[$€£])(?P<amount>\d[\d,]*(?:\.\d\d)?)(?!\d)"
_MONEY = re.compile(MONEY)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
PERSONAL = frozenset({"by", "who", "author", "seller", "critic", "reviewer", "user", "member", "host"})
"""Fields of items that may name a person."""
COUNTS = frozenset(
    {"fans", "followers", "going", "have", "heat", "helpful", "hits", "likes", "listeners", "plays", "ratings"}
    | {"reviews", "scrobbles", "thumbs", "voters", "votes", "want", "wants"}
)
"""Fields of items that count people or what they did."""
DIGITS = 5
"""Digits of the shortest number that belongs to one item alone."""


class ConsumerSite:
    """The substitutions of one site and of its tasks."""

    def __init__(self, contents: Entry, entries: Iterable[Entry], rng: random.Random) -> None:
        """`contents`: the site's file. `entries`: the tasks on it, as their files have them."""
        catalogues = contents.get("catalogues", {})
        tasks = list(entries)
        self.ids = _other_ids(catalogues, tasks, rng)
        self.prices = _other_prices(contents, tasks, rng)
        self.money = {
            field
            for catalogue in catalogues.values()
            for field, attribute in catalogue.get("fields", {}).items()
            if attribute.get("type") == "money"
        }
        self.people = _other_people(catalogues, rng)
        self.counts = _other_counts(contents, tasks, rng)
        self._rewriter = Rewriter(self._rules(), self._number)

    def tree(self, contents: Any) -> Any:
        """The site's file, or a task's entry, in this variant."""
        return self._rewriter.tree(contents)

    def _rules(self) -> dict[str, Rule]:
        return {
            "money": (MONEY, self._amount),
            "person": (any_of(self.people), lambda m: self.people[m[0]]),
            "number": (rf"(?<![\w.,$])\d{{{DIGITS},}}(?![\w,]|\.\d)", lambda m: self.ids.get(m[0], m[0])),
        }

    def _amount(self, match: re.Match[str]) -> str:
        new = self.prices.get(_dollars(match["amount"]))
        if new is None:
            return match[0]
        cents = "." in match["amount"] or new != int(new)
        text = f"{new:,.2f}" if cents else f"{new:,.0f}"
        return match["sign"] + (text if "," in match["amount"] else text.replace(",", ""))

    def _number(self, path: Path, value: Any) -> Any:
        field = path[-1] if path else ""
        if ("items" in path and field in self.money) or field in FIELDS:
            new = self.prices.get(float(value), value)
            return int(new) if isinstance(value, int) and new == int(new) else new
        if "items" in path and field in self.counts:
            return int(self.counts[field].get(float(value), value)) if isinstance(value, int) else value
        if isinstance(value, int) and (new_id := self.ids.get(str(value))):
            return int(new_id)
        return value


def _dollars(text: str) -> float:
    return float(text.replace(",", ""))


def _other_ids(catalogues: Entry, tasks: Sequence[Entry], rng: random.Random) -> dict[str, str]:
    """Item number -> another one with as many digits, in the same order. A number that a task's text says stays."""
    named = {digits for task in tasks for text in _prose(task) for digits in re.findall(r"\d+", text)}
    by_length: dict[int, set[int]] = {}
    for catalogue in catalogues.values():
        for item in catalogue["items"]:
            text = str(item["id"])
            if re.fullmatch(r"[1-9]\d+", text) and len(text) >= DIGITS and text not in named:
                by_length.setdefault(len(text), set()).add(int(text))
    renumbered: dict[str, str] = {}
    for digits, item_numbers in sorted(by_length.items()):
        room = 10**digits - 1 - max(item_numbers)
        least = 10 ** (digits - 1) - min(item_numbers)
        shift = rng.choice([step for step in (rng.randrange(least, room + 1) for _ in range(20)) if step] or [0])
        renumbered |= {str(number): str(number + shift) for number in item_numbers}
    return renumbered if not {*renumbered.values()} & named else {}


def _prose(task: Entry) -> Iterator[str]:
    for part in ("a1", "a2"):
        yield task[part]["instruction"]
    for carry in task.get("carry", ()):
        yield from texts(carry)


def _other_prices(contents: Entry, tasks: Sequence[Entry], rng: random.Random) -> dict[float, float]:
    """Old price -> new price, rising where the old ones rise; empty if the site keeps its prices."""
    values: set[float] = set()
    for catalogue in contents.get("catalogues", {}).values():
        money = [f for f, attribute in catalogue.get("fields", {}).items() if attribute.get("type") == "money"]
        if money and ("across" in catalogue or {"was", "average"} & {*money}):
            return {}
        values |= {float(item[f]) for f in money for item in catalogue["items"] if isinstance(item.get(f), int | float)}
    spoken = {_dollars(amount) for task in tasks for text in texts(task) for _, amount in _MONEY.findall(text)}
    spoken |= {number for task in tasks for field, number in numbers(task) if field in FIELDS}
    if spoken - values:
        return {}
    return _rising(values, _bounds(contents), rng)


def _other_counts(contents: Entry, tasks: Sequence[Entry], rng: random.Random) -> dict[str, dict[float, float]]:
    """For each field that counts: its old values -> the new ones, rising where the old ones rise."""
    named = {_dollars(number) for task in tasks for text in texts(task) for number in _NUMBER.findall(text)}
    named |= {number for task in tasks for _, number in numbers(task)}
    fixed = _bounds(contents)
    values: dict[str, set[float]] = {}
    for catalogue in contents.get("catalogues", {}).values():
        for item in catalogue["items"]:
            for field in COUNTS & item.keys():
                if isinstance(item[field], int):
                    values.setdefault(field, set()).add(float(item[field]))
    return {
        field: _rising(counts, fixed, rng)
        for field, counts in sorted(values.items())
        if not {value for value in counts if value >= 100} & named
    }


def _bounds(contents: Entry) -> set[float]:
    """Every number of a site outside of its items: filters, limits of lists."""
    other_fields = {key: value for key, value in contents.items() if key != "catalogues"}
    fixed = {_dollars(n) for text in texts(other_fields) for n in _NUMBER.findall(text)}
    return fixed | {number for _, number in numbers(other_fields)}


def _rising(values: set[float], fixed: set[float], rng: random.Random) -> dict[float, float]:
    """Value -> another one, at most 8 % away, without passing another value or a fixed number."""
    stops = sorted({*values, *fixed})
    new_values: dict[float, float] = {}
    for value in sorted(values - fixed):
        at = bisect_left(stops, value)
        below = value - stops[at - 1] if at else value
        above = stops[at + 1] - value if at + 1 < len(stops) else value
        least, most = -int(min(below / 2.01, value * 0.08)), int(min(above / 2.01, value * 0.08))
        if steps := [step for step in (rng.randint(least, most) for _ in range(20)) if step]:
            new_values[value] = round(value + steps[0], 2)
    return new_values


def _other_people(catalogues: Entry, rng: random.Random) -> dict[str, str]:
    """`Marta Lindholm`, `Marta L.` -> somebody else of the same pronoun, as far as the given name is in our lists."""
    lists = names()["given"]
    fresh = {kind: rng.sample(lists[f"fresh_{kind}"], len(lists[f"fresh_{kind}"])) for kind in ("she", "he")}
    families = rng.sample(names()["family"]["fresh"], len(names()["family"]["fresh"]))
    renamed: dict[str, str] = {}
    for catalogue in catalogues.values():
        for item in catalogue["items"]:
            for field in PERSONAL & item.keys():
                name = str(item[field])
                parts = name.split()
                kind = next((k for k in ("she", "he") if parts and parts[0] in lists[k]), None)
                if kind is None or len(parts) != 2 or name in renamed or not fresh[kind] or not families:
                    continue
                family = families.pop()
                renamed[name] = f"{fresh[kind].pop()} {family[0] + '.' if parts[1].endswith('.') else family}"
    return renamed
