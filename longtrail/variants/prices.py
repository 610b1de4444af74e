"""Prices of a variant: new prices of articles, and new amounts that follow from them.

No amount is guessed. Each task's story is turned into the shop's books twice, at the shipped and at the new prices. The
two books have the same rows, so each amount that a page can show has a new one. An amount in the task's text is that of
a record, or a figure of the policy, or it is neither: a sum that somebody calculated. Then all amounts of that task
stay. They stay, too, where one amount would have to become two, where an order, or what an account spent, would come to
the other side of a figure of the policy, and where the rhythm of spending is the question: then the orders say what the
articles cost on that day. So do the orders of the former shop system.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from longtrail.variants.rewriter import texts
from longtrail.web.sites.shopadmin.build import STORY_TASKS, ledger_of
from longtrail.web.sites.shopadmin.catalogue import Product
from longtrail.web.sites.shopadmin.handbook import LIMITS
from longtrail.web.sites.shopadmin.story import STORY, ShopStory
from longtrail.yaml_file import validate

Entry = Mapping[str, Any]
MONEY = r"\$\d[\d,]*(?:\.\d\d)?(?![\d])|(?<![\w.,/:-])\d[\d,]*\.\d\d(?![\w.]|:\d| ?%)"
"""An amount in a text: with a dollar sign, or with cents."""
_MONEY = re.compile(MONEY)
FREE_FROM = 120.0
"""Orders from this sum of goods ship free."""
FIELDS = frozenset({"money", "amount", "grand_total", "total", "lifetime", "net"})
"""Fields of a task that hold amounts, whole dollars included."""
FIGURES = frozenset({*map(float, LIMITS.values()), FREE_FROM})
BOUNDS = sorted(
    float(LIMITS[name])
    for name in ("forward_amount", "courtesy", "exchange_net", "preferred_lifetime", "preferred_amount", "lead_amount")
)
STATUS, CUSTOMER, GOODS, TOTAL, REFUNDED = 2, 8, 18, 22, 24
"""Columns of the table `sales_order`."""


class Prices:
    """New prices by article, and for each task its old amounts -> the new ones."""

    def __init__(self, entries: Mapping[str, Entry], products: dict[str, Product], rng: random.Random) -> None:
        """`entries`: the shop's tasks as their files have them. `products`: at the shipped prices."""
        self.shipped = products
        prices = dict(sorted((article(sku), product.price) for sku, product in products.items()))
        self.articles = {
            name: price if price in FIGURES else _other_price(price, rng) for name, price in prices.items()
        }
        """Article (`LM-HRN-FLC`) -> its price."""
        now = self.products
        self.amounts: dict[str, dict[float, float]] = {}
        """Task -> its old amounts -> the new ones. Tasks whose amounts stay are not in it."""
        for name, entry in sorted(entries.items()):
            story = validate(STORY, entry.get("story", {}), STORY_TASKS, name)
            if "takeover" not in str(entry.get("policy", {})):
                amounts = _paired(entry, _book(story, products), _book(story, now))
                if amounts is not None:
                    self.amounts[name] = amounts

    @property
    def products(self) -> dict[str, Product]:
        """All products at the new prices."""
        return {
            sku: product.model_copy(update={"price": self.articles[article(sku)]})
            for sku, product in self.shipped.items()
        }

    def priced(self, name: str, order: dict[str, Any]) -> dict[str, Any]:
        """An order of a task's story: at the new prices, or at the shipped ones if the task's amounts stay."""
        if name in self.amounts:
            return {field: value for field, value in order.items() if field != "total"}
        return {**order, "prices": {sku: self.shipped[sku].price for sku in order["items"]}}


def _paired(entry: Entry, before: list[tuple[str, float]], after: list[tuple[str, float]]) -> dict[float, float] | None:
    """Old amounts -> new ones; None if one of them has no single new amount, or the new ones would change the case."""
    pairs: dict[float, set[float]] = defaultdict(set)
    for (kind, old), (_, new) in zip(before, after, strict=True):
        pairs[old].add(new)
        bounds = [FREE_FROM] if kind == "goods" else BOUNDS
        if any((old < bound, old == bound) != (new < bound, new == bound) for bound in bounds):
            return None
    named = set(named_amounts(entry))
    for amount in named:
        news = pairs.get(amount, {amount} if amount in FIGURES else set())
        if len(news) != 1 or (amount in FIGURES and news != {amount}):
            return None
    return {old: next(iter(news)) for old, news in pairs.items() if old in named}


def article(sku: str) -> str:
    """The article of a product: its sku without the size."""
    return sku[:10]


def amount_of(text: str) -> float:
    """`$1,204.50` -> 1204.5."""
    return float(text.lstrip("$").replace(",", ""))


def named_amounts(entry: Entry) -> Iterator[float]:
    """Every amount in the texts and fields of a task."""
    for text in texts(entry):
        yield from (amount_of(amount) for amount in _MONEY.findall(text))
    yield from _numbers(entry, "")


def _numbers(value: Any, field: str) -> Iterator[float]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key not in ("story", "items"):
                yield from _numbers(item, str(key))
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _numbers(item, field)
    elif is_amount(field, value):
        yield float(value)


def is_amount(field: str, value: Any) -> bool:
    """Whether a field's number is an amount in dollars."""
    return isinstance(value, int | float) and not isinstance(value, bool) and field in FIELDS


def _book(story: ShopStory, products: dict[str, Product]) -> list[tuple[str, float]]:
    """The amounts in the shop's books, in a fixed order: (what it is, dollars)."""
    own = {customer.id for customer in story.customers}  # in a few stories customers of the crowd have orders, too
    without_totals = tuple(order.model_copy(update={"total": None}) for order in story.orders if order.customer in own)
    rows = ledger_of([story.model_copy(update={"orders": without_totals})], products).rows
    amounts = [
        ("", value) for table in sorted(rows) for row in rows[table] for value in row if isinstance(value, float)
    ]
    orders = rows["sales_order"]
    for customer in story.customers:
        placed = [row for row in orders if row[CUSTOMER] == customer.id and row[STATUS] != "canceled"]
        sums = [float(str(row[TOTAL])) for row in placed]
        refunds = [float(str(row[REFUNDED])) for row in placed]
        spent, refunded = sum(sums), sum(refunds)
        shown = (spent, spent / max(1, len(sums)), refunded, spent - refunded)
        amounts += [("", round(amount, 2)) for amount in shown]
    amounts += [("goods", float(str(row[GOODS]))) for row in orders]
    return amounts


def _other_price(price: float, rng: random.Random) -> float:
    """Another price: some dollars more or less, at most 6 %, with the same cents."""
    most = max(1, int(price * 0.06))
    return round(price + rng.choice([step for step in range(-most, most + 1) if step]), 2)
