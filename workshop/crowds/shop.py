"""The shop's crowd: people and orders that no task is about, made from written material with a fixed seed.

`python -m workshop.crowds.shop` writes `longtrail/data/worlds/shopadmin/crowd.json` again; with a
number, it prints when the order with that number was placed. The crowd uses about half of the order
numbers, stories use others; the tests report numbers that are used twice.
"""

import json
import random
import sys
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from longtrail.clock import NOW
from longtrail.paths import NOTICE
from longtrail.web.sites.shopadmin.catalogue import FOLDER, Product, catalogue
from longtrail.web.sites.shopadmin.past_orders import LANES, MOVED, moment_of, number_of
from longtrail.web.sites.shopadmin.story import STORY
from longtrail.yaml_file import read_yaml

MATERIAL = Path(__file__).parent / "material.yaml"
"""The written people, places, comments and reviews."""
SEED = 4127
CUSTOMERS = 156
SHARE = 0.56
"""The share of the present system's order numbers that the crowd uses; the rest is for stories and
gaps."""
ANCHORS: tuple[tuple[int, date], ...] = (
    (1, date(2025, 11, 3)), (96, date(2025, 11, 28)), (168, date(2025, 12, 20)), (206, date(2026, 1, 3)),
    (283, date(2026, 1, 21)), (436, date(2026, 2, 11)), (587, date(2026, 2, 27)), (641, date(2026, 3, 4)),
    (683, date(2026, 3, 8)), (704, date(2026, 3, 10)), (745, date(2026, 3, 14)), (780, date(2026, 3, 18)),
)  # fmt: skip
"""When the present system reached each of these order numbers."""
LAST = 776
OPEN, HOURS = 7, 16
"""Orders are placed between 7:00 and 23:00."""
RESERVED = frozenset({"Patricia Johnson", "Jane Smith", "Matt Baker", "Susan Wright", "Diana Foster", "Kevin Zhang"})
NAMED = frozenset({201, 274, 600, 635, 679, 697, 712, 751})
"""Order numbers of the cases that the paper names; stories use them."""
Json = dict[str, Any]


def when(number: int) -> datetime:
    """When the order with this number of the present system was placed."""
    for (first, start), (last, end) in pairwise(ANCHORS):
        if first <= number < last:
            days = (end - start).days * (number - first) / (last - first)
            day = start + timedelta(days=int(days))
            return datetime(day.year, day.month, day.day, OPEN) + timedelta(hours=HOURS * (days % 1))
    raise ValueError(f"{number} is not between 1 and {ANCHORS[-1][0]}")


def joined(number: int) -> date:
    """When the customer with this number opened the account."""
    return date(2022, 3, 1) + timedelta(days=number * 3.69)


