"""The shop's back office in a variant: its tasks, and the sources of its world."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from typing import Any

from longtrail.paths import DATA, POLICIES, WORLDS
from longtrail.records.case import HARD
from longtrail.variants.numbers import Numbers
from longtrail.variants.people import People, full_names, word_counts
from longtrail.variants.prices import MONEY, Entry, Prices, amount_of, is_amount
from longtrail.variants.rewriter import Path, Rewriter, Rule, any_of, texts
from longtrail.web.sites.shopadmin.build import read_crowd
from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.yaml_file import read_yaml

_STREET = re.compile(r"^\d+ ([^,#]+)")
_AREA = re.compile(r"\d{3}")

STAFF = ("Dana Whitfield", "Luis Ortega", "Hannah Pryce")
"""The leads whom the Handbook names: their names are in its rules and stay."""
COLLEAGUES = ("mara", "brandt", "thuy", "vo", "jonas", "ruiz", "ilse", "lind")
"""Whom the Handbook's second part names, and who write in the hard tier's records."""
KEPT_TOWNS = frozenset({"Columbus"})
"""The shop's own town."""
DOCUMENT = r"(?:order|invoice|shipment|creditmemo|memo)"
BRANDS = r"(?:Visa|Mastercard|American Express|Discover)"
_SPOKEN = re.compile(r"\borders?\s+(?:\d+(?:, | and | or ))*$", re.IGNORECASE)
"""What stands before a bare number of one or two digits that is an order's."""
_CARD = re.compile(r"(\d{4})$")


