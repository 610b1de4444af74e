"""Past orders: orders of the former shop system, generated from a seed so that a customer's history has the exact
total."""

import random
from bisect import bisect_right
from datetime import datetime, timedelta

from longtrail.errors import DataError
from longtrail.records.grouping import grouped
from longtrail.web.sites.shopadmin.catalogue import Product
from longtrail.web.sites.shopadmin.order_totals import SHIPPING, TAX, cents, dollars
from longtrail.web.sites.shopadmin.story import Customer, Items, Order, PastOrders

OPENED = datetime(2022, 3, 1)
MOVED = datetime(2025, 11, 3)
"""When the shop moved to the present system. Orders are numbered from 1 since then; older ones kept their numbers."""
LANES = 61
FREE_FROM = 12_000
"""Orders of this many cents ship free."""


def number_of(moment: datetime) -> int:
    """The former system's order number: one per half hour since the shop opened."""
    return 100_001 + int((moment - OPENED) / timedelta(minutes=30))


def moment_of(number: int) -> datetime:
    """The start of the half hour of a former number."""
    return OPENED + timedelta(minutes=30) * (number - 100_001)


def expand(customer: Customer, products: dict[str, Product]) -> list[Order]:
    """A customer's past as complete orders, oldest first, at these products' prices. Raises DataError if it is
    impossible."""
    past = customer.past
    if past is None:
        return []
    where = f"customers.{customer.id}.past"
    if customer.address.state in TAX:
        raise DataError("story", where, f"{customer.address.state} has sales tax: write the orders explicitly")
    rng = random.Random(customer.seed * 100 + past.lane)  # noqa: S311
    pool = [p for p in products.values() if p.enabled and (not past.likes or any(like in p.sku for like in past.likes))]
    pool.sort(key=lambda product: product.price)
    chosen = _chosen(past, rng)
    shelves = [[p for p in pool if p.since < moment_of(number).date()] for number in chosen]
    if len(chosen) < past.orders or not all(shelves):
        raise DataError("story", where, f"only {len(chosen)} dates fit, or none of the person's `likes` was sold then")
    baskets = _baskets(cents(past.total), shelves, rng)
    over = sum(map(_total, baskets)) - cents(past.total)
    biggest = max(range(past.orders), key=lambda i: _total(baskets[i]))
    if not 0 <= over * 5 <= _total(baskets[biggest]):
        raise DataError(
            "story", where, f"the orders miss the total by {dollars(over)}: change the lane, likes or total"
        )
    return [
        _order(customer, number, basket, over if index == biggest else 0, rng, past.shift)
        for index, (number, basket) in enumerate(zip(chosen, baskets, strict=True))
    ]


def _order(customer: Customer, number: int, basket: list[Product], off: int, rng: random.Random, shift: int) -> Order:
    items: Items = {p.sku: sum(q is p for q in basket) for p in basket}
    return Order(
        id=number + shift,
        origin=number,
        customer=customer.id,
        at=moment_of(number) + timedelta(minutes=rng.randrange(30)),
        items=items,
        prices={p.sku: p.price for p in basket},
        shipping="free" if _goods(basket) >= FREE_FROM else "ground",
        discount=dollars(off),
        coupon="THANKYOU" if off else "",
    )


def _chosen(past: PastOrders, rng: random.Random) -> list[int]:
    """The orders' numbers: random, or one in each of the last months. Fewer than requested if too few fit."""
    numbers = _numbers(past)
    if not past.monthly:
        return sorted(rng.sample(numbers, min(past.orders, len(numbers))))
    months = grouped(numbers, lambda number: f"{moment_of(number):%Y-%m}")
    return [rng.choice(months[month]) for month in sorted(months)[-past.orders :]]


def _numbers(past: PastOrders) -> list[int]:
    first = number_of(datetime(past.first.year, past.first.month, past.first.day))
    last = number_of(min(datetime(past.last.year, past.last.month, past.last.day, 23), MOVED))
    return [n for n in range(first, last) if n % LANES == past.lane and 7 <= moment_of(n).hour < 23]


def _goods(basket: list[Product]) -> int:
    return sum(cents(p.price) for p in basket)


def _total(basket: list[Product]) -> int:
    goods = _goods(basket)
    return goods + (SHIPPING["free"][1] if goods >= FREE_FROM else SHIPPING["ground"][1])


def _baskets(total: int, shelves: list[list[Product]], rng: random.Random) -> list[list[Product]]:
    """A basket from each shelf (cheapest first); together they cost the total or a few dollars more."""
    weights = [rng.uniform(0.45, 1.6) for _ in shelves]
    baskets = []
    for weight, shelf in zip(weights, shelves, strict=True):
        prices = [cents(p.price) for p in shelf]
        target = round(total * weight / sum(weights))
        basket = [shelf[rng.randrange(max(1, bisect_right(prices, target * 9 // 10)))]]
        while (room := bisect_right(prices, _room(target, _goods(basket)))) > 0:
            basket.append(shelf[rng.randrange(room)])
        baskets.append(basket)
    return _fill(baskets, total, shelves, rng)


def _room(target: int, goods: int) -> int:
    """The highest price that may still go into a basket with these goods."""
    free = target - goods
    return free if target >= FREE_FROM else free - SHIPPING["ground"][1]


def _fill(
    baskets: list[list[Product]], total: int, shelves: list[list[Product]], rng: random.Random
) -> list[list[Product]]:
    """Add goods until the baskets reach the total, each time those that come closest to slightly above it."""
    for _ in range(len(baskets) * 6):
        missing = total - sum(map(_total, baskets))
        if missing <= 0:
            return baskets
        some = rng.sample(range(len(baskets)), min(8, len(baskets)))
        index, product = min(
            ((i, p) for i in some for p in shelves[i]),
            key=lambda pick: abs(_total([*baskets[pick[0]], pick[1]]) - _total(baskets[pick[0]]) - missing - 300),
        )
        baskets[index].append(product)
    return baskets