class ShopCrowd:
    """Makes all records in a fixed order from one seed."""

    def __init__(self) -> None:
        self.rng = random.Random(SEED)  # noqa: S311
        self.text: Json = read_yaml(MATERIAL)
        self.now = NOW.replace(tzinfo=None)
        self.articles: dict[str, list[Product]] = {}
        for product in catalogue().values():
            if product.enabled:
                self.articles.setdefault(product.name, []).append(product)
        self.used: dict[str, int] = {}

    def story(self) -> Json:
        """Customers, orders and reviews."""
        customers = list(self._customers())
        orders = [*self._former(customers), *self._present(customers)]
        return {"customers": customers, "orders": orders, "reviews": self._reviews(orders)}

    # people

    def _customers(self) -> Iterator[Json]:
        names: set[str] = set(RESERVED)
        for number in sorted(self.rng.sample(range(2, 398), CUSTOMERS)):
            while (name := f"{self.rng.choice(self.text['first'])} {self.rng.choice(self.text['last'])}") in names:
                pass
            names.add(name)
            yield self._customer(number, name)

    def _customer(self, number: int, name: str) -> Json:
        rng = self.rng
        opened = datetime.combine(joined(number), datetime.min.time()) + timedelta(minutes=rng.randrange(430, 1370))
        first, last = name.lower().split()
        style = rng.choice(
            (f"{first}.{last}", f"{first[0]}{last}", f"{first}{last}", f"{first}_{last}", f"{last}.{first}")
        )
        customer: Json = {
            "id": number,
            "name": name,
            "email": f"{style}{rng.choice(('', '', str(rng.randrange(61, 99))))}@{rng.choice(self.text['mail'])}",
            "since": _iso(opened),
            "address": self._address(),
            "card": f"{rng.choice(self.text['cards'])} {rng.randrange(1000, 9999)}",
        }
        if rng.random() < 0.86:
            seen = self.now - timedelta(days=min(rng.expovariate(1 / 25), (self.now - opened).days * 0.9))
            customer["last_login"] = _iso(max(seen, opened + timedelta(minutes=3)))
        if rng.random() < 0.3:
            customer["dob"] = str(date(1990, 1, 1) + timedelta(days=rng.randrange(-14_000, 4_800)))
        if rng.random() < 0.05:
            customer["group"] = rng.choice(("Wholesale", "Retailer"))
            customer["address"]["company"] = rng.choice(self.text["companies"])
        if rng.random() < 0.17:
            later = opened + (self.now - opened) * rng.uniform(0.1, 0.9)
            customer["more"] = [{**self._address(), "since": _iso(later)}]
        return customer

    def _address(self) -> Json:
        rng = self.rng
        city, state, code, area = rng.choice(self.text["places"])
        street = f"{rng.randrange(3, 2900)} {rng.choice(self.text['streets'])}"
        unit = f", {rng.choice(self.text['units'])}" if rng.random() < 0.2 else ""
        phone = f"({area}) 555-{rng.randrange(100, 200):04d}"
        return {"street": street + unit, "city": city, "state": state, "zip": code, "phone": phone}

    # orders

    def _former(self, customers: list[Json]) -> Iterator[Json]:
        """Orders of the former system: a few for most customers of that time."""
        used: set[int] = set()
        for customer in customers:
            opened = datetime.fromisoformat(customer["since"])
            if opened > MOVED - timedelta(days=20):
                continue
            for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3))):
                first, last = number_of(opened) + 2, number_of(MOVED) - 1
                number = self.rng.randrange(first, last)
                number -= (number - self.rng.randrange(5)) % LANES
                at = moment_of(number) + timedelta(minutes=self.rng.randrange(30))
                if number in used or number < first or not OPEN <= at.hour < OPEN + HOURS:
                    continue
                used.add(number)
                yield self._order(number, customer, at, "complete")

    def _present(self, customers: list[Json]) -> Iterator[Json]:
        weights = [self.rng.paretovariate(1.3) for _ in customers]
        for number in sorted(self.rng.sample(sorted(set(range(1, LAST + 1)) - NAMED), int(LAST * SHARE))):
            at = when(number) + timedelta(minutes=self.rng.randrange(3))
            if at > self.now - timedelta(minutes=20):
                continue
            there = [i for i, c in enumerate(customers) if datetime.fromisoformat(c["since"]) < at]
            index = self.rng.choices(there, [min(weights[i], 9) for i in there])[0]
            yield self._order(number, customers[index], at, self._flow((self.now - at).days))

    def _flow(self, age: int) -> str:
        """The status of an order that is this many days old."""
        roll = self.rng.random()
        if roll < 0.035:
            return "canceled"
        if age < 12 and roll < 0.075:
            return self.rng.choice(("holded", "payment_review", "fraud", "pending_payment"))
        if age >= 12 and roll < 0.045:
            return self.rng.choice(("holded", "fraud"))
        if age <= 1:
            return self.rng.choice(("processing", "processing", "pending"))
        return "processing" if age <= 3 and roll < 0.6 else "complete"

    def _order(self, number: int, customer: Json, at: datetime, flow: str) -> Json:
        rng = self.rng
        items = self._items(at.date())
        goods = sum(catalogue()[sku].price * qty for sku, qty in items.items())
        shipping = "free" if goods >= 120 else "ground"
        if rng.random() < 0.14:
            shipping = rng.choice(("expedited", "expedited", "overnight"))
        order: Json = {"id": number, "customer": customer["id"], "at": _iso(at), "items": items, "shipping": shipping}
        if rng.random() < 0.12:
            order |= {"discount": round(goods * 0.1, 2), "coupon": rng.choice(("TENOFF", "WELCOME10", "TRAIL10"))}
        if rng.random() < 0.25:
            order["payment"] = "paypal" if flow != "pending" or rng.random() < 0.5 else "check"
        if flow == "pending":
            order["payment"] = "check"
        if flow != "complete":
            order["flow"] = flow
        if customer.get("more") and rng.random() < 0.4 and datetime.fromisoformat(customer["more"][0]["since"]) < at:
            order["ship_to"] = {k: v for k, v in customer["more"][0].items() if k != "since"}
        if comment := self._comment(customer, items, at, flow):
            order["comments"] = [comment]
        if flow == "complete" and rng.random() < 0.11 and (self.now - at).days > 14:
            order["refunds"] = [self._refund(items, at)]
        return order

    def _items(self, day: date) -> dict[str, int]:
        there = [name for name, sizes in self.articles.items() if sizes[0].since < day]
        names = self.rng.sample(there, self.rng.choice((1, 1, 1, 2, 2, 3)))
        return {self.rng.choice(self.articles[name]).sku: self.rng.choice((1, 1, 1, 1, 2)) for name in names}

    # words

    def _pick(self, lines: list[str]) -> str:
        """The line that was used least often so far; random among equals."""
        least = min(self.used.get(line, 0) for line in lines)
        line = self.rng.choice([line for line in lines if self.used.get(line, 0) == least])
        self.used[line] = least + 1
        return line

    def _comment(self, customer: Json, items: dict[str, int], at: datetime, flow: str) -> Json | None:
        special = flow in ("holded", "payment_review", "fraud", "canceled")
        if not special and self.rng.random() > 0.17:
            return None
        shipped = flow == "complete" and (self.now - at).days > 9 and self.rng.random() < 0.4
        lines = self.text["comments"][flow if special else "shipped" if shipped else "any"]
        text = self._pick(lines).format(name=customer["name"].split()[0], item=_name(items))
        later = at + (timedelta(days=self.rng.randrange(5, 8)) if shipped else timedelta(0))
        moment = later + timedelta(minutes=self.rng.randrange(6, 95))
        return {"at": _iso(min(moment, self.now - timedelta(minutes=10))), "text": text}

    def _refund(self, items: dict[str, int], at: datetime) -> Json:
        rng = self.rng
        moment = at + timedelta(days=rng.randrange(9, 13), minutes=rng.randrange(40, 400))
        moment = moment.replace(hour=9 + moment.minute % 8)
        kind = rng.choice(("all", "item", "item", "item", "adjust"))
        refund: Json = {"at": _iso(moment)}
        text = self._pick(self.text["refunds"][kind])
        if kind == "item":
            sku = rng.choice(list(items))
            refund["items"] = {sku: 1}
            text = text.format(item=catalogue()[sku].name)
        if kind == "adjust":
            refund |= {"items": {}, "adjust": float(rng.choice((4, 5, 6.5, 8, 9)))}
        return {**refund, "comments": [{"text": text}]}

    def _reviews(self, orders: list[Json]) -> list[Json]:
        """Each written review, assigned to somebody who had the article for a while and did not
        return it."""
        reviews, buyers = [], [order for order in orders if order.get("flow", "complete") == "complete"]
        self.rng.shuffle(buyers)
        for article, rating, title, text in self.text["reviews"]:
            for order in buyers:
                sku = next((sku for sku in order["items"] if sku.startswith(article)), None)
                at = datetime.fromisoformat(order["at"]) + timedelta(days=self.rng.randrange(11, 60), minutes=75)
                if sku and "refunds" not in order and at < self.now:
                    status = "Pending" if at > self.now - timedelta(days=6) else "Approved"
                    reviews.append({"customer": order["customer"], "sku": sku, "at": _iso(at), "rating": rating,
                                  "title": title, "text": text, "status": status})  # fmt: skip
                    buyers.remove(order)
                    break
        reviews.sort(key=lambda review: str(review["at"]))
        return [{"id": 3 * index + 1, **review} for index, review in enumerate(reviews)]


def _iso(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M}"


def _name(items: dict[str, int]) -> str:
    return catalogue()[next(iter(items))].name


def write() -> None:
    """Make the crowd and write its file, one record per line."""
    story = ShopCrowd().story()
    story["orders"] = sorted(story["orders"], key=lambda order: (order["at"], order["id"]))
    STORY.validate_python(story)
    parts = [f'"canary": {json.dumps(NOTICE)}']
    parts += [
        f'"{name}": [\n' + ",\n".join(json.dumps(r, ensure_ascii=False) for r in records) + "\n]"
        for name, records in story.items()
    ]
    (FOLDER / "crowd.json").write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(f"{when(int(sys.argv[1])):%Y-%m-%d %H:%M}\n")
    else:
        write()