class Shop:
    """The substitutions of the shop's suite."""

    def __init__(self, entries: Mapping[str, Entry], rng: random.Random) -> None:
        """`entries`: its tasks as their files have them, by id."""
        self.entries = entries
        crowd = read_crowd()
        stories = [entry.get("story", {}) for entry in entries.values()]
        customers = [*crowd["customers"], *(record for story in stories for record in story.get("customers", ()))]
        orders = [*crowd["orders"], *(record for story in stories for record in story.get("orders", ()))]
        accounts = {record["email"]: record["name"] for record in customers}
        words = word_counts(text for source in (crowd, *entries.values(), *_pages()) for text in texts(source))
        self.numbers = Numbers(rng)
        self._hard = any(entry["suite"] in HARD for entry in entries.values())
        if self._hard:  # the carriers' scans have the first letter of a relative's name
            relatives = [part.get("name", "-") for record in customers for part in record.get("more", ())]
            words.update([*COLLEAGUES, *(name.split()[0].lower() for name in relatives)])
        self.people = People(accounts, full_names([*customers, *orders]), words, rng)
        for name in STAFF:
            for word in name.split():
                self.people.words.pop(word, None)
        addresses = [part for record in customers for part in (record["address"], *record.get("more", ()))]
        addresses += [part for record in orders for key in ("ship_to", "bill_to") if (part := record.get(key))]
        self.places = Places(addresses, words, {*KEPT_TOWNS}, rng)
        self.prices = Prices(entries, catalogue(), rng)

    def tasks(self) -> dict[str, Any]:
        """All tasks of the suite in this variant, as a file would have them."""
        return {name: self._task(name, entry) for name, entry in self.entries.items()}

    def source(self, name: str, contents: Any) -> Any:
        """What a world is built from: `crowd`, `catalogue`, `log`."""
        if name == "crowd":
            return self._records(self._rewriter({}, {}).tree(contents))
        if name == "catalogue":
            return [{**article, "price": self.prices.articles[article["sku"]]} for article in contents]
        return self._rewriter({}, {}).tree(contents)

    def _task(self, name: str, entry: Entry) -> Any:
        story = entry.get("story", {})
        orders = {str(order["id"]): self.numbers.order(order["id"]) for order in story.get("orders", ())}
        amounts = self.prices.amounts.get(name, {})
        cards = {m[1] for text in _cards(story) if (m := _CARD.search(text))}
        rewritten = self._rewriter(orders, amounts, cards).tree(
            {**entry, "story": {**story, "orders": [self.prices.priced(name, o) for o in story.get("orders", ())]}}
        )
        return {**rewritten, "id": name, "story": self._records(rewritten["story"])}

    def _records(self, story: dict[str, Any]) -> dict[str, Any]:
        """Records under new numbers that remember the old ones: what nobody wrote is drawn from those."""
        numbers = self.numbers
        customers = []
        for record in story.get("customers", ()):
            new = {**record, "id": numbers.customer(record["id"]), "origin": record["id"]}
            new |= {"past": {**record["past"], "shift": numbers.old_shift}} if "past" in record else {}
            new |= {"dob": numbers.born(record["dob"])} if record.get("dob") else {}
            customers.append(new)
        orders = []
        for record in story.get("orders", ()):
            new = {**record, "id": numbers.order(record["id"]), "origin": record["id"]}
            new |= {"customer": numbers.customer(record["customer"])}
            for kind in {"shipments", "refunds"} & record.keys():
                new[kind] = [
                    {**entry, "id": numbers.order(entry["id"])} if entry.get("id") else entry for entry in record[kind]
                ]
            orders.append(new)
        reviews = [{**record, "customer": numbers.customer(record["customer"])} for record in story.get("reviews", ())]
        codes = [
            {**code, "orders": {numbers.order(number): at for number, at in code["orders"].items()}}
            for code in story.get("codes", ())
        ]
        return {**story, "customers": customers, "orders": orders, "reviews": reviews, "codes": codes}

    def _rewriter(
        self, order_numbers: Mapping[str, int], amounts: Mapping[float, float], cards: Set[str] = frozenset()
    ) -> Rewriter:
        """`order_numbers`: the task's orders, old number (as text) -> new one. `amounts`, `cards`: of the task.
        Addresses of the hard tier stay: its carriers write them in another form."""
        people, places, numbers = self.people, self.places, self.numbers

        def ordered(match: re.Match[str]) -> str:
            return re.sub(r"\d+", lambda m: f"{numbers.order(int(m[0])):0{len(m[0])}d}", match[0])

        def bare(match: re.Match[str]) -> str:
            text, digits = match.string, match[0]
            is_number = text.strip() == digits
            if digits in order_numbers and (is_number or len(digits) > 2 or _SPOKEN.search(text[: match.start()])):
                return str(order_numbers[digits])
            return numbers.card(digits) if digits in cards else digits

        def money(match: re.Match[str]) -> str:
            new = amounts.get(amount_of(match[0]))
            if new is None:
                return match[0]
            text = f"{new:,.2f}" if "." in match[0] else f"{new:,.0f}"
            text = text if "," in match[0] or (new >= 1000 and match[0][0] == "$") else text.replace(",", "")
            return f"${text}" if match[0][0] == "$" else text

        rules: dict[str, Rule] = {
            "mail": (r"[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+\.example", lambda m: people.mail.get(m[0], m[0])),
            "padded": (r"(?<!\w)\d{9}(?!\d)", ordered),
            "page": (rf"(?<![\w/]){DOCUMENT}:\d+", ordered),
            "address": (rf"{DOCUMENT}_id/\d+", ordered),
            "customer": (
                r"(?<![\w/])customer:\d+|customer/index/\w+/id/\d+",
                lambda m: re.sub(r"\d+", lambda d: str(numbers.customer(int(d[0]))), m[0]),
            ),
            "card": (
                rf"{BRANDS}(?: ending in| card ending in)? \d{{4}}(?!\d)",
                lambda m: _CARD.sub(lambda d: numbers.card(d[1]), m[0]),
            ),
            "money": (MONEY, money),
            "phone": (PHONE, lambda m: places.phone(m, numbers)),
            "street": (any_of(places.streets), lambda m: places.streets[m[0]]),
            "town": (any_of(places.towns), lambda m: places.towns[m[0]]),
            "zip": (r"(?<![\w$.-])\d{5}(?![\w.-])", lambda m: places.zips.get(m[0], m[0])),
            "initial": (any_of(people.initials).removesuffix("(?![A-Za-z])"), lambda m: people.initials[m[0]]),
            "name": (r"(?<![A-Za-z@.])[A-Z][A-Za-z]+", lambda m: people.words.get(m[0], m[0])),
            "bare": (r"(?<![\w$.,:/#-])\d{1,6}(?![\w%]|[.,:/]\d)", bare),
        }
        if self._hard:
            rules = {name: rule for name, rule in rules.items() if name not in ("phone", "street", "town", "zip")}
        return Rewriter(rules, lambda path, value: self._number(path, value, amounts))

    def _number(self, path: Path, value: Any, amounts: Mapping[float, float]) -> Any:
        field = path[-1] if path else ""
        if {"match", "row"} & {*path} and field in ("parent_id", "order_id", "entity_id"):
            return self.numbers.order(int(value))
        if "match" in path and field == "customer_id":
            return self.numbers.customer(int(value))
        if "story" not in path and "past" not in path and is_amount(field, value):
            return amounts.get(float(value), value)
        return value


def _cards(story: Mapping[str, Any]) -> list[str]:
    records = [*story.get("customers", ()), *story.get("orders", ())]
    return [record["card"] for record in records if record.get("card")]


def _pages() -> list[Any]:
    return [
        read_yaml(WORLDS / "shopadmin" / "pages.yaml"),
        read_yaml(WORLDS / "shopadmin" / "catalogue.yaml"),
        read_yaml(POLICIES / "handbook.yaml"),
    ]


class Places:
    """Old street, town, ZIP code, area code -> new one."""

    def __init__(
        self, addresses: Iterable[Mapping[str, Any]], words: Counter[str], kept: set[str], rng: random.Random
    ) -> None:
        """`words`: of the texts; a town's name that is also a word stays, as do the towns in `kept`."""
        lists = read_yaml(DATA / "variants" / "places.yaml")
        known = list(addresses)
        streets = sorted({m[1].strip() for a in known if (m := _STREET.match(str(a["street"])))})
        pool = [street for street in lists["streets"] if street not in streets]
        order = rng.sample(streets, len(streets))
        self.streets = dict(zip(order, [*rng.sample(pool, len(pool)), *order], strict=False))
        self.towns: dict[str, str] = {}
        self.zips: dict[str, str] = {}
        self.areas: dict[str, str] = {}
        self._known = {m[0] for a in known if (m := _AREA.search(str(a["phone"])))}
        states: dict[str, set[str]] = defaultdict(set)
        for address in known:
            states[address["city"]].add(address["state"])
        fresh: dict[str, list[list[Any]]] = defaultdict(list)
        for town in lists["towns"]:
            if town[0] not in states and not any(words[word] for word in str(town[0]).split()):
                fresh[town[1]].append(town)
        for place in rng.sample(sorted(states), len(states)):
            if len(states[place]) > 1 or place in kept or words[place.lower()]:
                continue
            if options := fresh[next(iter(states[place]))]:
                self._move(place, options.pop(rng.randrange(len(options))), known)

    def _move(self, place: str, town: list[Any], known: list[Mapping[str, Any]]) -> None:
        self.towns[place] = town[0]
        for address in known:
            if address["city"] != place:
                continue
            if address["zip"] not in self.zips:
                code = int(town[2])
                while f"{code:05d}" in self.zips.values():
                    code += 1
                self.zips[address["zip"]] = f"{code:05d}"
            area = _AREA.search(str(address["phone"]))
            used = {*self._known, *self.areas.values()}  # two numbers must not become one
            if area and str(town[3]) not in used:
                self.areas.setdefault(area[0], str(town[3]))

    def phone(self, match: re.Match[str], numbers: Numbers) -> str:
        """A telephone number: `(607) 555-0109`, `607-555-0109`, `555-0109`."""
        area, between, line = match["area"], match["between"], match["line"]
        if area is None:
            return f"555-{numbers.phone(line)}"
        return f"{match['open']}{self.areas.get(area, area)}{between}555-{numbers.phone(line)}"


PHONE = r"(?:(?P<open>\(?)(?P<area>\d{3})(?P<between>\)? ?-?))?555-(?P<line>\d{4})"
